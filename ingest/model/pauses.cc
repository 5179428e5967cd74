#include "ingest/model/pauses.h"

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"

namespace cinderscope {

ProcessPauses::ProcessPauses(ProcessId process, std::vector<Pause> pauses) : process_(process) {
  std::erase_if(pauses, [](const Pause& pause) { return pause.end_ns <= pause.begin_ns; });
  std::ranges::sort(pauses, {}, &Pause::begin_ns);
  std::int64_t sum_ns = 0;
  for (const Pause& pause : pauses) {
    if (!pauses_.empty() && pause.begin_ns <= pauses_.back().end_ns) {
      Pause& last = pauses_.back();
      const std::int64_t end_ns = std::max(last.end_ns, pause.end_ns);
      sum_ns = saturating_sum(sum_ns, saturating_difference(end_ns, last.end_ns));
      last.end_ns = end_ns;
      continue;
    }
    pauses_.push_back(pause);
    sum_before_ns_.push_back(sum_ns);
    sum_ns = saturating_sum(sum_ns, saturating_difference(pause.end_ns, pause.begin_ns));
  }
  pauses_.shrink_to_fit();
  sum_before_ns_.shrink_to_fit();
}

std::size_t ProcessPauses::first_after(std::int64_t time_ns) const {
  const auto found = std::ranges::upper_bound(pauses_, time_ns, {}, &Pause::end_ns);
  return static_cast<std::size_t>(found - pauses_.begin());
}

std::int64_t ProcessPauses::before(std::int64_t time_ns) const {
  const std::size_t next = first_after(time_ns);
  if (next < pauses_.size()) {
    const std::int64_t begun_ns = std::min(pauses_[next].begin_ns, time_ns);
    return saturating_sum(sum_before_ns_[next], saturating_difference(time_ns, begun_ns));
  }
  if (pauses_.empty()) return 0;
  const Pause& last = pauses_.back();
  return saturating_sum(sum_before_ns_.back(), saturating_difference(last.end_ns, last.begin_ns));
}

std::int64_t ProcessPauses::within(std::int64_t begin_ns, std::int64_t end_ns) const {
  return end_ns <= begin_ns ? 0 : before(end_ns) - before(begin_ns);
}

std::size_t ProcessPauses::kept_bytes() const {
  return sizeof *this + pauses_.capacity() * sizeof(Pause) +
         sum_before_ns_.capacity() * sizeof(std::int64_t);
}

}  // namespace cinderscope
