// What the lower panel shows as pictures: flame graphs, histograms, tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/duration_histogram.h"
#include "render/pictures/picture_pen.h"
#include "render/tables/value_table.h"

namespace cinderscope {

// All of these draw from `at` on, so wide, and return the height.

struct FlamePicture {
  const Timeline& timeline;
  const AggregatedCallTree& tree;
  const FunctionTotals* function = nullptr;  // whose callees `tree` is; null: of all calls
  std::string head;                          // what is measured
  std::uint32_t zoomed = 0;                  // a node of `tree`
  CallWeight weight = CallWeight::time;
  bool titles = true;
  std::size_t most_boxes = 20'000;
};
float draw_flame_graph(const FlamePicture& picture, PicturePen& pen, PicturePoint at,
                       float width_px, float most_height_px);

struct HistogramPicture {
  const Timeline& timeline;
  const DurationHistogram& durations;
  bool linear = false;
  bool titles = true;
};
float draw_histogram(const HistogramPicture& picture, PicturePen& pen, PicturePoint at,
                     float width_px, float most_height_px);

struct TablePicture {
  const ValueTable& table;
  std::span<const std::uint32_t> rows;
  TimestampFormat format;
  std::size_t sorted_by = 0;  // a column
};
float draw_table(const TablePicture& picture, PicturePen& pen, PicturePoint at, float width_px,
                 float most_height_px);

}  // namespace cinderscope
