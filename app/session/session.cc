#include "app/session/session.h"

#include <type_traits>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/session/timeline_swap.h"
#include "ingest/base/steady_clock.h"

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

Session::Session(std::string path, SourceOpener open, SessionOptions options)
    : path_(std::move(path)),
      title_(shown_file_name(path_)),
      open_(std::move(open)),
      options_(std::move(options)),
      children_(options_.child_budget_bytes) {
  options_.load.reads_on = true;
  if (options_.held) {
    phase_ = SessionPhase::held;
  } else {
    start(open_);
  }
}

Session::Session(Session& of)
    : path_(of.path_),
      title_(of.title_),
      options_(of.options_),
      children_(of.options_.child_budget_bytes),
      of_(&of) {
  follow();
}

Session::~Session() = default;

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

void Session::start(SourceOpener open) {
  phase_ = SessionPhase::loading;
  error_ = {};
  renaming_ = reads_on_ = false;
  shown_names_ = options_.load.names;
  started_ms_ = steady_now_ms();
  queue_ = std::make_unique<TraceLoader>(std::move(open), options_.load, options_.wake);
  queue_->watch_files(watches_files_);
}

void Session::begin() {
  if (of_ != nullptr) return of_->begin();
  if (held()) start(open_);
}

void Session::reload() {
  if (of_ != nullptr) return of_->reload();
  if (can_reload()) restart(open_);
}

bool Session::reading_on() const {
  constexpr double kSoonSeconds = 1;
  return loading() && reads_on_ && loading_seconds() < kSoonSeconds;
}

void Session::read_on() {
  if (of_ != nullptr) return of_->read_on();
  if (!can_reload()) return;
  if (phase_ != SessionPhase::ready) return reload();
  restart([old = opened_, open = open_](LoadContext& control) -> Result<OpenedSource> {
    std::shared_ptr<TraceSource> next = old.source->read_on();
    if (next == nullptr) return open(control);
    return OpenedSource{.source = std::move(next), .format = old.format};
  });
  reads_on_ = true;
}

void Session::restart(SourceOpener open) {
  if (queue_ != nullptr) {
    queue_->close();
    ending_.push_back(std::move(queue_));
  }
  follows_load_ = follows_load_ || !has_timeline_;
  start(std::move(open));
}

void Session::reload_with(LoadOptions load) {
  if (of_ != nullptr) return of_->reload_with(std::move(load));
  options_.load = std::move(load);
  if (!held()) reload();
}

void Session::replace(std::string path, std::string title, SourceOpener open) {
  path_ = std::move(path);
  title_ = std::move(title);
  open_ = std::move(open);
  reload();
}

