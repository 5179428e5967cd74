#include "ingest/sql/grouped/grouped_scan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "ingest/search/slice_bits.h"
#include "ingest/sql/grouped/finished_calls.h"
#include "ingest/sql/tables/row_facts.h"
#include "ingest/totals/child_time.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kNotHeld = UINT32_MAX;  // a name that the conditions leave out

struct Flag {
  TestedColumn column;
  std::uint8_t bit;
};
constexpr std::array<Flag, 4> kFlags = {Flag{TestedColumn::unfinished, kUnfinished},
                                        {TestedColumn::overlapping, kOverlapping},
                                        {TestedColumn::cut_begin, kCutBegin},
                                        {TestedColumn::cut_end, kCutEnd}};

bool has_key(const GroupedQuery& query, GroupKey key) {
  return std::ranges::find(query.keys, key) != query.keys.end();
}

bool is_of_name(GroupKey key) {
  return key == GroupKey::name || key == GroupKey::name_id;
}

const TrackSlices& track_slices(const QueryData& data, const NumberedRow& row) {
  const std::vector<TrackSlices>& tracks = data.slices(row.input).tracks;
  return *std::ranges::lower_bound(tracks, index(row.track), {},
                                   [](const TrackSlices& each) { return index(each.track); });
}

SliceColumn column_of_row(TestedColumn column) {
  switch (column) {
    case TestedColumn::trace_name:
      return SliceColumn::trace_name;
    case TestedColumn::process_name:
      return SliceColumn::process_name;
    case TestedColumn::pid:
      return SliceColumn::pid;
    case TestedColumn::thread_name:
      return SliceColumn::thread_name;
    default:
      return SliceColumn::tid;
  }
}

}  // namespace

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

GroupedScan::GroupedScan(const QueryData& data, const GroupedQuery& query,
                         const GroupedFilter& filter, const std::array<bool, kMeasures>& with)
    : data_(data), query_(query), filter_(filter), with_(with) {
  const auto tests = [&](TestedColumn column) { return !filter.of(column).is_all(); };
  by_depth_ = has_key(query, GroupKey::depth);
  by_name_ = std::ranges::any_of(query.keys, is_of_name);
  reads_names_ = by_name_ || tests(TestedColumn::name_id) || filter.tests_text(TestedColumn::name);
  reads_self_ =
      with[static_cast<std::size_t>(GroupedMeasure::self_dur)] || tests(TestedColumn::self_dur);
  if (filter.empty()) return;
  for (const Flag& flag : kFlags) {
    const bool set = filter.of(flag.column).holds(1), unset = filter.of(flag.column).holds(0);
    if (!set && !unset) return;
    if (set && unset) continue;
    flags_mask_ |= flag.bit;
    if (set) flags_value_ |= flag.bit;
  }
  reads_flags_ = flags_mask_ != 0;
  find_names();
  find_rows();
  constexpr std::array kBySlice = {TestedColumn::ts, TestedColumn::ts_end, TestedColumn::dur,
                                   TestedColumn::self_dur};
  const bool tests_ids =
      tests(TestedColumn::slice_id) && !filter.of(TestedColumn::slice_id).is_interval();
  counts_names_ = reads_names_ && !by_name_ && !reads_flags_ && !tests_ids &&
                  std::ranges::none_of(with_, std::identity()) &&
                  std::ranges::none_of(kBySlice, tests);
  if (!counts_names_) return;
  for (const std::vector<std::uint32_t>& names : names_) {
    std::vector<std::uint8_t> holds(names.size());
    std::ranges::transform(names, holds.begin(), [](std::uint32_t name) {
      return static_cast<std::uint8_t>(name != kNotHeld ? 1 : 0);
    });
    masks_.push_back(std::make_unique<NameMask>(std::move(holds)));
  }
}

void GroupedScan::find_names() {
  if (!reads_names_) {
    name_values_.emplace_back();
    return;
  }
  const bool by_id = has_key(query_, GroupKey::name_id);
  std::unordered_map<std::string_view, std::uint32_t> keys;
  for (std::uint32_t input = 0; input < data_.inputs().size(); ++input) {
    const std::uint32_t count = data_.timeline(input).strings->size();
    std::vector<std::uint32_t>& names = names_.emplace_back(count, kNotHeld);
    for (std::uint32_t i = 0; i < count && !data_.stopped(); ++i) {
      const std::int64_t id = data_.name_key(input, StringId{i});
      if (!filter_.of(TestedColumn::name_id).holds(id)) continue;
      const std::string_view text = data_.text(input, StringId{i});
      if (!filter_.text_holds(TestedColumn::name, text)) continue;
      const auto next = static_cast<std::uint32_t>(name_values_.size());
      if (!by_name_) {
        names[i] = 0;
        if (next == 0) name_values_.emplace_back();
      } else if (by_id) {
        names[i] = next;
        name_values_.emplace_back(id, text);
      } else {
        const auto [found, is_new] = keys.try_emplace(text, next);
        names[i] = found->second;
        if (is_new) name_values_.emplace_back(id, text);
      }
    }
  }
  // Texts that differ have their own keys, in the order of names.
  names_as_they_are_ = std::ranges::all_of(names_, [](const std::vector<std::uint32_t>& names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (names[i] != i) return false;
    }
    return true;
  });
}

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

