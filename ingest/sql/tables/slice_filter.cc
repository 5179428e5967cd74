#include "ingest/sql/tables/slice_filter.h"

#include <algorithm>
#include <bit>

#include "ingest/base/saturating.h"

namespace cinderscope {

std::string SliceFilter::set(const std::vector<PlanTerm>& terms,
                             std::span<sqlite3_value*> arguments) {
  number_ = trace_ = track_ = thread_ = process_ = ts_ = dur_ = ts_end_ = self_dur_ = depth_ =
      parent_ = name_id_ = unfinished_ = overlapping_ = cut_begin_ = cut_end_ = IntegerSet();
  track_texts_.clear();
  std::vector<TextTest> names;
  for (std::size_t i = 0; i < terms.size() && i < arguments.size(); ++i) {
    const PlanTerm& term = terms[i];
    const auto numbers = [&](IntegerSet& set) { set.narrow(term, arguments[i]); };
    if (term.column < 0) continue;  // LIMIT, OFFSET
    const SliceColumn column = rows_.columns[static_cast<std::size_t>(term.column)];
    switch (column) {
      case SliceColumn::number:
        numbers(number_);
        break;
      case SliceColumn::trace_id:
        numbers(trace_);
        break;
      case SliceColumn::track_id:
        numbers(track_);
        break;
      case SliceColumn::thread_id:
        numbers(thread_);
        break;
      case SliceColumn::process_id:
        numbers(process_);
        break;
      case SliceColumn::ts:
        numbers(ts_);
        break;
      case SliceColumn::dur:
        numbers(dur_);
        break;
      case SliceColumn::ts_end:
        numbers(ts_end_);
        break;
      case SliceColumn::self_dur:
        numbers(self_dur_);
        break;
      case SliceColumn::depth:
        numbers(depth_);
        break;
      case SliceColumn::parent_slice_id:
        numbers(parent_);
        break;
      case SliceColumn::name_id:
        numbers(name_id_);
        break;
      case SliceColumn::unfinished:
        numbers(unfinished_);
        break;
      case SliceColumn::overlapping:
        numbers(overlapping_);
        break;
      case SliceColumn::cut_begin:
        numbers(cut_begin_);
        break;
      case SliceColumn::cut_end:
        numbers(cut_end_);
        break;
      case SliceColumn::name: {
        TextTest test;
        if (std::string wrong = test.set(term, arguments[i]); !wrong.empty()) return wrong;
        names.push_back(std::move(test));
        break;
      }
      case SliceColumn::trace_name:
      case SliceColumn::process_name:
      case SliceColumn::pid:
      case SliceColumn::thread_name:
      case SliceColumn::tid: {
        TrackText text{column, {}};
        if (std::string wrong = text.test.set(term, arguments[i]); !wrong.empty()) return wrong;
        track_texts_.push_back(std::move(text));
        break;
      }
      default:
        break;
    }
  }
  names_.set(std::move(names), name_id_);
  flags_tested_ = !unfinished_.all() || !overlapping_.all() || !cut_begin_.all() || !cut_end_.all();
  one_by_one_ = flags_tested_ || !ts_end_.all() || !self_dur_.all() || !depth_.all() ||
                !parent_.all() || ts_.listed || dur_.listed || number_.listed;
  return {};
}

bool SliceFilter::admits(const NumberedRow& row) const {
  if (!rows_.has(row)) return false;
  const RowKeys keys = keys_of(data_, row);
  if (!trace_.holds(keys.trace) || !track_.holds(keys.track)) return false;
  // What is NULL equals nothing and is neither larger nor smaller.
  const auto holds = [](const IntegerSet& set, std::int64_t key) {
    return set.all() || (key != 0 && set.holds(key));
  };
  if (!holds(thread_, keys.thread) || !holds(process_, keys.process)) return false;
  if (!depth_.all() && row_is_depth(data_, row) && !depth_.holds(depth_of_row(data_, row))) {
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
  if (ts_.bounds.first != INT64_MIN) {
    first = std::max(first, slices.lower_bound(ts_.bounds.first));
  }
  const std::int64_t last_ns = std::min(ts_.bounds.last, ts_end_.bounds.last);
  if (last_ns != INT64_MAX) end = std::min(end, slices.lower_bound(last_ns + 1));
  if (ts_end_.bounds.first != INT64_MIN) {
    // A slice ends at most the tolerance after the next one begins.
    const Track& track = data_.timeline(row.input).tracks[index(row.track)];
    const std::uint64_t begun =
        slices.lower_bound(saturating_difference(ts_end_.bounds.first, track.tolerance_ns));
    first = std::max(first, begun > 0 ? begun - 1 : 0);
  }
  if (!number_.bounds.all()) {
    const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(number_.bounds.first, 0));
    const auto high = static_cast<std::uint64_t>(std::max<std::int64_t>(number_.bounds.last, 0));
    if (low > row.first_number) first = std::max(first, low - row.first_number);
    if (high < row.end_number()) {
      end = std::min(end, high < row.first_number ? 0 : high - row.first_number + 1);
    }
  }
  if (first < end) out.push_back({&row, first, end});
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
  for (const IntegerSet* set :
       {&number_, &trace_, &track_, &thread_, &process_, &ts_, &dur_, &ts_end_, &self_dur_, &depth_,
        &parent_, &name_id_, &unfinished_, &overlapping_, &cut_begin_, &cut_end_}) {
    if (set->empty()) return out;
  }
  const SliceNumbers& numbers = rows_.numbers(data_);
  const auto values_of = [](const IntegerSet& set) {
    if (set.listed) return *set.listed;
    return set.bounds.first == set.bounds.last ? std::vector{set.bounds.first}
                                               : std::vector<std::int64_t>();
  };
  const auto positive = [](std::int64_t key) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(key, 0));
  };
  if (const auto ids = values_of(number_); !ids.empty()) {
    for (const std::int64_t id : ids) {
      const auto place = numbers.place_of(positive(id));
      if (place && number_.holds(id) && admits(*place->row)) {
        add_span(*place->row, place->index, place->index + 1, out);
      }
    }
    return out;
  }
  if (const auto parents = values_of(parent_); !parents.empty()) {
    for (const std::int64_t id : parents) add_children(positive(id), out);
    std::ranges::sort(out, {},
                      [](const ScannedSpan& each) { return each.row->first_number + each.first; });
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
  if (const auto tracks = values_of(track_); !tracks.empty()) {
    return add_tracks(tracks, [&](std::int64_t key) { return data_.track_of(key); });
  }
  if (const auto threads = values_of(thread_); !threads.empty() && rows_.of_threads) {
    return add_tracks(threads, [&](std::int64_t key) -> Place {
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
  if (number_.listed && !number_.holds(static_cast<std::int64_t>(row.first_number + at))) {
    return false;
  }
  if (ts_.listed && !ts_.holds(slices.begin_ns(at))) return false;
  if (dur_.listed && !dur_.holds(slices.duration_ns(at))) return false;
  if (!ts_end_.all() && !ts_end_.holds(slices.end_ns(at))) return false;
  if (flags_tested_) {
    const std::uint8_t flags = slices.flags(at);
    const auto holds = [flags](const IntegerSet& set, std::uint8_t flag) {
      return set.holds((flags & flag) != 0 ? 1 : 0);
    };
    if (!holds(unfinished_, kUnfinished) || !holds(overlapping_, kOverlapping) ||
        !holds(cut_begin_, kCutBegin) || !holds(cut_end_, kCutEnd)) {
      return false;
    }
  }
  if (!depth_.all() && !row_is_depth(data_, row) && !depth_.holds(nesting_.depth(row, at))) {
    return false;
  }
  if (!parent_.all()) {
    const std::uint64_t parent = nesting_.parent(row, at);
    if (parent == 0 || !parent_.holds(static_cast<std::int64_t>(parent))) return false;
  }
  return self_dur_.all() || self_dur_.holds(nesting_.self_ns(row, at));
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
  const TimeBounds wanted{std::max(dur_.bounds.first, durations.first_ns),
                          std::min(dur_.bounds.last, durations.last_ns)};
  if (wanted.first_ns > 0 || wanted.last_ns != INT64_MAX) {
    keep_durations(chunk, wanted, false, bits);
  }
  std::uint64_t any = 0;
  for (std::uint32_t word = 0; word < bits.size(); ++word) {
    if (one_by_one_) {
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (!passes(*span.row, begin + word * 64 + k)) bits[word] &= ~(std::uint64_t{1} << k);
      }
    }
    any |= bits[word];
  }
  return any != 0;
}

}  // namespace cinderscope
