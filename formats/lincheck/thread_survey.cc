#include "formats/lincheck/thread_survey.h"

#include <algorithm>
#include <utility>

#include "formats/lincheck/thread_walk.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::uint64_t kSurveyStepsBetweenLooks = 4096;     // at whether it was cancelled
constexpr std::size_t kDeepestStart = std::size_t{1} << 16;  // containers a window keeps in mind
constexpr std::size_t kMostOpen = std::size_t{1} << 22;      // wanted calls inside each other

bool holds(const NameIndex::NameSet& wanted, StringId name) {
  return index(name) < wanted.size() && wanted[index(name)];
}

std::optional<std::int64_t> next_window(const std::vector<const ThreadSurvey::Occurrences*>& names,
                                        std::int64_t from) {
  std::optional<std::int64_t> next;
  for (const ThreadSurvey::Occurrences* of : names) {
    const auto found = std::ranges::lower_bound(of->windows, static_cast<std::uint32_t>(from));
    if (found != of->windows.end() && (!next || *found < *next)) next = *found;
  }
  return next;
}

std::optional<std::int64_t> last_window(const std::vector<const ThreadSurvey::Occurrences*>& names,
                                        std::int64_t from) {
  std::optional<std::int64_t> last;
  for (const ThreadSurvey::Occurrences* of : names) {
    const auto after = std::ranges::upper_bound(of->windows, static_cast<std::uint32_t>(from));
    if (after != of->windows.begin() && (!last || *(after - 1) > *last)) last = *(after - 1);
  }
  return last;
}

}  // namespace

// Point after point, with the times that the timeline has.
class ThreadSurvey::PointWalk {
 public:
  PointWalk(const PointNames& names, std::uint32_t thread)
      : namer_(names),
        data_(names.lookup().data()),
        walk_(data_, names.lookup().layout(), names.lookup().map(), thread) {
    const TraceMap& map = names.lookup().map();
    const std::vector<std::uint32_t>& blocks = map.threads[thread].blocks;
    if (!blocks.empty()) events_ = EventClock(map.blocks[blocks.front()].clock);
  }

  void start_at(const Window& window) {
    walk_.seek(window.logical, window.inside);
    events_ = EventClock(window.clock);
    latest_ = window.latest;
  }
  Window here() const { return {walk_.logical(), events_.latest(), latest_, walk_.inside()}; }
  std::uint64_t logical() const { return walk_.logical(); }
  std::size_t depth() const { return walk_.depth(); }

  // False at the end.
  bool next_step() {
    WalkStep step;
    if (!walk_.next(step)) return false;
    record_ = step.at;
    footer_ = step.is_footer;
    if (footer_) return true;
    latest_ = std::max(latest_, events_.number(step.head.event));
    name_ = namer_.name(step.head, step.first_id, JavaReader(data_, step.body_at));
    instant_ = !is_container(step.head.point);
    return true;
  }
  // The same, stepping over footers.
  bool next() {
    do {
      if (!next_step()) return false;
    } while (footer_);
    return true;
  }
  bool footer() const { return footer_; }
  StringId name() const { return name_; }
  std::int64_t begin() const { return latest_; }
  RecordOffset record() const { return record_; }
  bool instant() const { return instant_; }

 private:
  PointNamer namer_;
  std::span<const std::byte> data_;
  ThreadWalk walk_;
  EventClock events_;
  std::int64_t latest_ = kEarliestEvent;
  StringId name_ = kEmptyString;
  RecordOffset record_ = kNoRecord;
  bool instant_ = false, footer_ = false;
};

bool ThreadSurvey::read(const std::atomic<bool>& cancelled, const AddDone& add_done) {
  PointWalk walk(*names_, thread_);
  std::uint64_t steps = 0, told = 0;
  windows_.push_back(walk.here());
  while (true) {
    if (walk.logical() - windows_.back().logical >= window_bytes_ &&
        walk.depth() <= kDeepestStart) {
      windows_.push_back(walk.here());
    }
    if (!walk.next()) break;
    Occurrences& of_name = names_met_[walk.name()];
    ++(walk.instant() ? of_name.instants : of_name.slices);
    const auto window = static_cast<std::uint32_t>(windows_.size() - 1);
    if (of_name.windows.empty() || of_name.windows.back() != window) {
      of_name.windows.push_back(window);
    }
    if (++steps % kSurveyStepsBetweenLooks != 0) continue;
    if (cancelled) return false;
    add_done(walk.logical() - std::exchange(told, walk.logical()));
  }
  for (auto& [name, found] : names_met_) found.windows.shrink_to_fit();
  return !cancelled;
}

std::vector<const ThreadSurvey::Occurrences*> ThreadSurvey::occurrences_of(
    const NameIndex::NameSet& wanted) const {
  std::vector<const Occurrences*> found;
  for (const auto& [name, occurrences] : names_met_) {
    if (holds(wanted, name)) found.push_back(&occurrences);
  }
  return found;
}

