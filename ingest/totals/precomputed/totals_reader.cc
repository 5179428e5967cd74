#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/base/parallel.h"
#include "ingest/totals/precomputed/kept_totals.h"
#include "ingest/totals/precomputed/packed_numbers.h"

namespace cinderscope {

namespace {

// Rows of all blocks of a track, as SliceSpan::number counts them.
std::vector<const SliceRow*> rows_by_number(const TrackSlices& track) {
  std::vector<const SliceRow*> rows;
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->rows) rows.push_back(&row);
  }
  return rows;
}

// One text: some neighbouring segments of a track.
class PartReader {
 public:
  PartReader(std::string_view text, const SliceSet& set) : in_(text), set_(set) {}

  // False where it is no text of a track of the set.
  bool read_track() {
    kind_ = in_.take_enum(TotalsKind::counts);
    const auto id = in_.take<std::uint32_t>();
    const auto found = std::ranges::lower_bound(
        set_.tracks, id, {}, [](const TrackSlices& each) { return index(each.track); });
    if (!in_.ok() || found == set_.tracks.end() || index(found->track) != id) return false;
    track_ = &*found;
    return true;
  }
  // After read_track().
  bool read() {
    if (kind_ == TotalsKind::sums) {
      rows_ = rows_by_number(*track_);
      segments_.resize(in_.take_count(40));
      for (PrecomputedSegment& segment : segments_) {
        if (!read_times(segment) || !read_segment(segment)) return false;
      }
    } else {
      counts_.resize(in_.take_count(48));
      for (DurationIndex& each : counts_) {
        if (!read_times(each) || !read_counts(each)) return false;
      }
    }
    return in_.done();
  }
  // After read(). False unless it comes behind what is there of the track.
  bool move_to(PrecomputedTotals& totals) {
    const std::uint32_t id = index(track_->track);
    return append(segments_, totals.of_track[id]) && append(counts_, totals.counts_of_track[id]);
  }

 private:
  template <class Stretch>
  bool read_times(Stretch& out) {
    out.begin_ns = in_.take<std::int64_t>();
    out.end_ns = in_.take<std::int64_t>();
    out.last_end_ns = in_.take<std::int64_t>();
    return in_.ok() && out.end_ns >= out.begin_ns;
  }

  // One behind the other, as whoever cuts a range along them takes for granted.
  template <class Stretch>
  static bool append(std::vector<Stretch>& from, std::vector<Stretch>& to) {
    for (Stretch& each : from) {
      if (!to.empty() && each.begin_ns < to.back().end_ns) return false;
      to.push_back(std::move(each));
    }
    from.clear();
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

  bool read_counts(DurationIndex& out) {
    out.names = in_.take_values<std::uint32_t>();
    out.ends = in_.take_values<std::uint32_t>();
    out.entries = in_.take_values<std::uint32_t>();
    if (!in_.ok() || out.names.size() != out.ends.size()) return false;
    const auto ascends = [](const std::vector<std::uint32_t>& values) {
      return std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end();
    };
    if (!ascends(out.names) || !ascends(out.ends)) return false;
    if (out.names.empty()) return out.entries.empty();
    return out.names.back() < set_.strings->size() && out.ends.back() == out.entries.size();
  }

  FieldReader in_;
  const SliceSet& set_;
  TotalsKind kind_ = TotalsKind::sums;
  const TrackSlices* track_ = nullptr;
  std::vector<const SliceRow*> rows_;
  std::vector<PrecomputedSegment> segments_;
  std::vector<DurationIndex> counts_;
};

}  // namespace

ReadTotals read_totals(std::string_view bytes, const SliceSet& set, unsigned jobs) {
  FieldReader in(bytes);
  std::vector<std::string_view> texts;
  for (;;) {
    const std::string_view text = in.take_text();
    if (text.empty()) break;  // no part is
    texts.push_back(text);
  }
  const auto end = in.take_enum(TotalsEnd::whole);
  if (!in.done()) return {.sound = false};
  if (end == TotalsEnd::none) return {};
  auto totals = std::make_shared<PrecomputedTotals>();
  const std::size_t tracks = set.tracks.empty() ? 0 : index(set.tracks.back().track) + 1;
  totals->of_track.resize(tracks);
  totals->counts_of_track.resize(tracks);
  std::vector<PartReader> readers;
  for (const std::string_view text : texts) {
    if (!readers.emplace_back(text, set).read_track()) return {.sound = false};
  }
  std::atomic<bool> sound{true};
  parallel_for(readers.size(), jobs, [&](std::size_t i) {
    if (!readers[i].read()) sound = false;
  });
  for (PartReader& reader : readers) {
    if (!sound) break;
    sound = reader.move_to(*totals);
  }
  if (!sound) return {.sound = false};
  return {.totals = std::move(totals)};
}

}  // namespace cinderscope
