// What is known of the selected slice or instant, as words and numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/format/format.h"
#include "render/base/timeline_state.h"
#include "render/layout/mark_list.h"

namespace cinderscope {

struct Fact {
  std::string key, value;
};

// One of the calls around the selected one.
struct ParentCall {
  SliceRef slice;
  std::string name;  // its label
  std::int64_t duration_ns = 0;
};

// Made once for a selection; copies all that it tells, so it outlives a replaced timeline.
struct SelectionFacts {
  enum class Kind : std::uint8_t { none, slice, instant, evicted };
  Kind kind = Kind::none;
  std::string name;  // its label, or "(no name)"
  StringId name_id = kEmptyString;
  std::uint32_t name_hash = 0;  // picks its colour
  std::vector<Fact> facts;
  RecordText record;                // empty while there is no source
  std::vector<ParentCall> parents;  // innermost first, at most kMaxParents
  MarkList marks;                   // of a slice, right inside it
  std::uint64_t more_parents = 0;
  bool more_is_exact = true;  // false: `more_parents` are at most so many

  static constexpr std::size_t kMaxParents = 100;
};

// `source` may be null. UI thread; reads the input.
SelectionFacts selection_facts(const Timeline& timeline, const TimelineState& state,
                               const TraceSource* source);

}  // namespace cinderscope
