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
};

// A call around the selected one.
struct ParentCall {
  SliceRef slice;
  std::string name;  // its label
  std::int64_t duration_ns = 0;
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
  NestedInstants instants;                   // of a slice: the instants right inside it
  TrackKind track_kind = TrackKind::thread;  // of what is selected
  CounterFacts counter;                      // of a counter
  std::uint64_t more_parents = 0;

  static constexpr std::size_t kMaxParents = 100;
};

// `source` may be null. UI thread; reads the input.
SelectionFacts selection_facts(const Timeline& timeline, const TimelineState& state,
                               const TraceSource* source);
// Of a selected counter, with sums that are kept from one view to the next.
SelectionFacts counter_selection(const Timeline& timeline, const TimelineState& state,
                                 CounterFactsMaker& maker, std::uint64_t version);

}  // namespace cinderscope
