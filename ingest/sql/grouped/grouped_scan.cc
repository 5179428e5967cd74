#include "ingest/sql/grouped/grouped_scan.h"

#include <algorithm>
#include <memory>

#include "ingest/search/slice_bits.h"
#include "ingest/sql/grouped/finished_calls.h"
#include "ingest/sql/tables/row_facts.h"
#include "ingest/totals/child_time.h"

namespace cinderscope {

// Columns of up to a chunk of slices.
struct GroupedScan::Buffers {
  template <class T>
  using Column = std::array<T, kChunkSlices>;
  std::array<Column<std::int64_t>, kMeasures> measures;
  Column<std::uint32_t> names;
  Column<std::uint8_t> keep;

  Column<std::int64_t>& of(GroupedMeasure measure) {
    return measures[static_cast<std::size_t>(measure)];
  }
};

// Slices of a chunk are looked at together, as a search does.
void GroupedScan::count_piece(const ScannedRow& row, const SliceSpan& piece,
                              const std::function<void(const ScannedSlices&)>& visit) const {
  ScannedSlices slices{.row_keys = row.row_keys};
  for (std::uint64_t i = piece.first; i < piece.last;) {
    const SliceChunk& chunk = piece.row->chunk_of(i);
    const std::uint32_t first = SliceRow::in_chunk(i);
    const auto end = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(chunk.count(), first + (piece.last - i)));
    ChunkBits bits{};
    std::uint32_t count = mark_names(chunk, *masks_[row.row->input], bits);
    if (count > 0 && (first > 0 || end < chunk.count())) {
      keep_between(first, end, bits);
      count = count_bits(bits);
    }
    slices.count += count;
    i += end - first;
  }
  if (slices.count > 0) visit(slices);
}

void GroupedScan::run(unsigned jobs, const std::atomic<bool>& stop, const Visit& visit) const {
  const auto take = [&](std::size_t worker, const ScannedSlices& slices) {
    data_.count_added_up(slices.count);
    visit(worker, slices);
  };
  std::vector<std::unique_ptr<Buffers>> buffers(std::max(1u, jobs));
  const auto of_worker = [&buffers](std::size_t worker) -> Buffers& {
    if (buffers[worker] == nullptr) buffers[worker] = std::make_unique<Buffers>();
    return *buffers[worker];
  };
  for_each_until(walked_.size(), jobs, &stop, [&](std::size_t worker, std::size_t i) {
    walk(walked_[i], stop, of_worker(worker),
         [&](const ScannedSlices& slices) { take(worker, slices); });
  });
  std::vector<SliceSpan> spans;
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    const ScannedRow& row = rows_[i];
    spans.push_back({.row = row.row->slices, .number = i, .first = row.first, .last = row.last});
  }
  parallel_for_spans(
      pieces_of(spans), jobs, &stop, [&](std::size_t worker, const SliceSpan& piece) {
        if (counts_names_) {
          return count_piece(rows_[piece.number], piece,
                             [&](const ScannedSlices& slices) { take(worker, slices); });
        }
        scan_piece(rows_[piece.number], piece, of_worker(worker),
                   [&](const ScannedSlices& slices) { take(worker, slices); });
      });
}

