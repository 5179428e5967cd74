#include "ingest/totals/durations/duration_index.h"

#include <algorithm>
#include <utility>

#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 23;  // of a segment that is counted
constexpr std::size_t kFewCalls = 512;                        // of a name: they are sorted

}  // namespace

std::uint64_t DurationIndex::bytes() const {
  return sizeof(DurationIndex) +
         (names.capacity() + ends.capacity() + entries.capacity()) * sizeof(std::uint32_t);
}

void DurationIndex::append(std::uint32_t name, std::span<const std::uint32_t> of_name) {
  if (of_name.empty()) return;
  names.push_back(name);
  entries.insert(entries.end(), of_name.begin(), of_name.end());
  ends.push_back(static_cast<std::uint32_t>(entries.size()));
}

std::span<const std::uint32_t> DurationIndex::of(std::uint32_t name) const {
  const auto found = std::lower_bound(names.begin(), names.end(), name);
  if (found == names.end() || *found != name) return {};
  const auto i = static_cast<std::size_t>(found - names.begin());
  const std::uint32_t first = i == 0 ? 0 : ends[i - 1];
  return std::span(entries).subspan(first, ends[i] - first);
}

DurationCounter::DurationCounter(std::size_t name_count) : places_(name_count), dense_(kBuckets) {}

void DurationCounter::read(const TimeSegment& segment) {
  names_.clear();
  buckets_.clear();
  for (const SliceSpan& row : segment.track->rows) {
    for_columns<false>(
        begun_in(row, segment), {}, columns_,
        [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
          names_.insert(names_.end(), at.names.begin(), at.names.begin() + count);
          for (std::uint32_t k = 0; k < count; ++k) {
            const auto duration = static_cast<std::uint64_t>(at.durations[k]);
            buckets_.push_back(static_cast<std::uint16_t>(duration_bucket(duration)));
          }
        });
  }
}

bool DurationCounter::count(const TimeSegment& segment, DurationIndex& out) {
  out = {};
  out.begin_ns = segment.begin_ns;
  out.end_ns = segment.end_ns;
  std::uint64_t calls = 0;
  for (const SliceSpan& row : segment.track->rows) calls += begun_in(row, segment).count();
  if (calls > kMostCalls) return false;
  read(segment);
  for (const std::uint32_t name : names_) {
    if (places_[name]++ == 0) out.names.push_back(name);
  }
  std::sort(out.names.begin(), out.names.end());
  std::uint32_t place = 0;
  for (const std::uint32_t name : out.names) {
    const std::uint32_t count = places_[name];
    places_[name] = place;
    place += count;
  }
  sorted_.resize(buckets_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) sorted_[places_[names_[i]]++] = buckets_[i];
  std::size_t first = 0;
  for (const std::uint32_t name : out.names) {
    const std::size_t last = places_[name];
    places_[name] = 0;
    append_entries(std::span(sorted_).subspan(first, last - first), dense_, out.entries);
    out.ends.push_back(static_cast<std::uint32_t>(out.entries.size()));
    first = last;
  }
  out.names.shrink_to_fit();
  out.ends.shrink_to_fit();
  out.entries.shrink_to_fit();
  return true;
}

void append_entry(std::uint32_t bucket, std::uint64_t count, std::vector<std::uint32_t>& entries) {
  while (count > 0) {
    const auto some = std::min<std::uint64_t>(count, DurationIndex::kMostInEntry);
    entries.push_back(bucket << DurationIndex::kCountBits | static_cast<std::uint32_t>(some));
    count -= some;
  }
}

void append_entries(std::span<std::uint16_t> buckets, std::vector<std::uint32_t>& dense,
                    std::vector<std::uint32_t>& entries) {
  if (buckets.size() > kFewCalls) {
    for (const std::uint16_t bucket : buckets) ++dense[bucket];
    for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
      append_entry(bucket, std::exchange(dense[bucket], 0), entries);
    }
    return;
  }
  std::sort(buckets.begin(), buckets.end());
  for (std::size_t i = 0; i < buckets.size();) {
    const auto next = std::upper_bound(buckets.begin() + static_cast<std::ptrdiff_t>(i),
                                       buckets.end(), buckets[i]);
    const auto end = static_cast<std::size_t>(next - buckets.begin());
    append_entry(buckets[i], end - i, entries);
    i = end;
  }
}

CountsInScope counts_in_scope(std::span<const MeasuredTrack> tracks, const Scope& scope,
                              const PrecomputedTotals& precomputed) {
  CountsInScope out;
  std::vector<SliceSpan> left;
  for (std::uint32_t number = 0; number < tracks.size(); ++number) {
    const MeasuredTrack& track = tracks[number];
    const std::uint32_t id = index(track.slices->track);
    std::span<const DurationIndex> of_track;
    if (id < precomputed.counts_of_track.size()) of_track = precomputed.counts_of_track[id];
    const std::vector<TimeSegment> segments =
        segments_left(track, number, scope, of_track,
                      [&out](const DurationIndex& each) { out.precomputed.push_back(&each); });
    for (const TimeSegment& segment : segments) {
      for (const SliceSpan& row : track.rows) left.push_back(begun_in(row, segment));
    }
  }
  out.left = pieces_of(left);
  return out;
}

}  // namespace cinderscope