bool GroupedScan::track_holds(const NumberedRow& row) const {
  const RowKeys keys = keys_of(data_, row);
  const auto holds = [&](TestedColumn column, std::int64_t key) {
    return filter_.of(column).is_all() || (key != 0 && filter_.of(column).holds(key));
  };
  if (!holds(TestedColumn::track_id, keys.track) || !holds(TestedColumn::thread_id, keys.thread) ||
      !holds(TestedColumn::process_id, keys.process) ||
      !holds(TestedColumn::trace_id, keys.trace)) {
    return false;
  }
  return std::ranges::all_of(filter_.texts, [&](const GroupedFilter::Text& test) {
    if (test.column == TestedColumn::name) return true;
    const RowText text = row_text(data_, row, column_of_row(test.column));
    return text.has && test.holds(text.text);
  });
}

void GroupedScan::find_rows() {
  std::map<std::pair<std::uint32_t, TrackId>, bool> held;
  const NumberSet& depths = filter_.of(TestedColumn::depth);
  for (const NumberedRow& row : data_.slice_numbers().rows()) {
    if (row.kind != TrackKind::thread) continue;
    const TrackSlices& track = track_slices(data_, row);
    const auto [known, is_new] = held.try_emplace({row.input, row.track});
    if (is_new) known->second = track_holds(row);
    if (!known->second) continue;
    const bool nests = !track.has_overlaps && track.blocks.size() == 1;
    const bool walks =
        (track.has_overlaps && (by_depth_ || !depths.is_all())) || (reads_self_ && !nests);
    if (walks) {
      if (!is_new) continue;
      // No slice lies in more than there are rows.
      std::size_t deepest = 1;
      for (const auto& block : track.blocks) {
        if (block == nullptr) continue;
        deepest = std::max(deepest, block->base_depth + block->rows.size());
      }
      WalkedTrack walked{row.input, &track, {}};
      for (std::uint32_t depth = 1; depth <= (by_depth_ ? deepest : 1); ++depth) {
        walked.row_keys.push_back(row_keys_of(row, depth));
      }
      walked_.push_back(std::move(walked));
      continue;
    }
    const std::uint32_t depth = depth_of_row(data_, row);
    if (!depths.holds(depth)) continue;
    ScannedRow scanned{&row, 0, 0, row.count()};
    const auto narrow = [&scanned](std::uint64_t first, std::uint64_t last) {
      scanned.first = std::max(scanned.first, first);
      scanned.last = std::min(scanned.last, last);
    };
    // Numbers and begins ascend along a row, ends nearly do.
    const NumberSet &ids = filter_.of(TestedColumn::slice_id),
                    &begins = filter_.of(TestedColumn::ts);
    const auto first_number = static_cast<std::int64_t>(row.first_number);
    if (ids.last() < first_number) continue;
    narrow(static_cast<std::uint64_t>(std::max(ids.first(), first_number) - first_number),
           static_cast<std::uint64_t>(ids.last() - first_number) + 1);
    const std::int64_t after = filter_.of(TestedColumn::ts_end).first();
    std::uint64_t ending = 0;
    if (after != INT64_MIN) {
      ending = row.slices->lower_bound(after);
      while (ending > 0 && row.slices->end_ns(ending - 1) >= after) --ending;
    }
    const std::int64_t until = std::min(begins.last(), filter_.of(TestedColumn::ts_end).last());
    narrow(std::max(ending, row.slices->lower_bound(begins.first())),
           until == INT64_MAX ? row.count() : row.slices->lower_bound(until + 1));
    if (scanned.first >= scanned.last) continue;
    scanned.row_keys = row_keys_of(row, depth);
    rows_.push_back(scanned);
  }
}

std::uint32_t GroupedScan::row_keys_of(const NumberedRow& row, std::uint32_t depth) {
  const RowKeys keys = keys_of(data_, row);
  std::vector<QueryCell> values;
  const auto add_key = [&values](std::int64_t key) {
    values.push_back(key == 0 ? QueryCell{} : QueryCell{key});
  };
  const auto add_text = [&](SliceColumn column) {
    const RowText text = row_text(data_, row, column);
    values.push_back(text.has ? QueryCell{text.text} : QueryCell{});
  };
  for (const GroupKey key : query_.keys) {
    switch (key) {
      case GroupKey::name:
      case GroupKey::name_id:
        values.emplace_back();
        break;
      case GroupKey::depth:
        values.emplace_back(std::int64_t{depth});
        break;
      case GroupKey::track_id:
        add_key(keys.track);
        break;
      case GroupKey::thread_id:
        add_key(keys.thread);
        break;
      case GroupKey::process_id:
        add_key(keys.process);
        break;
      case GroupKey::trace_id:
        add_key(keys.trace);
        break;
      case GroupKey::thread_name:
        add_text(SliceColumn::thread_name);
        break;
      case GroupKey::tid:
        add_text(SliceColumn::tid);
        break;
      case GroupKey::process_name:
        add_text(SliceColumn::process_name);
        break;
      case GroupKey::pid:
        add_text(SliceColumn::pid);
        break;
      case GroupKey::trace_name:
        add_text(SliceColumn::trace_name);
        break;
    }
  }
  const auto [found, is_new] =
      known_row_values_.try_emplace(values, static_cast<std::uint32_t>(row_values_.size()));
  if (is_new) row_values_.push_back(std::move(values));
  return found->second;
}

