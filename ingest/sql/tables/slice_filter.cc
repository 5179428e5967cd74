#include "ingest/sql/tables/slice_filter.h"

#include <algorithm>
#include <bit>

#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMostParents = 1 << 20;  // that are looked at one by one

// Of spans in order. Where calls partly overlap, those in which children of theirs lie do, too.
void join_overlapping(std::vector<ScannedSpan>& spans) {
  std::size_t kept = 0;
  for (const ScannedSpan& each : spans) {
    if (kept > 0 && spans[kept - 1].row == each.row && each.first < spans[kept - 1].end) {
      spans[kept - 1].end = std::max(spans[kept - 1].end, each.end);
    } else {
      spans[kept++] = each;
    }
  }
  spans.resize(kept);
}

}  // namespace

std::string SliceFilter::set(const std::vector<PlanTerm>& terms,
                             std::span<sqlite3_value*> arguments) {
  numbers_.fill({});
  track_texts_.clear();
  std::vector<TextTest> names;
  for (std::size_t i = 0; i < terms.size() && i < arguments.size(); ++i) {
    const PlanTerm& term = terms[i];
    if (term.column < 0) continue;  // LIMIT, OFFSET
    const SliceColumn column = rows_.columns[static_cast<std::size_t>(term.column)];
    if (!is_text(column)) {
      of(column).keep(numbers_of(term, arguments[i]));
      continue;
    }
    TrackText text{column, {}};
    if (std::string wrong = text.test.set(term, arguments[i], data_); !wrong.empty()) return wrong;
    if (column == SliceColumn::name) {
      names.push_back(std::move(text.test));
    } else {
      track_texts_.push_back(std::move(text));
    }
  }
  names_.set(std::move(names), of(SliceColumn::name_id));
  const auto tests = [this](SliceColumn column) { return !of(column).is_all(); };
  constexpr std::array kOneByOne = {SliceColumn::ts_end, SliceColumn::self_dur, SliceColumn::depth,
                                    SliceColumn::parent_slice_id};
  flags_tested_ = std::ranges::any_of(kFlagColumns, tests, &FlagColumn::column);
  one_by_one_ = flags_tested_ || std::ranges::any_of(kOneByOne, tests) ||
                !of(SliceColumn::ts).is_interval() || !of(SliceColumn::dur).is_interval();
  return {};
}

bool SliceFilter::admits(const NumberedRow& row) const {
  if (!rows_.has(row)) return false;
  const RowKeys keys = keys_of(data_, row);
  if (!of(SliceColumn::trace_id).holds(keys.trace)) return false;
  if (!of(SliceColumn::track_id).holds(keys.track)) return false;
  // What is NULL equals nothing and is neither larger nor smaller.
  const auto holds = [](const NumberSet& set, std::int64_t key) {
    return set.is_all() || (key != 0 && set.holds(key));
  };
  if (!holds(of(SliceColumn::thread_id), keys.thread) ||
      !holds(of(SliceColumn::process_id), keys.process)) {
    return false;
  }
  const NumberSet& depths = of(SliceColumn::depth);
  if (!depths.is_all() && row_is_depth(data_, row) && !depths.holds(depth_of_row(data_, row))) {
    return false;
  }
  return std::ranges::all_of(track_texts_, [&](const TrackText& each) {
    const RowText text = row_text(data_, row, each.column);
    return text.has && each.test.holds(text.text);
  });
}

void SliceFilter::add_span(const NumberedRow& row, std::uint64_t first, std::uint64_t end,
                           std::vector<ScannedSpan>& out) const {
  const SliceRow& slices = *row.slices;
  const NumberSet &begins = of(SliceColumn::ts), &ends = of(SliceColumn::ts_end);
  if (begins.first() != INT64_MIN) first = std::max(first, slices.lower_bound(begins.first()));
  const std::int64_t last_ns = std::min(begins.last(), ends.last());
  if (last_ns != INT64_MAX) end = std::min(end, slices.lower_bound(last_ns + 1));
  if (ends.first() != INT64_MIN) {
    // A slice ends at most the tolerance after the next one begins.
    const Track& track = data_.timeline(row.input).tracks[index(row.track)];
    const std::uint64_t begun =
        slices.lower_bound(saturating_difference(ends.first(), track.tolerance_ns));
    first = std::max(first, begun > 0 ? begun - 1 : 0);
  }
  if (first < end) out.push_back({&row, first, end});
}

