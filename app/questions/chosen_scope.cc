#include "app/questions/chosen_scope.h"

#include "ingest/model/slice_set.h"

namespace cinderscope {
namespace {

TrackId selected_track(const TimelineState& state) {
  return state.selected ? state.selected.track : state.selected_instant.track;
}

}  // namespace

Status ChosenScope::choose(std::string_view word, const TimelineState& state) {
  const std::optional<ScopeChoice> choice = scope_choice(word);
  if (!choice && !word.empty()) {
    return refused("What is measured is the trace, the thread, the range or what is connected.");
  }
  if (choice == ScopeChoice::range && !state.range) return refused("No range is selected.");
  if (choice == ScopeChoice::thread && !has_thread(state)) {
    return refused("No call or thread is selected, so there is no thread to measure.");
  }
  if (choice == ScopeChoice::connected) {
    if (!has_call(state)) {
      return refused("No call is selected, so there is nothing that is connected with it.");
    }
    if (state.selected) connected_with_ = state.selected;
  }
  chosen_ = choice;
  return ok();
}

std::size_t ChosenScope::thread_count(const TimelineState& state) const {
  if (!state.selected_tracks.empty()) return state.selected_tracks.size();
  return selected_track(state) != kNoTrack || last_track_ != kNoTrack ? 1 : 0;
}

bool ChosenScope::measures_kinds(const TimelineState& state) const {
  const ScopeChoice choice = this->choice(state);
  return choice != ScopeChoice::thread && choice != ScopeChoice::connected;
}

bool ChosenScope::has_call(const TimelineState& state) const {
  return state.selected || connected_with_;
}

ScopesThere ChosenScope::there(const Timeline& timeline, const TimelineState& state) const {
  return {.range = state.range.has_value(),
          .thread = has_thread(state),
          .call = has_call(state),
          .flows = !timeline.flows->by_slice.empty(),
          .threads = thread_count(state)};
}

ScopeChoice ChosenScope::choice(const TimelineState& state) const {
  const ScopeChoice choice =
      chosen_.value_or(state.range ? ScopeChoice::range : ScopeChoice::trace);
  if (choice == ScopeChoice::thread && has_thread(state)) return choice;
  if (choice == ScopeChoice::range && state.range) return choice;
  if (choice == ScopeChoice::connected && connected_with_) return choice;
  return ScopeChoice::trace;
}

Scope ChosenScope::scope(const Timeline& timeline, const TimelineState& state) {
  const ScopeChoice choice = this->choice(state);
  Scope scope = choice == ScopeChoice::trace ? Scope{} : scope_of_range(state.range);
  if (choice == ScopeChoice::thread) {
    scope.tracks = selected_threads(state);
    if (selected_track(state) != kNoTrack) last_track_ = selected_track(state);
    if (scope.tracks.empty()) scope.tracks = {last_track_};
  }
  if (choice == ScopeChoice::connected) scope = connected_scope(connected_with_, scope);
  scope.slices = slices_ ? *slices_ : slices_worth_measuring(timeline, scope);
  return scope;
}

Status ChosenScope::choose_slices(std::string_view word) {
  const std::optional<SlicesOf> slices = slices_of_word(word);
  if (!slices && !word.empty()) return refused("What is measured is calls, samples or both.");
  slices_ = slices;
  return ok();
}

void ChosenScope::note_timeline(std::uint64_t generation) {
  if (generation_ != generation) {
    last_track_ = kNoTrack;
    connected_with_ = {};
  }
  generation_ = generation;
}

Scope connected_scope(const SliceRef& with, Scope of) {
  of.set = kConnectedSet;
  of.connected_with = with;
  return of;
}

std::string connected_name(const Timeline& timeline, const Scope& scope) {
  const SliceRef& with = scope.connected_with;
  if (block_of(timeline, with) == nullptr) return "the call";
  return std::string(display_label(timeline, slice_at(timeline, with).name));
}

std::vector<TrackId> selected_threads(const TimelineState& state) {
  std::vector<TrackId> tracks;
  for (const std::uint32_t track : state.selected_tracks) tracks.push_back(TrackId(track));
  return tracks;
}

Scope scope_of_range(const std::optional<TimeRange>& range) {
  return range ? Scope{range->begin_ns, range->end_ns} : Scope{};
}

}  // namespace cinderscope
