// What a session takes from its loader, or from the session that it is a view of, and added tracks.
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/session/session.h"
#include "app/session/timeline_swap.h"

namespace cinderscope {

namespace {

constexpr std::string_view kAddedTitle = "SQL";

bool is_added(const Timeline& timeline, TrackId track) {
  if (index(track) >= timeline.tracks.size()) return true;
  const std::uint32_t process = index(timeline.tracks[index(track)].process);
  return process < timeline.processes.size() && timeline.processes[process].added;
}

bool has_added(const Timeline& timeline) {
  return !timeline.processes.empty() && timeline.processes.back().added;
}

}  // namespace

bool Session::follow() {
  renaming_ = of_->renaming_;
  reads_on_ = of_->reads_on_;
  started_ms_ = of_->started_ms_;
  disk_change_ = of_->disk_change_;
  path_ = of_->path_;
  title_ = of_->title_;
  if (followed_version_ == of_->version_ && phase_ == of_->phase_) return false;
  phase_ = of_->phase_;
  error_ = of_->error_;
  opened_ = of_->opened_;
  load_seconds_ = of_->load_seconds_;
  prepared_ = of_->prepared_;
  const bool replaced = generation_ != of_->generation_;
  Timeline timeline = of_->timeline_;
  if (of_->has_timeline_) add_tracks(timeline, std::string(kAddedTitle), added_);
  if (replaced && has_timeline_) state_ = carried_over(state_, timeline_, timeline);
  if (!replaced && (has_added(timeline_) || has_added(timeline))) {
    show_with_tracks(std::move(timeline));
  } else {
    timeline_ = std::move(timeline);
  }
  has_timeline_ = of_->has_timeline_;
  generation_ = of_->generation_;
  followed_version_ = of_->version_;
  ++version_;
  if (replaced && follows_load_) state_.view = fitted(limits(), state_.view.width_px);
  if (replaced) state_.view = clamped(state_.view, limits());
  return true;
}

void Session::take_renamed(RenameDone done) {
  const bool is_last = done.names == options_.load.names;
  if (is_last) renaming_ = false;
  if (!done.timeline) {
    rename_result_ = Status(done.timeline.error());
    if (is_last) options_.load.names = shown_names_;  // with the others a reload would fail
    return;
  }
  rename_result_ = ok();
  shown_names_ = std::move(done.names);
  totals_.reset();
  // Tracks and slices have not moved, so the view and the selection stay.
  children_.take_renamed(timeline_, *done.timeline);
  queue_->discard(std::exchange(timeline_, std::move(*done.timeline)), nullptr);
  ++generation_;
  ++version_;
}

bool Session::poll() {
  if (of_ != nullptr) return follow();
  if (queue_ == nullptr) return false;
  std::erase_if(ending_, [](const auto& queue) { return queue->idle(); });
  std::vector<LoadEvent> events = queue_->take();
  for (LoadEvent& event : events) take(std::move(event));
  // Somebody wanted to read a record, and it was not there any more.
  const bool met_other = source() != nullptr && source()->met_other_file() && !disk_change_;
  if (met_other) queue_->look_at_files();
  return !events.empty();
}

void Session::take(LoadEvent event) {
  std::visit(
      [this](auto& what) {
        using T = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<T, SourceOpened>) {
          queue_->discard({}, std::exchange(opened_, std::move(what.opened)).source);
        } else if constexpr (std::is_same_v<T, SnapshotReady>) {
          // A reload keeps showing the whole old trace until the whole new one is there.
          if (!has_timeline_ || !timeline_.complete) take_timeline(std::move(what.timeline));
        } else if constexpr (std::is_same_v<T, TraceLoaded>) {
          phase_ = SessionPhase::ready;
          load_seconds_ = what.seconds;
          prepared_ = what.prepared;
          disk_change_ = {};
          take_timeline(std::move(what.timeline));
          totals_ = std::move(what.totals);
          if (shown_names_ != options_.load.names) rename(options_.load.names);
        } else if constexpr (std::is_same_v<T, LoadFailed>) {
          error_ = std::move(what.error);
          const bool keeps_picture = has_timeline_ && error_.code == ErrorCode::cancelled;
          phase_ = keeps_picture ? SessionPhase::stopped : SessionPhase::failed;
          const bool is_short =
              error_.code == ErrorCode::too_large || error_.code == ErrorCode::no_memory;
          if (is_short && has_timeline_) {  // what cannot be shown whole is to free its memory
            take_timeline({});
            has_timeline_ = false;
          }
        } else if constexpr (std::is_same_v<T, ChildrenReady>) {
          if (what.children) timeline_.diagnostics.merge(what.children->diagnostics);
          totals_.reset();
          children_.insert(timeline_, what.key, std::move(what.children));
          ++version_;
        } else if constexpr (std::is_same_v<T, FilesChanged>) {
          disk_change_ = std::move(what.change);
        } else if constexpr (std::is_same_v<T, RenameDone>) {
          take_renamed(std::move(what));
        }
      },
      event);
}

void Session::set_added_tracks(std::vector<AddedTrack> tracks) {
  if (of_ != nullptr) follow();
  added_ = std::move(tracks);
  if (!has_timeline_) return;
  Timeline with = of_ != nullptr ? of_->timeline_ : timeline_;
  if (of_ == nullptr) remove_added_tracks(with);
  add_tracks(with, std::string(kAddedTitle), added_);
  show_with_tracks(std::move(with));
  ++version_;
}

// Tracks of the trace keep their numbers; what stood on added ones is looked up anew.
void Session::show_with_tracks(Timeline with) {
  TimelineState state = carried_over(state_, timeline_, with);
  if (!is_added(timeline_, state_.selected.track)) state.selected = state_.selected;
  if (!is_added(timeline_, state_.selected_instant.track)) {
    state.selected_instant = state_.selected_instant;
  }
  state.hovered = {};
  state_ = std::move(state);
  timeline_ = std::move(with);
}

void Session::take_timeline(Timeline timeline) {
  add_tracks(timeline, std::string(kAddedTitle), added_);
  const bool weighed_anew = has_timeline_ && is_weighed_anew(timeline_, timeline);
  if (has_timeline_) state_ = carried_over(state_, timeline_, timeline);
  children_.clear();
  totals_.reset();
  queue_->discard(std::exchange(timeline_, std::move(timeline)), nullptr);
  has_timeline_ = true;
  ++generation_;
  ++version_;
  if (follows_load_ || weighed_anew) state_.view = fitted(limits(), state_.view.width_px);
  if (weighed_anew) state_.range.reset();
  state_.view = clamped(state_.view, limits());
}

}  // namespace cinderscope