void SliceFilter::add_numbers(const NumberSet::Interval& numbers,
                              std::vector<ScannedSpan>& out) const {
  const std::span<const NumberedRow> rows = rows_.numbers(data_).rows();
  const auto first = static_cast<std::uint64_t>(std::max<std::int64_t>(numbers.first, 1));
  const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(numbers.last, 0));
  auto row = std::ranges::partition_point(
      rows, [first](const NumberedRow& each) { return each.end_number() <= first; });
  for (; row != rows.end() && row->first_number <= last; ++row) {
    if (!admits(*row)) continue;
    const std::uint64_t from = std::max(first, row->first_number) - row->first_number;
    add_span(*row, from, std::min(last - row->first_number, row->count() - 1) + 1, out);
  }
}

void SliceFilter::add_rows(std::span<const NumberedRow> rows, std::vector<ScannedSpan>& out) const {
  for (const NumberedRow& row : rows) {
    if (admits(row)) add_span(row, 0, row.count(), out);
  }
}

// Where the children of a slice may lie; passes() tells which of them are.
void SliceFilter::add_children(std::uint64_t parent, std::vector<ScannedSpan>& out) const {
  const SliceNumbers& numbers = data_.slice_numbers();
  const std::optional<NumberedPlace> place = numbers.place_of(parent);
  if (!place || !rows_.has(*place->row)) return;
  const NumberedRow& of = *place->row;
  const std::int64_t begin_ns = of.slices->begin_ns(place->index);
  const std::int64_t after_ns = saturating_sum(of.slices->end_ns(place->index), 1);
  const auto add = [&](const NumberedRow& row) {
    if (!admits(row)) return;
    add_span(row, row.slices->lower_bound(begin_ns), row.slices->lower_bound(after_ns), out);
  };
  const std::span<const NumberedRow> rows = numbers.rows_of(of.input, of.track);
  if (nests_plainly(data_, of)) {
    const NumberedRow* below = &of + 1;
    if (below < rows.data() + rows.size() && below->row == of.row + 1) add(*below);
    return;
  }
  for (const NumberedRow& row : rows) {
    if (row.block != of.block || row.row > of.row) add(row);
  }
}

std::vector<ScannedSpan> SliceFilter::spans() {
  std::vector<ScannedSpan> out;
  if (std::ranges::any_of(numbers_, &NumberSet::empty)) return out;
  const SliceNumbers& numbers = rows_.numbers(data_);
  if (const NumberSet& wanted = of(SliceColumn::number); !wanted.is_all()) {
    for (const NumberSet::Interval& each : wanted.intervals()) add_numbers(each, out);
    return out;
  }
  const auto slices = static_cast<std::int64_t>(data_.slice_numbers().count());
  if (const NumberSet& parents = of(SliceColumn::parent_slice_id);
      !parents.is_all() && parents.count_in(1, slices) <= kMostParents) {
    for (const std::int64_t id : parents.numbers_in(1, slices)) {
      add_children(static_cast<std::uint64_t>(id), out);
    }
    std::ranges::sort(out, {},
                      [](const ScannedSpan& each) { return each.row->first_number + each.first; });
    join_overlapping(out);
    return out;
  }
  const auto add_tracks = [&](const std::vector<std::int64_t>& keys, const auto& place_of) {
    for (const std::int64_t key : keys) {
      if (const auto place = place_of(key)) {
        add_rows(rows_.on_track(data_, place->input, place->id), out);
      }
    }
    std::ranges::sort(out, {}, [](const ScannedSpan& each) { return each.row->first_number; });
    return out;
  };
  using Place = std::optional<QueryData::Place<TrackId>>;
  if (const NumberSet& tracks = of(SliceColumn::track_id); !tracks.is_all()) {
    return add_tracks(tracks.numbers_in(1, data_.track_count()),
                      [&](std::int64_t key) { return data_.track_of(key); });
  }
  if (const NumberSet& threads = of(SliceColumn::thread_id);
      !threads.is_all() && rows_.of_threads) {
    return add_tracks(threads.numbers_in(1, data_.thread_count()), [&](std::int64_t key) -> Place {
      const auto thread = data_.thread_of(key);
      if (!thread) return std::nullopt;
      const TrackId track =
          data_.timeline(thread->input).threads[cinderscope::index(thread->id)].track;
      return Place({thread->input, track});
    });
  }
  add_rows(numbers.rows(), out);
  return out;
}

