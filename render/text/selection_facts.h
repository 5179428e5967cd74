// The facts about the selected slice, instant or counter, as texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/format/trace_source.h"
#include "render/base/timeline_state.h"
#include "render/layout/nested_instants.h"
#include "render/text/counter_facts.h"

namespace cinderscope {

struct Fact {
  std::string key, value;
  bool is_sentence = false;  // words to be read to their end, wrapped where they have to
};

// A call around the selected one.
struct ParentCall {
  SliceRef slice;
  std::string name;  // its label
  std::int64_t duration_ns = 0;
};

// A step of a flow, from the selected slice's point of view.
struct FlowStep {
  std::uint32_t flow = 0;  // into Flows::flows
  bool leads_here = false;
  SliceRef slice;                // at the other end
  std::int64_t distance_ns = 0;  // from here to there; negative: it lies before
};

// Made once for each selection. Holds copies, so it outlives a replaced timeline.
struct SelectionFacts {
  enum class Kind : std::uint8_t { none, slice, instant, counter, evicted };
  Kind kind = Kind::none;
  std::string name;  // its label, or "(no name)"
  StringId name_id = kEmptyString;
  std::uint32_t name_hash = 0;  // picks its colour
  std::vector<Fact> facts;
  RecordText record;                         // empty while there is no source
  std::vector<ParentCall> parents;           // innermost first, at most kMaxParents
  std::uint32_t depth = 0;                   // of a slice; 1 is outermost
  NestedInstants instants;                   // of a slice: the instants right inside it
  std::vector<FlowStep> flows;               // those that lead here first, each group by time
  std::uint64_t inner_flow_points = 0;       // of slices inside it
  TrackKind track_kind = TrackKind::thread;  // of what is selected
  CounterFacts counter;                      // of a counter
  std::uint64_t more_parents = 0;

  static constexpr std::size_t kMaxParents = 100;
};

// "CrRendererMain 19064": a thread or another track, as the facts name it.
std::string place_label(const Timeline& timeline, TrackId track);
// "12.50 µs later".
std::string distance_text(const FlowStep& end, TimeAxis axis);
// What leads from the selection to its parents: "Called by", or "Of" for what is no call.
std::string_view callers_word(const SelectionFacts& facts);

// `source` may be null. UI thread; reads the input.
SelectionFacts selection_facts(const Timeline& timeline, const TimelineState& state,
                               const TraceSource* source);
// Of a selected counter, with sums that are kept from one view to the next.
SelectionFacts counter_selection(const Timeline& timeline, const TimelineState& state,
                                 CounterFactsMaker& maker, std::uint64_t version);

}  // namespace cinderscope
