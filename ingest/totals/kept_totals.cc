#include "ingest/totals/kept_totals.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/base/parallel.h"

namespace cinderscope {
namespace {

__extension__ using WideBits = unsigned __int128;

// A trace's totals end with one of these, since a writer finds out last whether it has all.
enum class TotalsEnd : std::uint8_t { none, whole };

constexpr std::uint64_t kSlicesAtOnce = std::uint64_t{4} << 20;
// Adding up takes some 200 bytes for each name and worker, however few slices there are.
constexpr std::size_t kMostNames = std::size_t{1} << 16;

// Numbers of seven bits a byte, the low ones first: most sums are short.
class PackedNumbers {
 public:
  void add(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void add_wide(WideSum value) {
    auto bits = static_cast<WideBits>(value) << 1;
    if (value < 0) bits = ~bits;
    for (; bits >= 0x80; bits >>= 7) bytes_ += static_cast<char>(static_cast<char>(bits) | '\x80');
    bytes_ += static_cast<char>(bits);
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t take() {
    const WideBits bits = take_bits();
    if (bits > UINT64_MAX) ok_ = false;
    return static_cast<std::uint64_t>(bits);
  }
  std::uint32_t take_below(std::uint64_t end) {
    const std::uint64_t value = take();
    if (value >= end) ok_ = false;
    return ok_ ? static_cast<std::uint32_t>(value) : 0;
  }
  WideSum take_wide() {
    const WideBits bits = take_bits();
    const auto value = static_cast<WideSum>(bits >> 1);
    return (bits & 1) != 0 ? ~value : value;
  }
  bool done() const { return ok_ && left_.empty(); }
  bool ok() const { return ok_; }

 private:
  // Sums of a hundred bits: many of them can be added.
  WideBits take_bits() {
    WideBits bits = 0;
    for (unsigned shift = 0; ok_ && shift < 98; shift += 7) {
      if (left_.empty()) break;
      const auto byte = static_cast<std::uint8_t>(left_.front());
      left_.remove_prefix(1);
      bits |= static_cast<WideBits>(byte & 0x7f) << shift;
      if (byte < 0x80) return bits;
    }
    ok_ = false;
    return 0;
  }

  std::string_view left_;
  bool ok_ = true;
};

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

template <class T>
void add_list(const std::vector<T>& values, FieldWriter& out) {
  out.add_text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

// A track as one text, so that tracks can be read by several threads.
std::string track_text(std::uint32_t track, const PrecomputedTotals& totals) {
  FieldWriter out;
  out.add(track);
  out.add(std::uint64_t{totals.of_track[track].size()});
  for (const PrecomputedSegment& segment : totals.of_track[track]) {
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
  const bool counted = track < totals.counts_of_track.size();
  out.add(counted ? std::uint64_t{totals.counts_of_track[track].size()} : 0);
  if (!counted) return std::string(out.bytes());
  for (const DurationIndex& counts : totals.counts_of_track[track]) {
    out.add(counts.begin_ns);
    out.add(counts.end_ns);
    out.add(counts.last_end_ns);
    add_list(counts.names, out);
    add_list(counts.ends, out);
    add_list(counts.entries, out);
  }
  return std::string(out.bytes());
}

// Rows of all blocks of a track, as SliceSpan::number counts them.
std::vector<const SliceRow*> rows_by_number(const TrackSlices& track) {
  std::vector<const SliceRow*> rows;
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->rows) rows.push_back(&row);
  }
  return rows;
}

class TrackReader {
 public:
  TrackReader(std::string_view text, const SliceSet& set) : in_(text), set_(set) {}

  // Null where it is no text of a track of the set.
  const TrackSlices* track() {
    const auto id = in_.take<std::uint32_t>();
    const auto found = std::ranges::lower_bound(
        set_.tracks, id, {}, [](const TrackSlices& each) { return index(each.track); });
    track_ =
        in_.ok() && found != set_.tracks.end() && index(found->track) == id ? &*found : nullptr;
    return track_;
  }
  // After track().
  bool read(std::vector<PrecomputedSegment>& segments, std::vector<DurationIndex>& counts) {
    rows_ = rows_by_number(*track_);
    segments.resize(in_.take_count(40));
    std::int64_t begin_ns = INT64_MIN;
    for (PrecomputedSegment& segment : segments) {
      if (!read_times(segment, begin_ns) || !read_segment(segment)) return false;
    }
    counts.resize(in_.take_count(48));
    begin_ns = INT64_MIN;
    for (DurationIndex& each : counts) {
      if (!read_times(each, begin_ns) || !read_counts(each)) return false;
    }
    return in_.done();
  }

 private:
  // One behind the other, as whoever cuts a range along them takes for granted.
  template <class Stretch>
  bool read_times(Stretch& out, std::int64_t& begin_ns) {
    out.begin_ns = in_.take<std::int64_t>();
    out.end_ns = in_.take<std::int64_t>();
    out.last_end_ns = in_.take<std::int64_t>();
    if (!in_.ok() || out.begin_ns < begin_ns || out.end_ns < out.begin_ns) return false;
    begin_ns = out.end_ns;
    return true;
  }

  bool read_segment(PrecomputedSegment& segment) {
    const auto names = in_.take<std::uint64_t>();
    const std::string_view text = in_.take_text();
    if (!in_.ok() || names > text.size() / 3) return false;
    NumberReader numbers(text);
    segment.sums.reserve(names);
    for (std::uint64_t i = 0; i < names; ++i) {
      auto& [name, sums] = segment.sums.emplace_back();
      name = numbers.take_below(set_.strings->size());
      if (!read_sums(numbers, sums)) return false;
    }
    return numbers.done();
  }

  bool read_sums(NumberReader& in, NameSums& sums) {
    sums.count = in.take();
    sums.self_ns = in.take_wide();
    if (sums.count == 0) return in.ok();
    sums.unfinished_count = in.take();
    sums.cut_count = in.take();
    sums.sum_ns = in.take_wide();
    sums.unfinished_sum_ns = in.take_wide();
    sums.recursive_ns = in.take_wide();
    sums.min_ns = static_cast<std::int64_t>(in.take());
    sums.max_ns = static_cast<std::int64_t>(in.take());
    sums.longest_track = index(track_->track);
    sums.longest_row = in.take_below(rows_.size());
    sums.longest_slice = in.take();
    return in.ok() && sums.min_ns >= 0 && sums.max_ns >= sums.min_ns &&
           sums.longest_slice < rows_[sums.longest_row]->count();
  }

  bool read_list(std::vector<std::uint32_t>& out) {
    const std::string_view text = in_.take_text();
    if (!in_.ok() || text.size() % sizeof(std::uint32_t) != 0) return false;
    out.resize(text.size() / sizeof(std::uint32_t));
    std::memcpy(out.data(), text.data(), text.size());
    return true;
  }

  bool read_counts(DurationIndex& out) {
    if (!read_list(out.names) || !read_list(out.ends) || !read_list(out.entries)) return false;
    if (out.names.size() != out.ends.size()) return false;
    const auto ascends = [](const std::vector<std::uint32_t>& values) {
      return std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end();
    };
    if (!ascends(out.names) || !ascends(out.ends)) return false;
    if (out.names.empty()) return out.entries.empty();
    return out.names.back() < set_.strings->size() && out.ends.back() == out.entries.size();
  }

  FieldReader in_;
  const SliceSet& set_;
  const TrackSlices* track_ = nullptr;
  std::vector<const SliceRow*> rows_;
};

std::uint64_t count_of_rows(const TrackSlices& track) {
  std::uint64_t count = 0;
  for (const SliceRow* row : rows_by_number(track)) count += row->count();
  return count;
}

}  // namespace

void write_totals(const SliceSet& set, unsigned jobs, const std::atomic<bool>& cancelled,
                  const std::function<void(std::string_view bytes)>& write,
                  std::uint64_t most_bytes, const SegmentSize& size) {
  FieldWriter end;
  end.add(std::uint64_t{0});
  std::uint64_t used_bytes = 0;
  bool whole = set.strings->size() <= kMostNames;
  for (std::size_t first = 0; whole && first < set.tracks.size() && !cancelled;) {
    SliceSet some{.axis = set.axis, .flows = set.flows, .strings = set.strings};
    for (std::uint64_t slices = 0; first < set.tracks.size() && slices < kSlicesAtOnce; ++first) {
      some.tracks.push_back(set.tracks[first]);
      slices += count_of_rows(set.tracks[first]);
    }
    const auto totals =
        precomputed_totals_of(some, jobs, &cancelled, most_bytes - used_bytes, size);
    if (totals == nullptr) {
      whole = false;
      break;
    }
    used_bytes = std::min(most_bytes, used_bytes + kept_bytes(*totals));
    for (std::uint32_t track = 0; track < totals->of_track.size(); ++track) {
      if (totals->of_track[track].empty()) continue;
      FieldWriter text;
      text.add_text(track_text(track, *totals));
      write(text.bytes());
    }
  }
  end.add(whole ? TotalsEnd::whole : TotalsEnd::none);
  write(end.bytes());
}

ReadTotals read_totals(std::string_view bytes, const SliceSet& set, unsigned jobs) {
  FieldReader in(bytes);
  std::vector<std::string_view> texts;
  for (;;) {
    const std::string_view text = in.take_text();
    if (text.empty()) break;  // no track's is
    texts.push_back(text);
  }
  const auto end = in.take_enum(TotalsEnd::whole);
  if (!in.done()) return {.sound = false};
  if (end == TotalsEnd::none) return {};
  auto totals = std::make_shared<PrecomputedTotals>();
  const std::size_t tracks = set.tracks.empty() ? 0 : index(set.tracks.back().track) + 1;
  totals->of_track.resize(tracks);
  totals->counts_of_track.resize(tracks);
  std::vector<std::uint8_t> seen(tracks);
  std::vector<TrackReader> readers;
  std::vector<std::size_t> ids;
  for (const std::string_view text : texts) {
    readers.emplace_back(text, set);
    const TrackSlices* track = readers.back().track();
    if (track == nullptr || std::exchange(seen[index(track->track)], 1) != 0) {
      return {.sound = false};
    }
    ids.push_back(index(track->track));
  }
  std::atomic<bool> sound{true};
  parallel_for(readers.size(), jobs, [&](std::size_t i) {
    if (!readers[i].read(totals->of_track[ids[i]], totals->counts_of_track[ids[i]])) sound = false;
  });
  if (!sound) return {.sound = false};
  return {.totals = std::move(totals)};
}

}  // namespace cinderscope