bool SliceFilter::passes(const NumberedRow& row, std::uint64_t at) {
  const SliceRow& slices = *row.slices;
  const NumberSet& begins = of(SliceColumn::ts);
  if (!begins.is_interval() && !begins.holds(slices.begin_ns(at))) return false;
  const NumberSet &lengths = of(SliceColumn::dur), &ends = of(SliceColumn::ts_end);
  if (!lengths.is_interval() && !lengths.holds(slices.duration_ns(at))) return false;
  if (!ends.is_all() && !ends.holds(slices.end_ns(at))) return false;
  if (flags_tested_) {
    const std::uint8_t flags = slices.flags(at);
    const bool held = std::ranges::all_of(kFlagColumns, [&](const FlagColumn& flag) {
      return of(flag.column).holds((flags & flag.bit) != 0 ? 1 : 0);
    });
    if (!held) return false;
  }
  const NumberSet& depths = of(SliceColumn::depth);
  if (!depths.is_all() && !row_is_depth(data_, row) && !depths.holds(nesting_.depth(row, at))) {
    return false;
  }
  if (const NumberSet& parents = of(SliceColumn::parent_slice_id); !parents.is_all()) {
    const std::uint64_t parent = nesting_.parent(row, at);
    if (parent == 0 || !parents.holds(static_cast<std::int64_t>(parent))) return false;
  }
  const NumberSet& selfs = of(SliceColumn::self_dur);
  return selfs.is_all() || selfs.holds(nesting_.self_ns(row, at));
}

bool SliceFilter::mark(const ScannedSpan& span, std::uint64_t number, const TimeBounds& durations,
                       ChunkBits& bits) {
  const SliceChunk& chunk = *span.row->slices->chunks[number];
  const std::uint64_t begin = number * kChunkSlices;
  if (names_.any()) {
    if (mark_names(chunk, names_.mask(span.row->input), bits) == 0) return false;
  } else {
    bits = all_bits(chunk.count());
  }
  if (span.first > begin || span.end < begin + chunk.count()) {
    const auto first = static_cast<std::uint32_t>(std::max(span.first, begin) - begin);
    const auto end = static_cast<std::uint32_t>(std::min(span.end, begin + chunk.count()) - begin);
    keep_between(first, end, bits);
  }
  const NumberSet& lengths = of(SliceColumn::dur);
  const TimeBounds wanted{std::max(lengths.first(), durations.first_ns),
                          std::min(lengths.last(), durations.last_ns)};
  if (wanted.first_ns > 0 || wanted.last_ns != INT64_MAX) {
    keep_durations(chunk, wanted, false, bits);
  }
  std::uint64_t any = 0;
  for (std::uint32_t word = 0; word < bits.size(); ++word) {
    if (one_by_one_) {
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t at = begin + std::uint64_t{word} * 64 + k;
        if (!passes(*span.row, at)) bits[word] &= ~(std::uint64_t{1} << k);
      }
    }
    any |= bits[word];
  }
  return any != 0;
}

}  // namespace cinderscope