bool Session::rename(SymbolOptions names) {
  if (of_ != nullptr) return of_->rename(std::move(names));
  options_.load.names = names;
  const TraceSource* opened = source();
  if (opened == nullptr || opened->symbols() == nullptr) return false;
  renaming_ = true;
  queue_->rename({timeline_, std::move(names)});
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

void Session::watch_files(bool watch) {
  if (watches_files_ == watch || of_ != nullptr) return;
  watches_files_ = watch;
  if (queue_ != nullptr) queue_->watch_files(watch);
}

void Session::cancel() {
  if (of_ != nullptr) return of_->cancel();
  if (loading()) queue_->cancel();
}

void Session::close() {
  has_timeline_ = false;
  if (queue_ == nullptr) return;
  queue_->discard(std::exchange(timeline_, {}), std::exchange(opened_, {}).source);
  queue_->close();
  for (const auto& queue : ending_) queue->close();
}

bool Session::idle() const {
  for (const auto& queue : ending_) {
    if (!queue->idle()) return false;
  }
  return queue_ == nullptr || queue_->idle();
}

std::shared_ptr<const SliceSet> Session::slices() const {
  const bool as_of = of_ != nullptr && of_->version_ == followed_version_ && added_.empty();
  if (as_of) return of_->slices();
  if (!timeline_.columns_checked) {
    return std::make_shared<const SliceSet>(
        SliceSet{.axis = timeline_.axis, .strings = timeline_.strings});
  }
  std::shared_ptr<const SliceSet> slices = slices_.lock();
  if (slices == nullptr || slices_version_ != version_) {
    slices_ = slices = slice_set_of(timeline_);
    slices_version_ = version_;
  }
  return slices;
}

std::shared_ptr<const PrecomputedTotals> Session::totals() const {
  // Added tracks come after those of the trace, and are counted anew.
  if (of_ != nullptr) return of_->generation_ == generation_ ? of_->totals() : nullptr;
  return totals_;
}

const TraceSource* Session::source() const {
  return phase_ == SessionPhase::ready ? opened_.source.get() : nullptr;
}

const MergedSource* Session::merged_source() const {
  return phase_ == SessionPhase::ready ? opened_.merged : nullptr;
}

bool Session::several_files() const {
  return opened_.merged != nullptr ||
         (opened_.source != nullptr && opened_.source->input().is_folder());
}

std::shared_ptr<const TraceSource> Session::shared_source() const {
  return phase_ == SessionPhase::ready ? opened_.source : nullptr;
}

std::shared_ptr<TraceSource> Session::source_to_write() const {
  if (of_ != nullptr) return of_->source_to_write();
  const bool is_whole =
      phase_ == SessionPhase::ready && options_.load.keep.is_all() && !has_calls_on_disk(timeline_);
  const bool is_same = !disk_change_ && opened_.source && !opened_.source->met_other_file();
  return is_whole && is_same && !renaming_ ? opened_.source : nullptr;
}

double Session::load_fraction() const {
  if (!loading()) return 1;
  if (of_ != nullptr) return of_->load_fraction();
  const std::uint64_t total = queue_->control().total_bytes();
  if (total == 0) return 0;
  return std::min(1.0,
                  static_cast<double>(queue_->control().done_bytes()) / static_cast<double>(total));
}

std::uint64_t Session::done_bytes() const {
  if (of_ != nullptr) return of_->done_bytes();
  return queue_ == nullptr ? 0 : queue_->control().done_bytes();
}

double Session::loading_seconds() const {
  return static_cast<double>(steady_now_ms() - started_ms_) / 1000.0;
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

bool Session::request_children(const SliceRef& parent, std::optional<TimeRange> range) {
  // A piece has thousands of calls: a narrower one shows no more than its parent does.
  constexpr double kShownPx = 16;
  const TimeRange shown{state_.view.begin_ns, state_.view.end_ns()};
  if (of_ != nullptr) {
    return of_->request_children(parent, range.value_or(shown),
                                 range ? 0 : kShownPx * state_.view.ns_per_px);
  }
  return request_children(parent, range.value_or(shown),
                          range ? 0 : kShownPx * state_.view.ns_per_px);
}

bool Session::request_children(const SliceRef& parent, TimeRange range, double shortest_ns) {
  if (phase_ != SessionPhase::ready) return false;
  const std::vector<ChildRequest> requests =
      children_.wanted(timeline_, parent, range, shortest_ns);
  for (const ChildRequest& request : requests) queue_->request(request);
  return !requests.empty();
}

bool Session::restore_selection() {
  if (!state_.selected || block_of(timeline_, state_.selected) != nullptr) return true;
  // During a reload the loader belongs to another timeline.
  if (phase_ != SessionPhase::ready) return false;
  Session& reader = of_ != nullptr ? *of_ : *this;
  for (const ChildRequest& request : reader.children_.wanted_block(state_.selected)) {
    reader.queue_->request(request);
  }
  return false;
}

void Session::note_visible() {
  if (!has_timeline_) return;
  (of_ != nullptr ? of_->children_ : children_).touch_visible(state_);
}

void Session::set_width(float width_px) {
  if (width_px <= 0 || width_px == state_.view.width_px) return;
  state_.view =
      follows_load_ && has_timeline_ ? fitted(limits(), width_px) : resized(state_.view, width_px);
}

ViewportLimits Session::limits() const {
  return limits_of(timeline_, state_);
}

}  // namespace cinderscope
