// The slices of a scope: spans of rows, cut into segments, and threads to go through them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

// Neighbouring slices of one row that the query measures.
struct SliceSpan {
  const SliceRow* row = nullptr;
  SliceRef place;            // of slice 0 of the row
  std::uint32_t depth = 0;   // absolute
  std::uint32_t number = 0;  // among all rows of the track, block by block
  std::uint64_t first = 0, last = 0;

  std::uint64_t count() const { return last - first; }
};

// A track and its rows that have measured slices, by (block, row).
struct MeasuredTrack {
  const TrackSlices* slices = nullptr;
  std::vector<SliceSpan> rows;
  std::uint64_t count = 0;
  // One block whose slices nest, so that all children of a slice are on the row below.
  bool nested = true;
};

// The rows of a track that the scope reaches; `count` is 0 where it reaches none.
MeasuredTrack measured_track(const TrackSlices& slices, const Scope& scope);
std::vector<MeasuredTrack> measured_tracks(const SliceSet& set, const StatisticsQuery& query,
                                           const std::atomic<bool>* cancelled = nullptr);

// Calls are cut to [begin, end).
struct Edges {
  std::int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;
  // By name: the one that it is counted as, where several are measured together; null: itself.
  const std::uint32_t* names_as = nullptr;

  std::uint32_t counted_as(std::uint32_t name) const {
    return names_as == nullptr ? name : names_as[name];
  }
};
Edges edges_of(const StatisticsQuery& query);

// The slices of a row that overlap the edges, if those are a range.
SliceSpan span_of(const SliceRow& row, const Edges& edges);

// A part of a track's time with the calls that begin in it.
struct TimeSegment {
  const MeasuredTrack* track = nullptr;
  std::uint32_t track_number = 0;  // among those that are measured
  bool first = false;              // the first of its track
  std::int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;
  std::uint64_t slice_count = 0;  // estimated
};

// The size of segments that are handed to threads.
struct SegmentSize {
  std::uint64_t slices = std::uint64_t{1} << 15;  // estimated; their columns fit a core's cache
  std::uint64_t row_slices = 16;  // on average at least: a segment looks for its place in every row
};
std::vector<TimeSegment> segments_of(std::span<const MeasuredTrack> tracks, const Scope& scope,
                                     const SegmentSize& size);
// The slices of a row that begin in the segment.
SliceSpan begun_in(const SliceSpan& row, const TimeSegment& segment);

// Up to a chunk of slices in full width, cut to the edges.
struct SliceColumns {
  std::array<std::int64_t, kChunkSlices> begins, durations;
  std::array<std::uint32_t, kChunkSlices> names;
};

// Calls `visit(columns, chunk, i, count)` for each chunk's segment of the span; columns[0] is
// slice i of the row. Without `kWithBegins` there are begins only where they were needed.
template <bool kWithBegins = true, class Visit>
void for_columns(const SliceSpan& span, const Edges& edges, SliceColumns& columns,
                 const Visit& visit) {
  for (std::uint64_t i = span.first; i < span.last;) {
    const SliceChunk& chunk = span.row->chunk_of(i);
    const std::uint32_t at = SliceRow::in_chunk(i);
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk.count() - at, span.last - i));
    const bool cut = chunk.first_begin_ns() < edges.begin_ns || chunk.last_end_ns() > edges.end_ns;
    const std::span<std::int64_t> begins(columns.begins.data(), count);
    const std::span<std::int64_t> durations(columns.durations.data(), count);
    if (kWithBegins || cut) chunk.read_begins(at, begins);
    chunk.read_durations(at, durations);
    chunk.read_names(at, {columns.names.data(), count});
    if (edges.names_as != nullptr) {
      for (std::uint32_t k = 0; k < count; ++k) columns.names[k] = edges.names_as[columns.names[k]];
    }
    if (cut) {
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::int64_t from_ns = std::max(begins[k], edges.begin_ns);
        durations[k] = std::min(begins[k] + durations[k], edges.end_ns) - from_ns;
        begins[k] = from_ns;
      }
    }
    visit(columns, chunk, i, count);
    i += count;
  }
}

// Stretches cut into pieces of a size that is worth handing to a thread.
std::vector<SliceSpan> pieces_of(std::span<const SliceSpan> spans);
std::vector<SliceSpan> pieces_of(std::span<const MeasuredTrack> tracks);  // all of their rows

// Calls `work(worker, i)` for all i in [0, count) in ascending order for each worker, from `jobs`
// threads, until cancelled.
void for_each_until(std::size_t count, unsigned jobs, const std::atomic<bool>* cancelled,
                    const std::function<void(std::size_t worker, std::size_t i)>& work);

// for_each_until() with small items taken many at a time; `slices_of(i)` tells their size.
void for_batches(std::size_t count, const std::function<std::uint64_t(std::size_t i)>& slices_of,
                 unsigned jobs, const std::atomic<bool>* cancelled,
                 const std::function<void(std::size_t worker, std::size_t i)>& work);

// for_batches() over pieces.
void parallel_for_spans(
    std::span<const SliceSpan> pieces, unsigned jobs, const std::atomic<bool>* cancelled,
    const std::function<void(std::size_t worker, const SliceSpan& piece)>& work);

inline bool is_set(const std::atomic<bool>* flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

}  // namespace cinderscope
