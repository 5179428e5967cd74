#include "formats/lincheck/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "formats/lincheck/thread_walk.h"
#include "ingest/base/parallel.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 4096;           // at whether it was cancelled
constexpr std::size_t kDeepestStart = std::size_t{1} << 16;  // containers a window keeps in mind

// A place in a thread's stream that a walk can begin at.
struct Window {
  std::uint64_t logical = 0;
  std::int64_t clock = 0, latest = 0;  // event numbers: of the last one, and the largest
  std::vector<PointClass> inside;
};

struct Occurrences {
  std::uint64_t slices = 0, instants = 0;
  std::vector<std::uint32_t> windows;  // with any, ascending
};

// Point after point, with the times that the timeline has.
class PointWalk {
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

  // False at the end. Footers are stepped over.
  bool next() {
    WalkStep step;
    do {
      if (!walk_.next(step)) return false;
    } while (step.is_footer);
    latest_ = std::max(latest_, events_.number(step.head.event));
    name_ = namer_.name(step.head, step.first_id, JavaReader(data_, step.body_at));
    record_ = step.at;
    instant_ = !is_container(step.head.point);
    return true;
  }
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
  bool instant_ = false;
};

class ThreadSurvey {
 public:
  ThreadSurvey(const PointNames& names, std::uint32_t thread, std::uint64_t window_bytes)
      : names_(&names), thread_(thread), window_bytes_(window_bytes) {}