QueryCell GroupedScan::value(std::size_t key, GroupPlace place) const {
  const GroupKey of = query_.keys[key];
  if (of == GroupKey::name) return name_values_[place.name_keys].second;
  if (of == GroupKey::name_id) return name_values_[place.name_keys].first;
  return row_values_[place.row_keys][key];
}

void GroupedScan::run(unsigned jobs, const std::atomic<bool>& stop, const Visit& visit) const {
  std::vector<std::unique_ptr<Buffers>> buffers(std::max(1u, jobs));
  const auto of_worker = [&buffers](std::size_t worker) -> Buffers& {
    if (buffers[worker] == nullptr) buffers[worker] = std::make_unique<Buffers>();
    return *buffers[worker];
  };
  for_each_until(walked_.size(), jobs, &stop, [&](std::size_t worker, std::size_t i) {
    walk(walked_[i], stop, of_worker(worker),
         [&](const ScannedSlices& slices) { visit(worker, slices); });
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
                             [&](const ScannedSlices& slices) { visit(worker, slices); });
        }
        scan_piece(rows_[piece.number], piece, of_worker(worker),
                   [&](const ScannedSlices& slices) { visit(worker, slices); });
      });
}

void GroupedScan::scan_piece(const ScannedRow& row, const SliceSpan& piece, Buffers& at,
                             const std::function<void(const ScannedSlices&)>& visit) const {
  const NumberedRow& of = *row.row;
  const bool with_begins = with_[static_cast<std::size_t>(GroupedMeasure::ts)];
  const bool with_ends = with_[static_cast<std::size_t>(GroupedMeasure::ts_end)];
  const bool with_lengths = with_[static_cast<std::size_t>(GroupedMeasure::dur)];
  const auto tested = [&](TestedColumn column) { return !filter_.of(column).is_all(); };
  // All times of a chunk may lie in the range that is asked for.
  const auto any_outside = [&](TestedColumn column, const SliceChunk& chunk) {
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
    const bool test_begins = any_outside(TestedColumn::ts, chunk);
    const bool test_ends = any_outside(TestedColumn::ts_end, chunk);
    const bool needs_ends = with_ends || reads_self_ || test_ends;
    const bool needs_begins = with_begins || needs_ends || test_begins;
    const bool needs_lengths = with_lengths || needs_ends || tested(TestedColumn::dur);
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
    const auto test_numbers = [&](TestedColumn column, const auto& value) {
      const NumberSet& set = filter_.of(column);
      if (set.is_all()) return;
      if (set.is_interval()) {
        const std::int64_t low = set.first(), high = set.last();
        test([&](std::uint32_t k) { return value(k) >= low && value(k) <= high; });
      } else {
        test([&](std::uint32_t k) { return set.holds(value(k)); });
      }
    };
    if (test_begins) test_numbers(TestedColumn::ts, [&](std::uint32_t k) { return begins[k]; });
    if (test_ends) test_numbers(TestedColumn::ts_end, [&](std::uint32_t k) { return ends[k]; });
    test_numbers(TestedColumn::dur, [&](std::uint32_t k) { return lengths[k]; });
    test_numbers(TestedColumn::self_dur, [&](std::uint32_t k) { return selfs[k]; });
    if (!filter_.of(TestedColumn::slice_id).is_interval()) {
      const auto number = static_cast<std::int64_t>(of.first_number + i);
      test_numbers(TestedColumn::slice_id, [&](std::uint32_t k) { return number + k; });
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
  const auto holds = [this](TestedColumn column, std::int64_t value) {
    return filter_.of(column).holds(value);
  };
  const std::uint8_t flags = reads_flags_ ? row.slices->flags(slice) : 0;
  return holds(TestedColumn::ts, call.begin_ns) && holds(TestedColumn::ts_end, call.end_ns) &&
         holds(TestedColumn::dur, call.duration_ns()) &&
         holds(TestedColumn::self_dur, finished.self_ns) &&
         holds(TestedColumn::depth, std::int64_t{depth} + 1) &&
         holds(TestedColumn::slice_id, static_cast<std::int64_t>(row.first_number + slice)) &&
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
