// The scope that Statistics and the flame graph of a tab measure, as it is chosen in the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/scope.h"
#include "ingest/model/timeline.h"
#include "render/base/scope_choice.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

class ChosenScope {
 public:
  // A word of the command `scope`; empty: the range if one is selected, else the trace. An Error
  // says what has to be selected first.
  Status choose(std::string_view word, const TimelineState& state);
  // What is measured now. A thread or range that is not there gives the whole trace.
  ScopeChoice choice(const TimelineState& state) const;
  // The threads are those selected in the gutter, else that of the selected call, or the last one
  // while nothing is selected; of them only the part in the selected range is measured if there is
  // one.
  Scope scope(const Timeline& timeline, const TimelineState& state);
  // What is connected is that with the call that was selected when it was chosen; chosen again it
  // is another. Of it, too, only the part in the selected range is measured.
  // A word of the command `slices`: what is measured of the scope. Empty: calls, or samples where
  // the scope has no calls.
  Status choose_slices(std::string_view word);
  std::string slices_word() const { return slices_ ? std::string(word_of(*slices_)) : ""; }
  // The choice between calls and samples makes a difference: threads and sets say themselves what
  // is in them.
  bool measures_kinds(const TimelineState& state) const;
  std::size_t thread_count(const TimelineState& state) const;
  bool has_thread(const TimelineState& state) const { return thread_count(state) > 0; }
  bool has_call(const TimelineState& state) const;
  ScopesThere there(const Timeline& timeline, const TimelineState& state) const;
  // Forgets the last thread and call in another timeline, where tracks have other numbers.
  void note_timeline(std::uint64_t generation);

  bool whole_calls = false;  // calls at the edges of the range count with all of their time

 private:
  std::optional<ScopeChoice> chosen_;
  std::optional<SlicesOf> slices_;
  TrackId last_track_ = kNoTrack;
  SliceRef connected_with_;
  std::uint64_t generation_ = 0;
};

// What flows connect with a slice, within the range and threads of `of`.
Scope connected_scope(const SliceRef& with, Scope of = {});
// The label of the slice that the scope is connected with.
std::string connected_name(const Timeline& timeline, const Scope& scope);

// The threads selected in the gutter, ascending; empty: none is.
std::vector<TrackId> selected_threads(const TimelineState& state);

// The whole trace if there is no range.
Scope scope_of_range(const std::optional<TimeRange>& range);

}  // namespace cinderscope
