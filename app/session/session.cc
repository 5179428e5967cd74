#include "app/session/session.h"

#include <utility>

#include "app/session/merge_offset.h"
#include "ingest/base/steady_clock.h"

namespace cinderscope {

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
