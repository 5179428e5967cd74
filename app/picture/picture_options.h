// What a picture shows, as the command line says it, and what is drawn for that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/picture_file.h"
#include "app/session/open_trace.h"
#include "app/session_file/session_file.h"
#include "ingest/model/scope.h"
#include "ingest/model/typed_time.h"
#include "ingest/search/match_set.h"
#include "ingest/search/typed_slice.h"
#include "ingest/search/typed_thread.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

enum class PictureOf : std::uint8_t { timeline, flame_graph, histogram, statistics };
std::string_view word_of(PictureOf of);
std::optional<PictureOf> picture_of(std::string_view word);

struct PictureOptions {
  enum class Way : std::uint8_t { callees, callers, function };

  // What a session shows of the trace, as far as nothing else is said here; null: no session.
  std::shared_ptr<const SessionTab> shown;
  std::optional<TypedTime> from, to;
  std::vector<TypedThread> threads;
  // Of a timeline.
  std::optional<TypedSlice> select;
  std::string search;                 // all else is dimmed
  std::optional<std::uint64_t> rows;  // none: all
  // Of a flame graph.
  std::string name;               // of a function, and of a histogram
  std::vector<std::string> zoom;  // names from the outermost call on
  // Of statistics.
  std::string sort = "total";
  std::uint64_t names = 20;

  PictureStyle style;
  std::uint32_t depth = 200;         // of a timeline
  std::optional<Way> way;            // of a flame graph; none: callees
  std::optional<CallWeight> weight;  // none: time, and calls where these are counted by events
  std::optional<SlicesOf> slices;
  PictureOf of = PictureOf::timeline;
  bool with_name = true;                 // of the trace, in the file
  bool gutter = true, overview = false;  // of a timeline
  bool linear = false;                   // of a histogram
  bool as_table = false;                 // of a difference
};

// An Error: there is nothing to draw, or too much.
Result<DrawList> draw_picture(const OpenedTrace& trace, const PictureOptions& options,
                              unsigned jobs);

// -- pieces that the window shares

// A timeline in a state of the window, or as it is at first.
Result<DrawList> draw_timeline_as(const Timeline& timeline, const TimelineState& state,
                                  const MatchSet* matches, const PictureOptions& options,
                                  const Scope& legend, unsigned jobs);

// The twenty names with most time in a scope.
std::vector<LegendName> legend_of(const Timeline& timeline, Scope scope, unsigned jobs);

}  // namespace cinderscope
