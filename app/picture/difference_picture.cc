#include "app/picture/difference_picture.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <utility>

#include "app/compare/side_loader.h"
#include "app/compare/side_text.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/compare/compared_tree.h"
#include "ingest/compare/comparison.h"
#include "ingest/os/file.h"
#include "render/pictures/compared_picture.h"
#include "render/pictures/panel_picture.h"
#include "render/tables/compared_table.h"

namespace cinderscope {
namespace {

bool exists(const std::string& path) {
  return path == "-" || file_status(path_of(path)).has_value();
}

// What a side is called: its file's name.
std::string name_of(const std::string& path) {
  std::filesystem::path of = path_of(path);
  if (!of.has_filename()) of = of.parent_path();
  return utf8_of(of.filename());
}

Status add_sides(SideLoader& loader, const SidesToCompare& sides, const PictureOptions& options,
                 std::vector<std::string>& names) {
  for (const Side side : {side_a, side_b}) {
    const SideText& text = sides.texts[side];
    ComparedPart part = text.part;
    if (!part.from && !part.to) {
      part.from = options.from;
      part.to = options.to;
    }
    if (part.threads.empty()) part.threads = options.threads;
    if (!part.slices) part.slices = options.slices;
    for (std::size_t i = 0; i < text.paths.size(); ++i) {
      const auto left_out =
          i < sides.left_out[side].size() ? sides.left_out[side][i] : std::vector<std::size_t>();
      if (Status added = loader.add(side, text.paths[i], part, left_out); !added) {
        return added;
      }
    }
    if (loader.runs()[side].runs.empty()) {
      const auto& left_out = loader.runs()[side].left_out;
      return refused(left_out.empty() ? "There is no trace on a side." : left_out.front().error);
    }
    names.push_back(name_of(text.paths.front()));
  }
  return ok();
}

std::string metadata_of(const std::vector<std::string>& names, bool with_names, TimeAxis axis) {
  JsonWriter json;
  json.begin_object().field("cinderscope", 1).field("of", "difference");
  if (with_names) json.field("trace", names[0]).field("other", names[1]);
  json.field("axis", axis == TimeAxis::nanoseconds ? "ns" : "events").end_object();
  return json.str();
}

}  // namespace

Result<SidesToCompare> sides_given(const std::vector<std::string>& sides) {
  SidesToCompare given;
  for (const Side side : {side_a, side_b}) {
    Result<SideText> text = parse_side(sides[side == side_a ? 0 : 1], exists);
    if (!text) return text.error();
    given.texts[side] = std::move(*text);
  }
  return given;
}

namespace {

// The first columns of the window's table, its first rows.
Result<DrawList> draw_names(const ComparedSides& sides, const Comparison& comparison,
                            const PictureOptions& options) {
  const ComparedOrder order;
  Result<std::vector<std::uint32_t>> rows = compared_rows(sides, comparison, order);
  if (!rows) return rows.error();
  if (rows->empty()) return refused("Nothing differs");
  if (options.names != 0 && rows->size() > options.names) rows->resize(options.names);
  if (rows->size() > options.style.box_limit()) rows->resize(options.style.box_limit());
  TablePicture picture;
  std::vector<ComparedField> fields;
  for (std::size_t i = 0; i < kUsualFields; ++i) {
    const auto field = static_cast<ComparedField>(i);
    if (field == ComparedField::interval && comparison.tested == Tested::none) continue;
    fields.push_back(field);
    picture.columns.push_back({.title = compared_column(field, comparison).title,
                               .is_text = field == ComparedField::name,
                               .sorted = field == order.field});
  }
  picture.row_count = rows->size();
  picture.text = [&](std::size_t row, std::size_t column) {
    return compared_cell(sides, comparison, comparison.rows[(*rows)[row]], fields[column]);
  };
  return draw_sheet(sheet_of(options.style), TextMeasure(built_in_fonts()),
                    [&](PicturePen& pen, PicturePoint at, float width, float most) {
                      return Result<float>(draw_table(picture, pen, at, width, most));
                    });
}

Result<DrawList> draw_tree(const SideLoader& loader, const ComparedSides& compared,
                           const Comparison& comparison, CallWeight weight, const std::string& head,
                           const PictureOptions& options) {
  const std::atomic<bool> cancelled{false};
  const ComparedTree tree = merged_trees(*loader.tree(side_a), *loader.tree(side_b),
                                         {static_cast<double>(compared.run_count(side_a)),
                                          static_cast<double>(compared.run_count(side_b))},
                                         compared.names, cancelled);
  if (tree.nodes.size() < 2) return refused("Nothing lies in this range");
  const ComparedPicture picture{
      .tree = tree,
      .labels = compared.labels,
      .axis = compared.axis(),
      .weight = weight,
      .min = comparison.whole_numbers() ? comparison.min.value : 0,
      .head = head,
      .titles = options.style.titles && options.style.format == PictureFormat::svg,
      .most_boxes = options.style.box_limit()};
  return draw_sheet(sheet_of(options.style), TextMeasure(built_in_fonts()),
                    [&](PicturePen& pen, PicturePoint at, float width, float most) {
                      return Result<float>(draw_compared_flame(picture, pen, at, width, most));
                    });
}

}  // namespace

Result<DrawList> draw_difference(const SidesToCompare& sides, const PictureOptions& options,
                                 const LoadOptions& load) {
  SideLoader loader(
      {.load = load, .rules = sides.rules, .with_trees = !options.as_table, .with_spans = false});
  std::vector<std::string> names;
  if (const Status added = add_sides(loader, sides, options, names); !added) return added.error();
  const Result<ComparedSides> compared = loader.compare();
  if (!compared) return compared.error();
  loader.drop_slices();
  const bool has_trees = loader.tree(side_a) != nullptr && loader.tree(side_b) != nullptr;
  if (!options.as_table && !has_trees) {
    return refused("A saved side has numbers only: --table draws these.");
  }
  ComparisonOptions numbers;
  const bool by_calls = options.weight == CallWeight::calls || compared->counts_calls(load.weight);
  const CallWeight weight =
      by_calls || compared->axes_differ() ? CallWeight::calls : CallWeight::time;
  numbers.measure = weight == CallWeight::calls ? Measure::count : Measure::self;
  const Result<Comparison> comparison = compare_sides(*compared, numbers);
  if (!comparison) return comparison.error();
  const std::string head =
      options.with_name ? fmt::format("A {}   ·   B {}", names[0], names[1]) : "A and B";
  Result<DrawList> list = options.as_table
                              ? draw_names(*compared, *comparison, options)
                              : draw_tree(loader, *compared, *comparison, weight, head, options);
  if (list) list->metadata = metadata_of(names, options.with_name, compared->axis());
  return list;
}

}  // namespace cinderscope
