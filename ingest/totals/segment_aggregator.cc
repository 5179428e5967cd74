#include "ingest/totals/segment_aggregator.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ingest/model/call_walk.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMostSteps = 32;  // up the callers, for each call of a segment on average

// Where the longest call lies; ordered as calls are listed.
template <class Sums>
auto place_of_longest(const Sums& sums) {
  return std::tuple(sums.longest_track, sums.longest_row, sums.longest_slice);
}

template <class To, class From>
void merge_extremes(To& to, const From& from) {
  to.min_ns = std::min(to.min_ns, from.min_ns);
  if (from.max_ns < to.max_ns) return;
  if (from.max_ns == to.max_ns && place_of_longest(to) <= place_of_longest(from)) return;
  to.max_ns = from.max_ns;
  to.longest_track = from.longest_track;
  to.longest_row = from.longest_row;
  to.longest_slice = from.longest_slice;
}

}  // namespace

void take_extremes(NameSums& to, const NameSums& from) {
  merge_extremes(to, from);
}

void SegmentAggregator::add(const TimeSegment& whole) {
  for_fitting_parts(
      whole, size_, scope_.begin_ns, columns_, [this] { return is_set(cancelled_); },
      [this](const TimeSegment& part) { add_listed(part); });
}

void SegmentAggregator::work_out(const TimeSegment& segment, PrecomputedSegment& out) {
  listed_.resize(totals_.size());
  lists_ = true;
  last_end_ns_ = INT64_MIN;
  add(segment);
  out = {segment.begin_ns, segment.end_ns, last_end_ns_, {}};
  out.sums.reserve(names_.size());
  for (const std::uint32_t name : names_) {
    out.sums.emplace_back(name, std::exchange(totals_[name], {}));
    listed_[name] = 0;
  }
  names_.clear();
}

void SegmentAggregator::list(std::uint32_t name) {
  if (!lists_ || std::exchange(listed_[name], 1) != 0) return;
  names_.push_back(name);
}

void SegmentAggregator::add_listed(const TimeSegment& segment) {
  const auto nobody = static_cast<std::uint32_t>(totals_.size());
  const auto [nests, fits] = read_columns(segment, edges_, nobody, columns_);
  fits_ = fits;
  add_flagged(segment);
  if (fits_) {
    for (std::size_t i = 0; i < columns_.rows.size(); ++i) count_calls(plain_, segment, i);
  } else {
    for (std::size_t i = 0; i < columns_.rows.size(); ++i) count_calls(totals_, segment, i);
  }
  const bool well_nested = nests && fits_ && !whole_calls_ && find_callers(columns_);
  recursive_.clear();
  bool recursion_known = false;
  if (well_nested) {
    recursion_known = add_well_nested(segment);
  } else {
    add_self_by_walk(segment);
  }
  if (whole_calls_ && segment.track->nested && segment.first) add_outside(*segment.track);
  if (!recursion_known) {
    recursive_.clear();
    recursive_time_.add(segment, recursive_);
  }
  if (lists_) note_names_and_end();
  for (const RecursiveCall& call : recursive_) totals_[call.name].recursive_ns += call.ns;
  take_plain();
}

void SegmentAggregator::note_names_and_end() {
  for (const std::uint32_t name : touched_) list(name);
  for (const SegmentRow& row : columns_.rows) {
    const std::size_t end = row.first_slot + 1 + row.count;
    for (std::size_t slot = row.first_slot + 1; slot < end; ++slot) {
      last_end_ns_ = std::max(last_end_ns_, columns_.ends[slot]);
    }
  }
}

void SegmentAggregator::add_flagged(const TimeSegment& segment) {
  for (std::size_t r = 0; r < columns_.rows.size(); ++r) {
    const SliceRow& slices = *segment.track->rows[r].row;
    const SegmentRow& row = columns_.rows[r];
    std::size_t slot = row.first_slot + 1;
    for (std::uint64_t i = row.first; i < row.first + row.count;) {
      const SliceChunk& chunk = slices.chunk_of(i);
      const std::uint32_t at = SliceRow::in_chunk(i);
      const auto count = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(chunk.count() - at, row.first + row.count - i));
      if (chunk.has_flags()) add_flagged(chunk, at, slot, count);
      i += count;
      slot += count;
    }
  }
}

void SegmentAggregator::add_flagged(const SliceChunk& chunk, std::uint32_t first, std::size_t slot,
                                    std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint8_t flags = chunk.flags(first + k);
    NameSums& name = totals_[columns_.names[slot + k]];
    name.cut_count += (flags & (kCutBegin | kCutEnd)) != 0 ? 1 : 0;
    if ((flags & kUnfinished) == 0) continue;
    ++name.unfinished_count;
    name.unfinished_sum_ns += columns_.ends[slot + k] - columns_.begins[slot + k];
  }
}

template <class Sums>
void SegmentAggregator::count_calls(std::vector<Sums>& sums, const TimeSegment& segment,
                                    std::size_t row_index) {
  const SegmentRow& row = columns_.rows[row_index];
  const std::size_t first_slot = row.first_slot + 1;
  const std::uint32_t track_id = index(segment.track->slices->track);
  const std::uint32_t row_number = segment.track->rows[row_index].number;
  const std::int64_t* begins = columns_.begins.data() + first_slot;
  const std::int64_t* ends = columns_.ends.data() + first_slot;
  const std::uint32_t* names = columns_.names.data() + first_slot;
  for (std::size_t k = 0; k < row.count; ++k) {
    const std::int64_t duration_ns = ends[k] - begins[k];
    Sums& name = sums[names[k]];
    if (name.count++ == 0) touched_.push_back(names[k]);
    name.sum_ns += duration_ns;
    name.min_ns = std::min(name.min_ns, duration_ns);
    if (duration_ns < name.max_ns) continue;
    const std::uint64_t slice = row.first + k;
    if (duration_ns == name.max_ns &&
        place_of_longest(name) <= std::tuple(track_id, row_number, slice)) {
      continue;
    }
    name.max_ns = duration_ns;
    name.longest_track = track_id;
    name.longest_row = row_number;
    name.longest_slice = slice;
  }
}

