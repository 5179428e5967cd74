#include "app/convert/split_times.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

constexpr std::size_t kSteps = 2048;  // times that are looked at
constexpr std::uint64_t kMostFiles = 999;

void count_begun(const SliceRow& row, const std::vector<std::int64_t>& times,
                 std::vector<std::uint64_t>& begun) {
  if (row.count() == 0) return;
  for (std::size_t i = 0; i < times.size(); ++i) begun[i] += row.lower_bound(times[i]);
}

}  // namespace

std::vector<TypedRange> split_times(const PartReader& part, std::uint64_t count) {
  const PartOptions& options = part.options();
  const Timeline& timeline = part.timeline();
  const std::int64_t from = std::max(options.from, timeline.begin_ns);
  const std::int64_t to = std::min(options.to, timeline.end_ns);
  count = std::min(count, kMostFiles);
  std::vector<TypedRange> ranges;
  if (count <= 1 || to <= from) return {{options.from, options.to}};
  std::vector<std::int64_t> times;
  const double step = (static_cast<double>(to) - static_cast<double>(from)) / kSteps;
  for (std::size_t i = 1; i < kSteps; ++i) {
    const std::int64_t time = from + static_cast<std::int64_t>(step * static_cast<double>(i));
    if (time > (times.empty() ? from : times.back()) && time < to) times.push_back(time);
  }
  std::vector<std::uint64_t> begun(times.size() + 2);
  times.insert(times.begin(), from);
  times.push_back(to);
  for (const PartTrack& written : part.tracks()) {
    if (written.id == kNoTrack) continue;
    const Track& track = timeline.tracks[index(written.id)];
    count_begun(track.instants, times, begun);
    if (track.blocks.empty()) continue;
    for (const SliceRow& row : track.root().rows) count_begun(row, times, begun);
  }
  const std::uint64_t records = begun.back() - begun.front();
  std::int64_t begin = options.from;
  std::uint64_t done = 0;  // files
  for (std::size_t i = 1; i + 1 < times.size() && done + 1 < count; ++i) {
    const std::uint64_t before = begun[i] - begun.front();
    if (before * count < records * (done + 1)) continue;
    ranges.push_back({begin, times[i]});
    begin = times[i];
    done = before * count / std::max<std::uint64_t>(1, records);
  }
  ranges.push_back({begin, options.to});
  return ranges;
}

}  // namespace cinderscope
