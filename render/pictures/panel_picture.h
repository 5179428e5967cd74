// What the lower panel shows as pictures: flame graphs, histograms, tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/durations/duration_histogram.h"
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

struct PictureColumn {
  std::string title;
  bool is_text = false;
  bool bar = false;     // behind its numbers
  bool sorted = false;  // by it
};
struct TablePicture {
  std::vector<PictureColumn> columns;  // the first one is of names
  std::size_t row_count = 0;
  // Cells by row and column.
  std::function<std::string(std::size_t row, std::size_t column)> text;
  std::function<double(std::size_t row, std::size_t column)> share = nullptr;  // of a bar: to 1
  std::function<std::uint32_t(std::size_t row)> name_hash = nullptr;  // picks a name's colour
};
// The columns of a table that are not hidden.
TablePicture picture_of(const ValueTable& table, std::vector<std::uint32_t> rows,
                        const TimestampFormat& format, std::size_t sorted_by);
float draw_table(const TablePicture& picture, PicturePen& pen, PicturePoint at, float width_px,
                 float most_height_px);

}  // namespace cinderscope
