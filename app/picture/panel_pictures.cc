#include "app/picture/panel_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "ingest/base/saturating.h"
#include "ingest/model/measure/sample_runs.h"
#include "ingest/totals/slice_statistics.h"
#include "render/layout/track_list.h"
#include "render/pictures/panel_picture.h"
#include "render/tables/statistics_table.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr const char* kNothing = "Nothing lies in this range";

// Lengths that a profile gives are what it measured; other events are easier to read as calls.
CallWeight usual_weight(const Timeline& timeline) {
  const bool counted = timeline.axis == TimeAxis::events && timeline.weights.empty();
  return counted ? CallWeight::calls : CallWeight::time;
}

std::string measured_text(const Timeline& timeline, const Scope& scope) {
  std::string text;
  if (const TrackId only = scope.only_track(); index(only) < timeline.tracks.size()) {
    text = track_label(timeline, timeline.tracks[index(only)]);
  } else if (scope.tracks.size() > 1) {
    text = count_text(scope.tracks.size()) + " threads";
  }
  if (scope.has_range()) {
    const std::int64_t from = std::max(scope.begin_ns, timeline.begin_ns);
    const std::int64_t to = std::min(scope.end_ns, timeline.end_ns);
    if (!text.empty()) text += ", ";
    text += duration_text(saturating_difference(to, from), timeline.axis);
  }
  return text;
}

std::uint32_t node_at(const AggregatedCallTree& tree, const Timeline& timeline,
                      const std::vector<std::string>& path) {
  std::uint32_t node = 0;
  for (const std::string& name : path) {
    const auto callees = tree.callees_of(node);
    const auto found = std::ranges::find_if(callees, [&](std::uint32_t callee) {
      return timeline.text(tree.nodes[callee].name) == name ||
             display_label(timeline, tree.nodes[callee].name) == name;
    });
    if (found == callees.end()) return UINT32_MAX;
    node = *found;
  }
  return node;
}

Result<DrawList> draw_flame(const Timeline& timeline, const PictureOptions& options,
                            const Scope& scope, const PictureSheet& sheet, unsigned jobs) {
  const std::atomic<bool> cancelled{false};
  AggregatedCallTree tree =
      aggregate_calls(*slice_set_of(timeline), scope, cancelled, kMaxCallTreeNodes, jobs);
  if (tree.empty()) return refused(kNothing);
  FunctionTotals function;
  const CallTreeNode all = tree.nodes.front();
  std::string head = "Callees";
  using Way = PictureOptions::Way;
  const Way way = options.way.value_or(Way::callees);
  if (way == Way::callers) {
    tree = reversed(tree, cancelled);
    head = "Callers";
  } else if (way == Way::function) {
    const auto name = timeline.strings->find(options.name);
    if (name) function = function_totals(tree, *name, cancelled);
    if (!name || function.callees.nodes.empty() || function.callees.nodes.front().count == 0) {
      return refused(fmt::format("No call is named \"{}\"", options.name));
    }
    head = "Function " + options.name;
  }
  const bool of_function = way == Way::function;
  const AggregatedCallTree& shown = of_function ? function.callees : tree;
  const std::uint32_t zoomed = node_at(shown, timeline, options.zoom);
  if (zoomed == UINT32_MAX) return refused("No such chain of calls is there to zoom to");
  const std::string measured = measured_text(timeline, scope);
  if (!measured.empty()) head += "   ·   " + measured;
  head += fmt::format("   ·   {} calls, {}", count_text(all.count),
                      length_text(all.total_ns, timeline.axis));
  const FlamePicture picture{
      .timeline = timeline,
      .tree = shown,
      .function = of_function ? &function : nullptr,
      .head = std::move(head),
      .zoomed = zoomed,
      .weight = options.weight.value_or(usual_weight(timeline)),
      .titles = options.style.titles && options.style.format == PictureFormat::svg,
      .most_boxes = options.style.box_limit()};
  return draw_sheet(sheet, TextMeasure(built_in_fonts()),
                    [&](PicturePen& pen, PicturePoint at, float width, float most) {
                      return Result<float>(draw_flame_graph(picture, pen, at, width, most));
                    });
}

Result<DrawList> draw_durations(const Timeline& timeline, const PictureOptions& options,
                                const Scope& scope, const PictureSheet& sheet) {
  const auto name = timeline.strings->find(options.name);
  DurationHistogram durations;
  if (name) {
    const std::atomic<bool> cancelled{false};
    durations = duration_histogram(*slice_set_of(timeline), *name, scope, cancelled, {});
  }
  if (durations.count == 0) return refused(fmt::format("No call is named \"{}\"", options.name));
  const HistogramPicture picture{.timeline = timeline,
                                 .durations = durations,
                                 .linear = options.linear,
                                 .titles = options.style.titles};
  return draw_sheet(sheet, TextMeasure(built_in_fonts()),
                    [&](PicturePen& pen, PicturePoint at, float width, float most) {
                      return Result<float>(draw_histogram(picture, pen, at, width, most));
                    });
}

Result<DrawList> draw_statistics(const Timeline& timeline, const PictureOptions& options,
                                 const Scope& scope, const PictureSheet& sheet, unsigned jobs) {
  const SliceStatistics statistics =
      slice_statistics(*slice_set_of(timeline), {.scope = scope}, jobs);
  if (statistics.call_count == 0) return refused(kNothing);
  const auto table = statistics_table(statistics, timeline.strings, counts_runs(timeline));
  const std::size_t column = statistics_column(options.sort).value_or(0);
  const bool is_text = table->columns[column].head.kind == CellKind::text;
  std::vector<std::uint32_t> rows =
      rows_in_order(*table, {.column = column, .descending = !is_text}, {});
  if (options.names != 0 && rows.size() > options.names) rows.resize(options.names);
  if (rows.size() > options.style.box_limit()) rows.resize(options.style.box_limit());
  const TablePicture picture =
      picture_of(*table, std::move(rows), timestamp_format(timeline, {}), column);
  return draw_sheet(sheet, TextMeasure(built_in_fonts()),
                    [&](PicturePen& pen, PicturePoint at, float width, float most) {
                      return Result<float>(draw_table(picture, pen, at, width, most));
                    });
}

}  // namespace

Result<DrawList> draw_panel_picture(const Timeline& timeline, const PictureOptions& options,
                                    Scope scope, unsigned jobs) {
  scope.slices = options.slices ? *options.slices : slices_worth_measuring(timeline, scope);
  PictureSheet sheet = sheet_of(options.style);
  if (options.style.legend) sheet.legend = legend_of(timeline, scope, jobs);
  switch (options.of) {
    case PictureOf::flame_graph:
      return draw_flame(timeline, options, scope, sheet, jobs);
    case PictureOf::histogram:
      return draw_durations(timeline, options, scope, sheet);
    default:
      return draw_statistics(timeline, options, scope, sheet, jobs);
  }
}

}  // namespace cinderscope
