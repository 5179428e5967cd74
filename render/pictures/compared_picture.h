// The flame graph of a comparison as a picture: widths are the mean, colours the change.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ingest/compare/compared_tree.h"
#include "render/pictures/picture_pen.h"

namespace cinderscope {

struct ComparedPicture {
  const ComparedTree& tree;
  const std::vector<std::string>& labels;  // by compared name
  TimeAxis axis = TimeAxis::nanoseconds;
  CallWeight weight = CallWeight::time;
  double min = 0;  // smaller ones are no change
  std::string head;
  bool titles = true;
  std::size_t most_boxes = 20'000;
};

// As the other pictures.
float draw_compared_flame(const ComparedPicture& picture, PicturePen& pen, PicturePoint at,
                          float width_px, float most_height_px);

}  // namespace cinderscope
