#include "formats/spall/thread_load.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "ingest/base/saturating.h"
#include "ingest/model/slice_chunk.h"

namespace cinderscope::spall {

StringId ThreadLoad::address_name(std::uint64_t address) {
  std::array<char, 32> text{'0', 'x'};  // longer than needed: the cache reads 8 bytes ahead
  const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), address, 16).ptr;
  return name(reinterpret_cast<const std::byte*>(text.data()),
              static_cast<std::size_t>(end - text.data()));
}

void ThreadLoad::complete(const DoubleClock& clock, double ticks, double duration,
                          StringId slice_name, std::uint64_t at) {
  ++records;
  const std::int64_t begin_key = key_of(clock, ticks, at);
  if (!(duration >= 0)) {  // a NaN, too
    diagnostics.count(diagnostic::kNegativeDuration, static_cast<std::int64_t>(at));
    duration = 0;
  }
  const std::int64_t end_key = std::isnan(ticks) ? begin_key : key_of(clock, ticks + duration, at);
  // Keys of doubles far on both sides of zero lie further apart than a signed number can say.
  const std::int64_t most = begin_key < 0 ? INT64_MAX + begin_key : INT64_MAX;
  writer_->complete(begin_key, std::max(begin_key, std::min(end_key, most)) - begin_key, slice_name,
                    at);
}

void ThreadLoad::lose_rest() {
  // Without a time before it there is no stretch that could be shown.
  if (has_events() && !waits_for_next_time()) lost.push_back({.begin = last_key_});
}

void ThreadLoad::next_time(const TickClock& clock, std::uint64_t ticks) {
  bool clamped = false;
  const std::int64_t key = clock.key(ticks, clamped);
  if (key < lost.back().begin) {
    lost.pop_back();  // its times step back
  } else {
    lost.back().end = key;
  }
}

std::int64_t ThreadLoad::bad_time(const DoubleClock& clock, std::uint64_t at) {
  diagnostics.count(diagnostic::kBadTime, static_cast<std::int64_t>(at));
  bool clamped = false;
  return has_events() ? last_key_ : noted(clock.key(0, clamped), false, at);
}

std::uint8_t ThreadLoad::take_cut(std::int64_t end_ns) {
  std::uint8_t flags = 0;
  while (!cut_slices_.empty() && cut_slices_.back().depth >= depth_) {
    const CutSlice cut = cut_slices_.back();
    cut_slices_.pop_back();
    if (cut.depth != depth_) continue;
    if (cut.whole.begin_ns < cut.begin_ns) flags |= kCutBegin;
    if (saturating_sum(cut.whole.begin_ns, cut.whole.duration_ns) > end_ns) flags |= kCutEnd;
  }
  return flags;
}

}  // namespace cinderscope::spall
