// Rows of CPUs, put together once all of the kernel's events have come.
#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/events/event_sink.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope::perfetto {

// A row for each CPU: who ran when, and who was woken to run there.
void EventSink::finish_cpus() {
  facts_.switches = switches_.size();
  const auto before = [](const SchedEvent& a, const SchedEvent& b) {
    if (a.cpu != b.cpu) return a.cpu < b.cpu;
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.record < b.record;
  };
  std::sort(switches_.begin(), switches_.end(), before);
  std::sort(wakings_.begin(), wakings_.end(), before);
  const auto take_cpu = [](std::span<const SchedEvent>& left, std::uint32_t cpu) {
    const auto end = std::ranges::find_if(left, [&](const SchedEvent& e) { return e.cpu != cpu; });
    const auto of_cpu = left.first(static_cast<std::size_t>(end - left.begin()));
    left = left.subspan(of_cpu.size());
    return of_cpu;
  };
  std::span<const SchedEvent> switches = switches_, wakings = wakings_;
  while (!switches.empty() || !wakings.empty()) {
    const std::uint32_t cpu = std::min(switches.empty() ? UINT32_MAX : switches.front().cpu,
                                       wakings.empty() ? UINT32_MAX : wakings.front().cpu);
    const std::vector<AsyncSlice> slices = running(take_cpu(switches, cpu));
    const std::vector<AsyncMark> marks = woken(take_cpu(wakings, cpu), slices);
    if (slices.empty() && marks.empty()) continue;
    const std::string heading = fmt::format("CPU {}", cpu);
    out_->async_group(out_->lifetime_track(process_of(Lane{}), out_->intern(heading)), slices,
                      marks);
  }
  release(switches_);
  release(wakings_);
}

// From each switch to the next one of the CPU.
std::vector<AsyncSlice> EventSink::running(std::span<const SchedEvent> switches) {
  std::vector<AsyncSlice> slices;
  for (std::size_t i = 0; i + 1 < switches.size(); ++i) {
    const SchedEvent& now = switches[i];
    if (now.tid == 0) continue;  // the idle one
    const std::string name = fmt::format("{} {}", out_->strings()->text(now.comm), now.tid);
    slices.push_back({{now.time_ns, switches[i + 1].time_ns - now.time_ns, out_->intern(name),
                       now.record, kNoRecord, 0},
                      0});
  }
  return slices;
}

std::vector<AsyncMark> EventSink::woken(std::span<const SchedEvent> wakings,
                                        const std::vector<AsyncSlice>& running) {
  std::vector<AsyncMark> marks;
  auto next = running.begin();
  for (const SchedEvent& waking : wakings) {
    while (next != running.end() && next->slice.end_ns() <= waking.time_ns) ++next;
    const bool runs = next != running.end() && next->slice.begin_ns <= waking.time_ns;
    const std::string name =
        fmt::format("wakes {} {}", out_->strings()->text(waking.comm), waking.tid);
    marks.push_back({{waking.time_ns, 0, out_->intern(name), waking.record, kNoRecord, 0},
                     runs ? next->slice.record : kNoRecord,
                     false});
  }
  return marks;
}

}  // namespace cinderscope::perfetto