void GroupedScan::scan_piece(const ScannedRow& row, const SliceSpan& piece, Buffers& at,
                             const std::function<void(const ScannedSlices&)>& visit) const {
  const NumberedRow& of = *row.row;
  const bool with_begins = with_[static_cast<std::size_t>(GroupedMeasure::ts)];
  const bool with_ends = with_[static_cast<std::size_t>(GroupedMeasure::ts_end)];
  const bool with_lengths = with_[static_cast<std::size_t>(GroupedMeasure::dur)];
  const auto tested = [&](SliceColumn column) { return !filter_.of(column).is_all(); };
  // All times of a chunk may lie in the range that is asked for.
  const auto any_outside = [&](SliceColumn column, const SliceChunk& chunk) {
    const NumberSet& times = filter_.of(column);
    return !times.is_interval() || chunk.first_begin_ns() < times.first() ||
           chunk.last_end_ns() > times.last();
  };
  auto &begins = at.of(GroupedMeasure::ts), &ends = at.of(GroupedMeasure::ts_end),
       &lengths = at.of(GroupedMeasure::dur), &selfs = at.of(GroupedMeasure::self_dur);
  const std::vector<SliceRow>& rows = track_slices(data_, of).blocks[index(of.block)]->rows;
  std::optional<ChildTimeCursor> below;
  if (reads_self_ && of.row + 1 < rows.size()) {
    below.emplace(rows[of.row + 1], piece.row->begin_ns(piece.first));
  }
  for (std::uint64_t i = piece.first; i < piece.last;) {
    const SliceChunk& chunk = piece.row->chunk_of(i);
    const std::uint32_t first = SliceRow::in_chunk(i);
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk.count() - first, piece.last - i));
    const bool test_begins = any_outside(SliceColumn::ts, chunk);
    const bool test_ends = any_outside(SliceColumn::ts_end, chunk);
    const bool needs_ends = with_ends || reads_self_ || test_ends;
    const bool needs_begins = with_begins || needs_ends || test_begins;
    const bool needs_lengths = with_lengths || needs_ends || tested(SliceColumn::dur);
    if (needs_begins) chunk.read_begins(first, {begins.data(), count});
    if (needs_lengths) chunk.read_durations(first, {lengths.data(), count});
    if (needs_ends) {
      for (std::uint32_t k = 0; k < count; ++k) ends[k] = begins[k] + lengths[k];
    }
    if (reads_self_) {
      for (std::uint32_t k = 0; k < count; ++k) {
        selfs[k] = lengths[k] - (below ? below->covered(begins[k], ends[k]) : 0);
      }
    }
    bool all = true;
    const auto test = [&](const auto& holds) {
      if (std::exchange(all, false)) std::fill_n(at.keep.begin(), count, std::uint8_t{1});
      for (std::uint32_t k = 0; k < count; ++k) at.keep[k] &= static_cast<std::uint8_t>(holds(k));
    };
    if (reads_names_) {
      const std::vector<std::uint32_t>& names = names_[of.input];
      chunk.read_names(first, {at.names.data(), count});
      bool held = true;
      for (std::uint32_t k = 0; k < count && !names_as_they_are_; ++k) {
        // Names that came after the timeline was taken are none of its slices'.
        at.names[k] = at.names[k] < names.size() ? names[at.names[k]] : kNotHeld;
        held &= at.names[k] != kNotHeld;
      }
      if (!held) test([&](std::uint32_t k) { return at.names[k] != kNotHeld; });
    }
    if (reads_flags_ && (chunk.has_flags() || flags_value_ != 0)) {
      test([&](std::uint32_t k) { return (chunk.flags(first + k) & flags_mask_) == flags_value_; });
    }
    const auto test_numbers = [&](SliceColumn column, const auto& value) {
      const NumberSet& set = filter_.of(column);
      if (set.is_all()) return;
      if (set.is_interval()) {
        const std::int64_t low = set.first(), high = set.last();
        test([&](std::uint32_t k) { return value(k) >= low && value(k) <= high; });
      } else {
        test([&](std::uint32_t k) { return set.holds(value(k)); });
      }
    };
    if (test_begins) test_numbers(SliceColumn::ts, [&](std::uint32_t k) { return begins[k]; });
    if (test_ends) test_numbers(SliceColumn::ts_end, [&](std::uint32_t k) { return ends[k]; });
    test_numbers(SliceColumn::dur, [&](std::uint32_t k) { return lengths[k]; });
    test_numbers(SliceColumn::self_dur, [&](std::uint32_t k) { return selfs[k]; });
    if (!filter_.of(SliceColumn::number).is_interval()) {
      const auto number = static_cast<std::int64_t>(of.first_number + i);
      test_numbers(SliceColumn::number, [&](std::uint32_t k) { return number + k; });
    }
    i += count;
    std::uint32_t kept = count;
    if (!all) {
      kept = 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        for (std::size_t m = 0; m < kMeasures; ++m) {
          if (with_[m]) at.measures[m][kept] = at.measures[m][k];
        }
        if (by_name_) at.names[kept] = at.names[k];
        kept += at.keep[k];
      }
    }
    if (kept == 0) continue;
    ScannedSlices slices{.row_keys = row.row_keys, .count = kept};
    if (by_name_) slices.name_keys = {at.names.data(), kept};
    for (std::size_t m = 0; m < kMeasures; ++m) {
      if (with_[m]) slices.measures[m] = {at.measures[m].data(), kept};
    }
    visit(slices);
  }
}