void ThreadSurvey::nearest(const NameIndex::NameSet& wanted, std::int64_t from, int direction,
                           const std::atomic<bool>& cancelled,
                           std::optional<NameIndex::Place>& best) const {
  const std::vector<const Occurrences*> names = occurrences_of(wanted);
  if (names.empty()) return;
  // The last window that begins no later.
  const auto after = std::ranges::upper_bound(windows_, from, {}, &Window::latest);
  const auto first = static_cast<std::int64_t>(after - windows_.begin()) - 1;
  std::int64_t window = std::max<std::int64_t>(first, 0);
  if (first < 0 && direction < 0) return;
  while (!cancelled) {
    const auto candidate = direction > 0 ? next_window(names, window) : last_window(names, window);
    if (!candidate) return;
    const Window& at = windows_[static_cast<std::size_t>(*candidate)];
    if (best && direction > 0 && at.latest > best->begin_ns) return;
    const bool last = static_cast<std::size_t>(*candidate) + 1 == windows_.size();
    const std::int64_t until =
        last ? INT64_MAX : windows_[static_cast<std::size_t>(*candidate) + 1].latest;
    if (best && direction < 0 && until < best->begin_ns) return;
    const auto found =
        nearest_in(static_cast<std::size_t>(*candidate), wanted, from, direction, cancelled);
    if (found) {
      const bool better = !best || (direction > 0 ? found->begin_ns < best->begin_ns
                                                  : found->begin_ns > best->begin_ns);
      if (better) best = found;
      return;
    }
    window = *candidate + (direction > 0 ? 1 : -1);
    if (window < 0) return;
  }
}

std::optional<NameIndex::Place> ThreadSurvey::nearest_in(std::size_t window,
                                                         const NameIndex::NameSet& wanted,
                                                         std::int64_t from, int direction,
                                                         const std::atomic<bool>& cancelled) const {
  PointWalk walk(*names_, thread_);
  walk.start_at(windows_[window]);
  const std::uint64_t end =
      window + 1 < windows_.size() ? windows_[window + 1].logical : UINT64_MAX;
  std::optional<NameIndex::Place> found;
  std::uint64_t steps = 0;
  while (walk.logical() < end && walk.next()) {
    if (++steps % kSurveyStepsBetweenLooks == 0 && cancelled) return std::nullopt;
    const bool beyond = direction > 0 ? walk.begin() > from : walk.begin() >= from;
    if (direction < 0 && beyond) break;
    if (!(direction < 0 || beyond) || !holds(wanted, walk.name())) continue;
    found = {thread_, walk.begin(), walk.record(), walk.instant()};
    if (direction > 0) break;
  }
  return found;
}

// Knows which of the wanted calls are open: they are given out once it is known when they end,
// which is where the thread's next event is.
class ThreadSurvey::CallWalk {
 public:
  CallWalk(const ThreadSurvey& survey, const NameIndex::Wanted& wanted,
           const NameIndex::CallSink& take)
      : survey_(survey), wanted_(wanted), take_(take), walk_(*survey.names_, survey.thread_) {
    has_wanted_.resize(survey.windows_.size());
    for (const Occurrences* of : survey.occurrences_of(wanted.names)) {
      for (const std::uint32_t window : of->windows) has_wanted_[window] = true;
    }
  }

  bool run(const std::atomic<bool>& cancelled, const AddDone& add_done) {
    std::uint64_t steps = 0, told = 0;
    while (leap() && walk_.next_step()) {
      if (!take_step()) return false;
      if (++steps % kSurveyStepsBetweenLooks != 0) continue;
      if (cancelled) return false;
      add_done(walk_.logical() - std::exchange(told, walk_.logical()));
    }
    while (!open_.empty()) end_innermost(kNoRecord);
    give_out(walk_.begin() + 1);
    return !cancelled;
  }

 private:
  // Over windows in which nothing is wanted; false if nothing more is.
  bool leap() {
    const std::vector<Window>& windows = survey_.windows_;
    while (window_ + 1 < windows.size() && walk_.logical() >= windows[window_ + 1].logical) {
      ++window_;
    }
    if (!open_.empty() || !ended_.empty()) return true;
    if (walk_.begin() >= wanted_.before_ns) return false;
    if (has_wanted_[window_]) return true;
    const auto next = std::find(has_wanted_.begin() + static_cast<std::ptrdiff_t>(window_),
                                has_wanted_.end(), true);
    if (next == has_wanted_.end()) return false;
    window_ = static_cast<std::size_t>(next - has_wanted_.begin());
    walk_.start_at(windows[window_]);
    return true;
  }

  bool take_step() {
    if (walk_.footer()) {
      if (!open_.empty() && open_.back().depth > walk_.depth()) end_innermost(walk_.record());
      return true;
    }
    give_out(walk_.begin());
    if (!holds(wanted_.names, walk_.name()) || walk_.begin() >= wanted_.before_ns) return true;
    const NameIndex::Call call{{survey_.thread_, walk_.begin(), walk_.record(), walk_.instant()},
                               walk_.name()};
    if (walk_.instant()) {
      take_(call);
      return true;
    }
    open_.push_back({call, walk_.depth()});
    return open_.size() <= kMostOpen;
  }

  void end_innermost(RecordOffset end_record) {
    ended_.push_back(open_.back().call);
    ended_.back().end_record = end_record;
    open_.pop_back();
  }

  void give_out(std::int64_t end_ns) {
    for (NameIndex::Call& call : ended_) {
      call.duration_ns = end_ns - call.place.begin_ns;
      take_(call);
    }
    ended_.clear();
  }

  struct Open {
    NameIndex::Call call;
    std::size_t depth;  // that the walk has inside of it
  };
  const ThreadSurvey& survey_;
  const NameIndex::Wanted& wanted_;
  const NameIndex::CallSink& take_;
  PointWalk walk_;
  std::vector<bool> has_wanted_;  // by window
  std::size_t window_ = 0;
  std::vector<Open> open_;
  std::vector<NameIndex::Call> ended_;
};

bool ThreadSurvey::each(const NameIndex::Wanted& wanted, const std::atomic<bool>& cancelled,
                        const NameIndex::CallSink& take, const AddDone& add_done) const {
  return CallWalk(*this, wanted, take).run(cancelled, add_done);
}

}  // namespace cinderscope::lincheck
