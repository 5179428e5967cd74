#include "ingest/totals/segment_columns.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

namespace cinderscope {

namespace {

constexpr std::uint64_t kMostSizes = 2;  // a segment so many times as large as it was to be is cut
constexpr int kPlainBits = 62;           // sums of a segment that fit are added up as plain numbers

// The slices that begin in the segment, from `slot` on; returns all bits that durations have.
std::uint64_t read_row(const SliceRow& slices, const SegmentRow& row, std::size_t slot,
                       const Edges& edges, SegmentColumns& columns) {
  std::uint64_t any_bit = 0;
  for (std::uint64_t i = row.first; i < row.first + row.count;) {
    const SliceChunk& chunk = slices.chunk_of(i);
    const std::uint32_t at = SliceRow::in_chunk(i);
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(chunk.count() - at, row.first + row.count - i));
    std::int64_t* begins = columns.begins.data() + slot;
    std::int64_t* ends = columns.ends.data() + slot;
    chunk.read_begins(at, std::span(begins, count));
    chunk.read_durations(at, std::span(ends, count));
    chunk.read_names(at, std::span(columns.names.data() + slot, count));
    for (std::uint32_t k = 0; k < count; ++k) ends[k] += begins[k];
    if (chunk.first_begin_ns() < edges.begin_ns || chunk.last_end_ns() > edges.end_ns) {
      for (std::uint32_t k = 0; k < count; ++k) {
        begins[k] = std::max(begins[k], edges.begin_ns);
        ends[k] = std::min(ends[k], edges.end_ns);
      }
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      any_bit |= static_cast<std::uint64_t>(ends[k]) - static_cast<std::uint64_t>(begins[k]);
    }
    i += count;
    slot += count;
  }
  return any_bit;
}

// Fills only `columns.rows`.
void list_begun(const TimeSegment& segment, SegmentColumns& columns) {
  columns.rows.clear();
  for (const SliceSpan& span : segment.track->rows) {
    const SliceSpan begun = begun_in(span, segment);
    columns.rows.push_back({.first = begun.first, .count = begun.count()});
  }
}

// Of a segment that is listed and too large: `segment` becomes its first part, up to the middle of
// its longest row; the rest is returned.
std::optional<TimeSegment> cut_in_two(TimeSegment& segment, const SegmentColumns& listed,
                                      const SegmentSize& size, std::int64_t scope_begin_ns) {
  std::uint64_t count = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < listed.rows.size(); ++i) {
    count += listed.rows[i].count;
    if (listed.rows[i].count > listed.rows[longest].count) longest = i;
  }
  const bool fits =
      count <= kMostSizes * size.slices || count <= 2 * size.row_slices * listed.rows.size();
  if (fits) return std::nullopt;
  const SegmentRow& row = listed.rows[longest];
  const SliceRow& slices = *segment.track->rows[longest].row;
  const std::int64_t border_ns = slices.begin_ns(row.first + row.count / 2);
  // Many may begin at once.
  const bool divides = border_ns > std::max(segment.begin_ns, scope_begin_ns) &&
                       slices.begin_ns(row.first) < border_ns;
  if (!divides) return std::nullopt;
  TimeSegment later = segment;
  later.first = false;
  later.begin_ns = segment.end_ns = border_ns;
  return later;
}

}  // namespace

void for_fitting_parts(const TimeSegment& segment, const SegmentSize& size,
                       std::int64_t scope_begin_ns, SegmentColumns& columns,
                       const std::function<bool()>& stopped,
                       const std::function<void(const TimeSegment& part)>& add) {
  std::vector<TimeSegment> left = {segment};  // the next one last
  while (!left.empty() && !stopped()) {
    TimeSegment part = left.back();
    left.pop_back();
    list_begun(part, columns);
    if (const auto later = cut_in_two(part, columns, size, scope_begin_ns)) {
      left.push_back(*later);
      left.push_back(part);
    } else {
      add(part);
    }
  }
}

SegmentFacts read_columns(const TimeSegment& segment, const Edges& edges, std::uint32_t nobody,
                          SegmentColumns& columns) {
  const std::vector<SliceSpan>& spans = segment.track->rows;
  std::size_t slots = 1;
  for (SegmentRow& row : columns.rows) {
    row.first_slot = slots;
    slots += 1 + row.count + kPadSlots;
  }
  columns.begins.resize(slots);
  columns.ends.resize(slots);
  columns.names.resize(slots);
  columns.parents.resize(slots);
  columns.above.resize(slots);
  columns.begins[0] = columns.ends[0] = INT64_MIN;
  columns.names[0] = nobody;
  columns.above[0] = {};
  bool nests = true;
  std::uint64_t any_bit = 0, calls = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const SliceSpan& span = spans[i];
    SegmentRow& row = columns.rows[i];
    nests &= i == 0 ||
             (span.depth == spans[i - 1].depth + 1 && span.place.block == spans[i - 1].place.block);
    const std::size_t carried = row.first_slot;
    columns.begins[carried] = columns.ends[carried] = INT64_MIN;
    columns.names[carried] = nobody;
    if (row.first > span.first) {
      const std::int64_t end_ns = std::min(span.row->end_ns(row.first - 1), edges.end_ns);
      row.carried = end_ns > segment.begin_ns;
      // Of neighbours that overlap by rounding two may go on.
      nests &= row.first - 1 == span.first || span.row->end_ns(row.first - 2) <= segment.begin_ns;
      if (row.carried) {
        columns.begins[carried] = std::max(span.row->begin_ns(row.first - 1), edges.begin_ns);
        columns.ends[carried] = end_ns;
        columns.names[carried] = index(span.row->name(row.first - 1));
        any_bit |= static_cast<std::uint64_t>(end_ns) -
                   static_cast<std::uint64_t>(columns.begins[carried]);
      }
    }
    const std::size_t first_slot = row.first_slot + 1;
    any_bit |= read_row(*span.row, row, first_slot, edges, columns);
    std::fill_n(columns.begins.begin() + static_cast<std::ptrdiff_t>(first_slot + row.count),
                kPadSlots, INT64_MAX);
    calls += row.count + 1;
  }
  return {nests, std::bit_width(any_bit) + std::bit_width(calls) <= kPlainBits};
}

}  // namespace cinderscope