bool SegmentAggregator::add_well_nested(const TimeSegment& segment) {
  const std::int64_t* begins = columns_.begins.data();
  const std::int64_t* ends = columns_.ends.data();
  const std::uint32_t* names = columns_.names.data();
  const std::uint32_t* parents = columns_.parents.data();
  NameBits* above = columns_.above.data();
  PlainSums* plain = plain_.data();
  std::uint64_t steps = 0, most = 0;
  for (const SegmentRow& row : columns_.rows) most += kMostSteps * (row.count + 1);
  for (const SegmentRow& row : columns_.rows) {
    const std::size_t carried = row.first_slot, end = carried + 1 + row.count;
    above[carried] = above_of(carried);
    for (std::size_t slot = carried + 1; slot < end; ++slot) {
      const std::uint32_t name = names[slot], parent = parents[slot];
      const std::int64_t duration_ns = ends[slot] - begins[slot];
      plain[name].self_ns += duration_ns;
      plain[names[parent]].self_ns -= duration_ns;
      NameBits bits = above[parent];
      if (parent != kNoCaller) bits.insert(names[parent]);
      above[slot] = bits;
      if (!bits.may_have(name) || steps > most) continue;
      for (std::uint32_t at = parent; at != kNoCaller && steps <= most; at = parents[at]) {
        ++steps;
        if (names[at] != name) continue;
        recursive_.push_back({name, duration_ns});
        break;
      }
    }
    if (row.carried) {
      touched_.push_back(names[carried]);
      move_self(carried, std::min(ends[carried], segment.end_ns) - segment.begin_ns);
    }
    if (row.count > 0 && ends[end - 1] > segment.end_ns) {
      move_self(end - 1, segment.end_ns - ends[end - 1]);
    }
  }
  return steps <= most;
}

NameBits SegmentAggregator::above_of(std::size_t slot) const {
  const std::uint32_t parent = columns_.parents[slot];
  NameBits bits = columns_.above[parent];
  if (parent != kNoCaller) bits.insert(columns_.names[parent]);
  return bits;
}

void SegmentAggregator::move_self(std::size_t slot, std::int64_t ns) {
  plain_[columns_.names[slot]].self_ns += ns;
  plain_[columns_.names[columns_.parents[slot]]].self_ns -= ns;
}

void SegmentAggregator::add_outside(const MeasuredTrack& track) {
  const std::vector<SliceRow>& rows = track.slices->blocks.front()->rows;
  for (const SliceSpan& row : track.rows) {
    const auto add = [&](std::uint64_t i, std::int64_t begin_ns, std::int64_t end_ns) {
      WideSum& self_ns = totals_[index(row.row->name(i))].self_ns;
      self_ns += WideSum{end_ns} - begin_ns;
      if (row.place.row + 1 == rows.size()) return;
      ChildTimeCursor below(rows[row.place.row + 1], begin_ns);
      self_ns -= below.covered(begin_ns, end_ns);
    };
    for (std::uint64_t i = row.first; i < row.last; ++i) {
      const std::int64_t begin_ns = row.row->begin_ns(i);
      if (begin_ns >= scope_.begin_ns) break;
      add(i, begin_ns, std::min(row.row->end_ns(i), scope_.begin_ns));
    }
    for (std::uint64_t i = row.last; i > row.first; --i) {
      const std::int64_t end_ns = row.row->end_ns(i - 1);
      if (end_ns <= scope_.end_ns) break;
      add(i - 1, std::max(row.row->begin_ns(i - 1), scope_.end_ns), end_ns);
    }
  }
}

void SegmentAggregator::add_self_by_walk(const TimeSegment& segment) {
  const Edges& most = segment.track->nested ? scope_ : edges_;
  Scope within;
  within.begin_ns = std::max(segment.begin_ns, most.begin_ns);
  within.end_ns = std::min(segment.end_ns, most.end_ns);
  if (within.begin_ns >= within.end_ns) return;
  static const std::atomic<bool> kGoOn = false;
  constexpr std::uint32_t kNotMeasured = 0xffffffffu;
  // Calls outside of the scope cover those that are counted whole.
  const auto on_call = [&](const WalkedCall& call, const std::uint32_t*) {
    const bool measured =
        call.whole_end_ns > scope_.begin_ns && call.whole_begin_ns < scope_.end_ns;
    return measured ? index(call.name) : kNotMeasured;
  };
  const auto on_self = [&](std::uint32_t name, std::int64_t ns) {
    if (name == kNotMeasured) return;
    list(name);
    totals_[name].self_ns += ns;
  };
  walk_call_tree<std::uint32_t>(*segment.track->slices, within,
                                cancelled_ == nullptr ? kGoOn : *cancelled_, on_call, on_self);
}

void SegmentAggregator::take_plain() {
  if (fits_) {
    for (const std::uint32_t name : touched_) {
      PlainSums& from = plain_[name];
      NameSums& to = totals_[name];
      to.count += from.count;
      to.sum_ns += from.sum_ns;
      to.self_ns += from.self_ns;
      if (from.count > 0) merge_extremes(to, from);
      from = {};
    }
  }
  plain_.back() = {};
  touched_.clear();
}

}  // namespace cinderscope
