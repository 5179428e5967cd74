// Which part of the trace Statistics and the flame graph measure: one per tab, shared by both. No
// ImGui.
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/model/slice_set.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

enum class MeasuredPart : std::uint8_t { trace, thread, range };

struct MeasureScope {
  // What the user chose with the command `scope`; until then the range where there is one, else the
  // whole trace.
  std::optional<MeasuredPart> chosen;
  bool whole_calls = false;  // calls at the edges of the range count with all of their time
  // The thread that was measured last: goes on to be while nothing is selected.
  TrackId last_track = kNoTrack;
  std::uint64_t generation = 0;  // of the timeline that this track is of
};

// Tracks have other numbers in another timeline; a selection is found again there.
inline void note_timeline(MeasureScope& scope, std::uint64_t generation) {
  if (scope.generation != generation) scope.last_track = kNoTrack;
  scope.generation = generation;
}

inline TrackId selected_track(const TimelineState& state) {
  return state.selected ? state.selected.track : state.selected_instant.track;
}

// What is measured now. A thread or a range that is not there is the whole trace.
inline MeasuredPart measured_part(const MeasureScope& scope, const TimelineState& state) {
  const bool has_track = selected_track(state) != kNoTrack || scope.last_track != kNoTrack;
  const MeasuredPart part =
      scope.chosen.value_or(state.range ? MeasuredPart::range : MeasuredPart::trace);
  if (part == MeasuredPart::thread && has_track) return part;
  if (part == MeasuredPart::range && state.range) return part;
  return MeasuredPart::trace;
}

// The same for a question. A thread is that of the selection, and only its part within the selected
// range where there is one. Notes the thread in `scope`.
inline SliceScope measured_scope(MeasureScope& scope, const TimelineState& state) {
  SliceScope measured;
  const MeasuredPart part = measured_part(scope, state);
  if (part == MeasuredPart::trace) return measured;
  if (state.range) {
    measured.begin_ns = state.range->begin_ns;
    measured.end_ns = state.range->end_ns;
  }
  if (part == MeasuredPart::range) return measured;
  if (selected_track(state) != kNoTrack) scope.last_track = selected_track(state);
  measured.track = scope.last_track;
  return measured;
}

}  // namespace cinderscope