  // False once cancelled.
  bool read(const std::atomic<bool>& cancelled,
            const std::function<void(std::uint64_t)>& add_done) {
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
      if (++steps % kStepsBetweenLooks != 0) continue;
      if (cancelled) return false;
      add_done(walk.logical() - std::exchange(told, walk.logical()));
    }
    for (auto& [name, found] : names_met_) found.windows.shrink_to_fit();
    return !cancelled;
  }

  const std::unordered_map<StringId, Occurrences>& names_met() const { return names_met_; }

  // `best` so far, which another thread may have found: what comes behind it is not looked at.
  void nearest(const NameIndex::NameSet& wanted, std::int64_t from, int direction,
               const std::atomic<bool>& cancelled, StringId tid,
               std::optional<NameIndex::Place>& best) const {
    std::vector<const Occurrences*> names;
    for (const auto& [name, found] : names_met_) {
      if (index(name) < wanted.size() && wanted[index(name)]) names.push_back(&found);
    }
    if (names.empty()) return;
    // The last window that begins no later.
    const auto after = std::ranges::upper_bound(windows_, from, {}, &Window::latest);
    const auto first = static_cast<std::int64_t>(after - windows_.begin()) - 1;
    std::int64_t window = std::max<std::int64_t>(first, 0);
    if (first < 0 && direction < 0) return;
    while (!cancelled) {
      const auto candidate =
          direction > 0 ? next_window(names, window) : last_window(names, window);
      if (!candidate) return;
      const Window& at = windows_[static_cast<std::size_t>(*candidate)];
      if (best && direction > 0 && at.latest > best->begin_ns) return;
      const bool last = static_cast<std::size_t>(*candidate) + 1 == windows_.size();
      const std::int64_t until =
          last ? INT64_MAX : windows_[static_cast<std::size_t>(*candidate) + 1].latest;
      if (best && direction < 0 && until < best->begin_ns) return;
      const auto found =
          nearest_in(static_cast<std::size_t>(*candidate), wanted, from, direction, tid, cancelled);
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

 private:
  static std::optional<std::int64_t> next_window(const std::vector<const Occurrences*>& names,
                                                 std::int64_t from) {
    std::optional<std::int64_t> next;
    for (const Occurrences* of : names) {
      const auto found = std::ranges::lower_bound(of->windows, static_cast<std::uint32_t>(from));
      if (found != of->windows.end() && (!next || *found < *next)) next = *found;
    }
    return next;
  }
  static std::optional<std::int64_t> last_window(const std::vector<const Occurrences*>& names,
                                                 std::int64_t from) {
    std::optional<std::int64_t> last;
    for (const Occurrences* of : names) {
      const auto after = std::ranges::upper_bound(of->windows, static_cast<std::uint32_t>(from));
      if (after != of->windows.begin() && (!last || *(after - 1) > *last)) last = *(after - 1);
    }
    return last;
  }

  std::optional<NameIndex::Place> nearest_in(std::size_t window, const NameIndex::NameSet& wanted,
                                             std::int64_t from, int direction, StringId tid,
                                             const std::atomic<bool>& cancelled) const {
    PointWalk walk(*names_, thread_);
    walk.start_at(windows_[window]);
    const std::uint64_t end =
        window + 1 < windows_.size() ? windows_[window + 1].logical : UINT64_MAX;
    std::optional<NameIndex::Place> found;
    std::uint64_t steps = 0;
    while (walk.logical() < end && walk.next()) {
      if (++steps % kStepsBetweenLooks == 0 && cancelled) return std::nullopt;
      const bool beyond = direction > 0 ? walk.begin() > from : walk.begin() >= from;
      if (direction < 0 && beyond) break;
      const std::uint32_t name = index(walk.name());
      if (!(direction < 0 || beyond) || name >= wanted.size() || !wanted[name]) continue;
      found = {tid, walk.begin(), walk.record(), walk.instant()};
      if (direction > 0) break;
    }
    return found;
  }

  const PointNames* names_;
  std::uint32_t thread_;
  std::uint64_t window_bytes_;
  std::vector<Window> windows_;
  std::unordered_map<StringId, Occurrences> names_met_;
};

class Survey final : public NameIndex {
 public:
  Survey(const PointNames& names, std::uint64_t window_bytes) {
    const std::vector<ThreadStream>& streams = names.lookup().map().threads;
    threads_.reserve(streams.size());
    for (std::uint32_t i = 0; i < streams.size(); ++i) {
      threads_.emplace_back(names, i, window_bytes);
      tids_.push_back(names.pool().intern(fmt::to_string(streams[i].id)));
      all_bytes_ += streams[i].size;
    }
  }

  bool read(unsigned jobs, const std::atomic<bool>& cancelled, const SurveyProgress& progress) {
    std::atomic<std::uint64_t> done_bytes{0};
    std::atomic<bool> complete{true};
    parallel_for(threads_.size(), jobs, [&](std::size_t i) {
      const auto add_done = [&](std::uint64_t bytes) {
        done_bytes += bytes;
        progress(static_cast<double>(done_bytes) /
                 static_cast<double>(std::max<std::uint64_t>(all_bytes_, 1)));
      };
      if (!threads_[i].read(cancelled, add_done)) complete = false;
    });
    if (!complete) return false;
    std::unordered_map<StringId, NameCount> sums;
    for (const ThreadSurvey& thread : threads_) {
      for (const auto& [name, found] : thread.names_met()) {
        NameCount& sum = sums[name];
        sum.name = name;
        sum.slices += found.slices;
        sum.instants += found.instants;
      }
    }
    for (const auto& [name, sum] : sums) names_.push_back(sum);
    std::ranges::sort(names_, {}, &NameCount::name);
    return true;
  }

  std::optional<Place> nearest(const NameSet& wanted, std::int64_t from_ns, int direction,
                               const std::atomic<bool>& cancelled) const override {
    std::optional<Place> best;
    for (std::size_t i = 0; i < threads_.size() && !cancelled; ++i) {
      threads_[i].nearest(wanted, from_ns, direction, cancelled, tids_[i], best);
    }
    return cancelled ? std::nullopt : best;
  }

 private:
  std::vector<ThreadSurvey> threads_;
  std::vector<StringId> tids_;
  std::uint64_t all_bytes_ = 0;
};

}  // namespace

std::shared_ptr<const NameIndex> survey_trace(const PointNames& names, unsigned jobs,
                                              std::uint64_t window_bytes,
                                              const std::atomic<bool>& cancelled,
                                              const SurveyProgress& progress) {
  auto survey = std::make_shared<Survey>(names, window_bytes);
  if (!survey->read(jobs, cancelled, progress)) return nullptr;
  return survey;
}

}  // namespace cinderscope::lincheck
