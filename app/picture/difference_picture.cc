#include "app/picture/difference_picture.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>

#include "app/compare/side_loader.h"
#include "app/compare/side_text.h"
#include "ingest/base/json_writer.h"
#include "ingest/compare/compared_tree.h"
#include "ingest/compare/comparison.h"
#include "ingest/os/file.h"
#include "render/pictures/compared_picture.h"

namespace cinderscope {
namespace {

bool exists(const std::string& path) {
  return path == "-" || file_status(path).has_value();
}

// What a side is called: its file's name.
std::string name_of(const std::string& path) {
  std::filesystem::path of(path);
  if (!of.has_filename()) of = of.parent_path();
  return of.filename().string();
}

Status add_sides(SideLoader& loader, const std::vector<std::string>& sides,
                 const PictureOptions& options, std::vector<std::string>& names) {
  for (const Side side : {side_a, side_b}) {
    const Result<SideText> text = parse_side(sides[side == side_a ? 0 : 1], exists);
    if (!text) return text.error();
    ComparedPart part = text->part;
    if (!part.from && !part.to) {
      part.from = options.from;
      part.to = options.to;
    }
    if (part.threads.empty()) part.threads = options.threads;
    if (!part.slices) part.slices = options.slices;
    for (const std::string& path : text->paths) {
      if (const Status added = loader.add(side, path, part); !added) return added;
    }
    if (loader.runs()[side].runs.empty()) {
      const auto& left_out = loader.runs()[side].left_out;
      return refused(left_out.empty() ? "There is no trace on a side." : left_out.front().error);
    }
    names.push_back(name_of(text->paths.front()));
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

Result<DrawList> draw_difference(const std::vector<std::string>& sides,
                                 const PictureOptions& options, const LoadOptions& load) {
  SideLoader loader({.load = load, .rules = {}, .with_trees = true, .with_spans = false});
  std::vector<std::string> names;
  if (const Status added = add_sides(loader, sides, options, names); !added) return added.error();
  const Result<ComparedSides> compared = loader.compare();
  if (!compared) return compared.error();
  loader.drop_slices();
  if (loader.tree(side_a) == nullptr || loader.tree(side_b) == nullptr) {
    return refused("A saved side has numbers only: its calls cannot be drawn.");
  }
  ComparisonOptions numbers;
  const CallWeight weight = compared->axes_differ() ? CallWeight::calls : options.weight;
  numbers.measure = weight == CallWeight::calls ? Measure::count : Measure::self;
  const Result<Comparison> comparison = compare_sides(*compared, numbers);
  if (!comparison) return comparison.error();
  const std::atomic<bool> cancelled{false};
  const ComparedTree tree = merged_trees(*loader.tree(side_a), *loader.tree(side_b),
                                         {static_cast<double>(compared->run_count(side_a)),
                                          static_cast<double>(compared->run_count(side_b))},
                                         compared->names, cancelled);
  if (tree.nodes.size() < 2) return refused("Nothing lies in this range");
  const ComparedPicture picture{
      .tree = tree,
      .labels = compared->labels,
      .axis = compared->axis(),
      .weight = weight,
      .min = comparison->whole_numbers() ? comparison->min.value : 0,
      .head = options.with_name ? fmt::format("A {}   ·   B {}", names[0], names[1]) : "A and B",
      .titles = options.style.titles && options.style.format == PictureFormat::svg,
      .most_boxes = options.style.box_limit()};
  Result<DrawList> list =
      draw_sheet(sheet_of(options.style), TextMeasure(built_in_fonts()),
                 [&](PicturePen& pen, PicturePoint at, float width, float most) {
                   return Result<float>(draw_compared_flame(picture, pen, at, width, most));
                 });
  if (list) list->metadata = metadata_of(names, options.with_name, picture.axis);
  return list;
}

}  // namespace cinderscope
