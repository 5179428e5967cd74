#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "app/picture/panel_pictures.h"
#include "app/picture/picture_options.h"
#include "app/picture/session_state.h"
#include "ingest/model/slice_set.h"
#include "ingest/search/slice_search.h"
#include "ingest/totals/slice_statistics.h"
#include "render/pictures/timeline_picture.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"timeline", "flame-graph", "histogram",
                                                    "statistics"};

Result<SearchAnswer> found_in(const OpenedTrace& trace, const std::string& text, unsigned jobs) {
  Result<SearchQuery> query = parse_search(text);
  if (!query) return query.error();
  const SearchQuestion question{.slices = slice_set_of(trace.timeline),
                                .query = std::move(*query),
                                .scope = {.slices = SlicesOf::both},
                                .source = trace.source,
                                .jobs = jobs};
  const std::atomic<bool> cancelled{false};
  return search_slices(question, cancelled, {});
}

Result<DrawList> draw_timeline_of(const OpenedTrace& trace, const PictureOptions& options,
                                  const Scope& scope, unsigned jobs) {
  TimelineState state;
  if (options.shown != nullptr) show_as_saved(*options.shown, trace.timeline, state);
  state.view = picture_view(trace.timeline, scope.begin_ns, scope.end_ns);
  if (!scope.tracks.empty()) state.solo_tracks.clear();
  for (const TrackId track : scope.tracks) state.solo_tracks.insert(index(track));
  if (options.select) {
    const Result<WantedSlice> wanted =
        wanted_slice(trace.timeline, time_context(trace.timeline), *options.select);
    if (!wanted) return wanted.error();
    const Result<SliceRef> found = find_slice(*slice_set_of(trace.timeline), *wanted);
    if (!found) return found.error();
    state.selected = *found;
  }
  SearchAnswer answer;
  const std::string& search =
      options.search.empty() && options.shown != nullptr ? options.shown->search : options.search;
  if (!search.empty()) {
    Result<SearchAnswer> found = found_in(trace, search, jobs);
    if (!found) return found.error();
    answer = std::move(*found);
  }
  return draw_timeline_as(trace.timeline, state, answer.matches.get(), options, scope, jobs);
}

}  // namespace

std::string_view word_of(PictureOf of) {
  return kWords.at(static_cast<std::size_t>(of));
}

std::optional<PictureOf> picture_of(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords.at(i)) return static_cast<PictureOf>(i);
  }
  return std::nullopt;
}

Result<DrawList> draw_timeline_as(const Timeline& timeline, const TimelineState& state,
                                  const MatchSet* matches, const PictureOptions& options,
                                  const Scope& legend, unsigned jobs) {
  const bool titles = options.style.titles && options.style.format == PictureFormat::svg;
  const TimelinePicture picture{.timeline = timeline,
                                .state = state,
                                .matches = matches,
                                .gutter = options.gutter,
                                .overview = options.overview,
                                .rows = options.rows,
                                .depth = options.depth,
                                .titles = titles,
                                .most_boxes = options.style.box_limit(),
                                .jobs = jobs};
  PictureSheet sheet = sheet_of(options.style);
  if (options.style.legend) sheet.legend = legend_of(timeline, legend, jobs);
  return draw_sheet(sheet, TextMeasure(built_in_fonts()),
                    [&](PicturePen& pen, PicturePoint at, float width_px, float most_height_px) {
                      return draw_timeline(picture, pen, at, width_px, most_height_px);
                    });
}

std::vector<LegendName> legend_of(const Timeline& timeline, Scope scope, unsigned jobs) {
  constexpr std::size_t kNames = 20;
  scope.slices = slices_worth_measuring(timeline, scope);
  const SliceStatistics statistics =
      slice_statistics(*slice_set_of(timeline), {.scope = scope}, jobs);
  std::vector<LegendName> legend;
  for (const NameStatistics& name : statistics.names) {
    if (legend.size() == kNames) break;
    legend.push_back({std::string(display_label(timeline, name.name)),
                      duration_text(name.total_ns, timeline.axis),
                      timeline.strings->hash(name.name)});
  }
  return legend;
}

namespace {

// What is to be drawn or measured, where only the session says it.
void use_saved_scope(const SessionTab& shown, const Timeline& timeline,
                     const PictureOptions& options, Scope& scope) {
  const bool of_timeline = options.of == PictureOf::timeline;
  const Scope saved = saved_scope(shown, timeline);
  if (!options.from && !options.to) {
    const auto& range = of_timeline ? shown.view.view : shown.scope.range;
    if (range) scope.begin_ns = range->begin_ns;
    if (range) scope.end_ns = range->end_ns;
  }
  if (!of_timeline && options.threads.empty()) scope.tracks = saved.tracks;
}

PictureOptions with_saved_flame_graph(PictureOptions options) {
  const SavedFlameGraph& saved = options.shown->flame_graph;
  if (!options.weight)
    options.weight = saved.weight == "calls" ? CallWeight::calls : CallWeight::time;
  if (options.way) return options;
  using Way = PictureOptions::Way;
  options.way = saved.way == "callers"    ? Way::callers
                : saved.way == "function" ? Way::function
                                          : Way::callees;
  if (*options.way == Way::function) options.name = saved.function;
  return options;
}

}  // namespace

Result<DrawList> draw_picture(const OpenedTrace& trace, const PictureOptions& asked,
                              unsigned jobs) {
  const Timeline& timeline = trace.timeline;
  const PictureOptions options = asked.shown != nullptr && asked.of == PictureOf::flame_graph
                                     ? with_saved_flame_graph(asked)
                                     : asked;
  const Result<TypedRange> range = range_in(time_context(timeline), options.from, options.to);
  if (!range) return range.error();
  if (range->end_ns <= range->begin_ns) return refused("Nothing lies in this range");
  std::vector<TrackId> tracks;
  if (!options.threads.empty()) {
    Result<std::vector<TrackId>> meant = tracks_meant(timeline, options.threads);
    if (!meant) return meant.error();
    tracks = std::move(*meant);
  }
  Scope scope{.begin_ns = range->begin_ns, .end_ns = range->end_ns, .tracks = tracks};
  if (options.shown != nullptr) use_saved_scope(*options.shown, timeline, options, scope);
  Result<DrawList> list = options.of == PictureOf::timeline
                              ? draw_timeline_of(trace, options, scope, jobs)
                              : draw_panel_picture(timeline, options, scope, jobs);
  if (!list) return list;
  list->metadata = picture_metadata(word_of(options.of), options.with_name ? trace.path : "",
                                    timeline.axis, std::max(scope.begin_ns, timeline.begin_ns),
                                    std::min(scope.end_ns, timeline.end_ns));
  return list;
}

}  // namespace cinderscope
