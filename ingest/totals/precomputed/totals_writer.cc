#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/totals/precomputed/kept_totals.h"
#include "ingest/totals/precomputed/packed_numbers.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kSlicesAtOnce = std::uint64_t{4} << 20;
// Adding up takes some 200 bytes for each name and worker, however few slices there are.
constexpr std::size_t kMostNames = std::size_t{1} << 16;
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{8} << 20;
constexpr std::uint64_t kCallsCounted = std::uint64_t{4} << 20;  // 32 MB for them

void add_sums(const NameSums& sums, PackedNumbers& out) {
  out.add(sums.count);
  out.add_wide(sums.self_ns);
  if (sums.count == 0) return;
  out.add(sums.unfinished_count);
  out.add(sums.cut_count);
  out.add_wide(sums.sum_ns);
  out.add_wide(sums.unfinished_sum_ns);
  out.add_wide(sums.recursive_ns);
  out.add(static_cast<std::uint64_t>(sums.min_ns));
  out.add(static_cast<std::uint64_t>(sums.max_ns));
  out.add(sums.longest_row);
  out.add(sums.longest_slice);
}

// Of some neighbouring segments of a track.
FieldWriter text_of(std::uint32_t track, std::span<const PrecomputedSegment> segments) {
  FieldWriter out;
  out.add(TotalsKind::sums);
  out.add(track);
  out.add(std::uint64_t{segments.size()});
  for (const PrecomputedSegment& segment : segments) {
    out.add(segment.begin_ns);
    out.add(segment.end_ns);
    out.add(segment.last_end_ns);
    out.add(std::uint64_t{segment.sums.size()});
    PackedNumbers numbers;
    for (const auto& [name, sums] : segment.sums) {
      numbers.add(name);
      add_sums(sums, numbers);
    }
    out.add_text(numbers.bytes());
  }
  return out;
}
FieldWriter text_of(std::uint32_t track, std::span<const DurationIndex> counts) {
  FieldWriter out;
  out.add(TotalsKind::counts);
  out.add(track);
  out.add(std::uint64_t{counts.size()});
  for (const DurationIndex& each : counts) {
    out.add(each.begin_ns);
    out.add(each.end_ns);
    out.add(each.last_end_ns);
    out.add_values(each.names);
    out.add_values(each.ends);
    out.add_values(each.entries);
  }
  return out;
}

}  // namespace

void write_totals(const SliceSet& set, unsigned jobs, const std::atomic<bool>& cancelled,
                  const std::function<void(std::string_view bytes)>& write,
                  std::uint64_t most_bytes, const SegmentSize& size) {
  const auto write_text = [&write](std::uint32_t track, const auto& made) {
    const FieldWriter text = text_of(track, std::span(made));
    FieldWriter length;
    length.add(std::uint64_t{text.bytes().size()});
    write(length.bytes());
    write(text.bytes());
  };
  std::uint64_t used_bytes = 0;
  bool whole = set.strings->size() <= kMostNames;
  for (std::size_t first = 0; whole && first < set.tracks.size() && !cancelled;) {
    SliceSet some{.axis = set.axis, .flows = set.flows, .strings = set.strings};
    for (std::uint64_t slices = 0; first < set.tracks.size() && slices < kSlicesAtOnce; ++first) {
      some.tracks.push_back(set.tracks[first]);
      slices += slice_count(set.tracks[first]);
    }
    const auto bytes = precompute(some, jobs, &cancelled,
                                  {.most_bytes = most_bytes - used_bytes,
                                   .bytes_at_once = kBytesAtOnce,
                                   .calls_at_once = kCallsCounted},
                                  size, {.sums = write_text, .counts = write_text});
    whole = bytes.has_value();
    if (whole) used_bytes = std::min(most_bytes, used_bytes + *bytes);
  }
  FieldWriter end;
  end.add(std::uint64_t{0});
  end.add(whole ? TotalsEnd::whole : TotalsEnd::none);
  write(end.bytes());
}

}  // namespace cinderscope