bool GroupedScan::holds(const NumberedRow& row, const FinishedCall& finished,
                        std::uint32_t depth) const {
  const WalkedCall& call = finished.call;
  const std::uint64_t slice = call.slice.slice;
  const auto holds = [this](SliceColumn column, std::int64_t value) {
    return filter_.of(column).holds(value);
  };
  const std::uint8_t flags = reads_flags_ ? row.slices->flags(slice) : 0;
  return holds(SliceColumn::ts, call.begin_ns) && holds(SliceColumn::ts_end, call.end_ns) &&
         holds(SliceColumn::dur, call.duration_ns()) &&
         holds(SliceColumn::self_dur, finished.self_ns) &&
         holds(SliceColumn::depth, std::int64_t{depth} + 1) &&
         holds(SliceColumn::number, static_cast<std::int64_t>(row.first_number + slice)) &&
         (flags & flags_mask_) == flags_value_;
}

void GroupedScan::walk(const WalkedTrack& track, const std::atomic<bool>& stop, Buffers& at,
                       const std::function<void(const ScannedSlices&)>& visit) const {
  const std::span<const NumberedRow> rows =
      data_.slice_numbers().rows_of(track.input, track.slices->track);
  ScannedSlices slices;
  const auto flush = [&] {
    if (slices.count == 0) return;
    if (by_name_) slices.name_keys = {at.names.data(), slices.count};
    for (std::size_t m = 0; m < kMeasures; ++m) {
      if (with_[m]) slices.measures[m] = {at.measures[m].data(), slices.count};
    }
    visit(slices);
    slices.count = 0;
  };
  walk_finished_calls(*track.slices, stop, [&](const FinishedCall& finished) {
    const WalkedCall& call = finished.call;
    const auto row = std::ranges::partition_point(rows, [&](const NumberedRow& each) {
      return std::pair(index(each.block), each.row) <
             std::pair(index(call.slice.block), call.slice.row);
    });
    const std::uint32_t depth = track.slices->has_overlaps ? finished.depth : call.depth;
    if (!holds(*row, finished, depth)) return;
    std::uint32_t name = 0;
    if (reads_names_) {
      const std::vector<std::uint32_t>& names = names_[track.input];
      name = index(call.name) < names.size() ? names[index(call.name)] : kNotHeld;
      if (name == kNotHeld) return;
    }
    const std::uint32_t row_keys =
        track.row_keys[std::min<std::size_t>(by_depth_ ? depth : 0, track.row_keys.size() - 1)];
    if (row_keys != slices.row_keys || slices.count == kChunkSlices) flush();
    slices.row_keys = row_keys;
    at.names[slices.count] = name;
    at.of(GroupedMeasure::dur)[slices.count] = call.duration_ns();
    at.of(GroupedMeasure::self_dur)[slices.count] = finished.self_ns;
    at.of(GroupedMeasure::ts)[slices.count] = call.begin_ns;
    at.of(GroupedMeasure::ts_end)[slices.count] = call.end_ns;
    ++slices.count;
  });
  flush();
}

}  // namespace cinderscope
