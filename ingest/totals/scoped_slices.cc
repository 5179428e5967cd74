#include "ingest/totals/scoped_slices.h"

#include <algorithm>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kBatchSlices = std::uint64_t{1} << 15;
constexpr std::uint64_t kPieceSlices = std::uint64_t{64} * kChunkSlices;

}  // namespace

SliceSpan span_of(const SliceRow& row, const Edges& edges) {
  SliceSpan span{.row = &row};
  span.first = row.lower_bound(edges.begin_ns);
  // Neighbours may overlap by the file's last decimal, so it may be more than one.
  while (span.first > 0 && row.end_ns(span.first - 1) > edges.begin_ns) --span.first;
  span.last = edges.end_ns == INT64_MAX ? row.count() : row.lower_bound(edges.end_ns);
  span.last = std::max(span.first, span.last);
  return span;
}

Edges edges_of(const StatisticsQuery& query) {
  if (query.whole_calls) return {};
  return {query.scope.begin_ns, query.scope.end_ns};
}

MeasuredTrack measured_track(const TrackSlices& slices, const Scope& scope) {
  MeasuredTrack track{.slices = &slices};
  track.nested = !slices.has_overlaps && !is_packed(slices.kind);
  std::uint32_t number = 0;
  for (std::uint32_t b = 0; b < slices.blocks.size(); ++b) {
    if (slices.blocks[b] == nullptr) continue;
    if (b > 0) track.nested = false;
    const SliceBlock& block = *slices.blocks[b];
    for (std::uint32_t r = 0; r < block.rows.size(); ++r, ++number) {
      SliceSpan span = span_of(block.rows[r], {scope.begin_ns, scope.end_ns});
      if (span.count() == 0) continue;
      span.place = {slices.track, BlockId{b}, r, 0};
      span.depth = block.base_depth + r;
      span.number = number;
      track.count += span.count();
      track.rows.push_back(span);
    }
  }
  return track;
}

std::vector<MeasuredTrack> measured_tracks(const SliceSet& set, const StatisticsQuery& query,
                                           const std::atomic<bool>* cancelled) {
  std::vector<MeasuredTrack> tracks;
  const Scope& scope = query.scope;
  if (scope.begin_ns >= scope.end_ns) return tracks;
  for (const TrackSlices& slices : set.tracks) {
    if (is_set(cancelled)) break;
    if (!is_measured(slices, scope)) continue;
    MeasuredTrack track = measured_track(slices, scope);
    if (track.count > 0) tracks.push_back(std::move(track));
  }
  return tracks;
}

std::vector<SliceSpan> pieces_of(std::span<const SliceSpan> spans) {
  std::vector<SliceSpan> pieces;
  for (SliceSpan piece : spans) {
    const std::uint64_t last = piece.last;
    while (piece.first < last) {
      // At the border of a chunk, so that no two workers read the same one.
      piece.last = std::min(last, (piece.first / kPieceSlices + 1) * kPieceSlices);
      pieces.push_back(piece);
      piece.first = piece.last;
    }
  }
  return pieces;
}

std::vector<SliceSpan> pieces_of(std::span<const MeasuredTrack> tracks) {
  std::vector<SliceSpan> rows;
  for (const MeasuredTrack& track : tracks) {
    rows.insert(rows.end(), track.rows.begin(), track.rows.end());
  }
  return pieces_of(rows);
}

std::vector<TimeSegment> segments_of(std::span<const MeasuredTrack> tracks, const Scope& scope,
                                     const SegmentSize& size) {
  std::vector<TimeSegment> segments;
  for (std::uint32_t number = 0; number < tracks.size(); ++number) {
    const MeasuredTrack& track = tracks[number];
    const std::uint64_t most = track.count / (size.row_slices * track.rows.size());
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(track.count / size.slices, 1, std::max<std::uint64_t>(1, most));
    const SliceSpan& longest = *std::max_element(
        track.rows.begin(), track.rows.end(),
        [](const SliceSpan& a, const SliceSpan& b) { return a.count() < b.count(); });
    TimeSegment segment{.track = &track, .track_number = number, .first = true};
    segment.slice_count = track.count / wanted;
    for (std::uint64_t i = 1; i < wanted; ++i) {
      segment.end_ns = longest.row->begin_ns(longest.first + longest.count() / wanted * i);
      // Calls are cut where the scope begins: no segment lies before that.
      if (segment.end_ns <= std::max(segment.begin_ns, scope.begin_ns)) continue;
      segments.push_back(segment);
      segment.first = false;
      segment.begin_ns = segment.end_ns;
    }
    segment.end_ns = INT64_MAX;
    segments.push_back(segment);
  }
  return segments;
}

SliceSpan begun_in(const SliceSpan& row, const TimeSegment& segment) {
  SliceSpan begun = row;
  if (!segment.first) {
    begun.first = std::clamp(row.row->lower_bound(segment.begin_ns), row.first, row.last);
  }
  if (segment.end_ns != INT64_MAX) {
    begun.last = std::clamp(row.row->lower_bound(segment.end_ns), begun.first, row.last);
  }
  return begun;
}

void for_each_until(std::size_t count, unsigned jobs, const std::atomic<bool>* cancelled,
                    const std::function<void(std::size_t worker, std::size_t i)>& work) {
  std::atomic<std::size_t> next{0};
  const std::size_t workers = std::clamp<std::size_t>(jobs, 1, std::max<std::size_t>(count, 1));
  parallel_for(workers, static_cast<unsigned>(workers), [&](std::size_t worker) {
    for (std::size_t i = next++; i < count && !is_set(cancelled); i = next++) {
      yield_to_ui();
      work(worker, i);
    }
  });
}

void for_batches(std::size_t count, const std::function<std::uint64_t(std::size_t i)>& slices_of,
                 unsigned jobs, const std::atomic<bool>* cancelled,
                 const std::function<void(std::size_t worker, std::size_t i)>& work) {
  std::vector<std::size_t> batches{0};  // where each begins
  std::uint64_t slices = 0;
  for (std::size_t i = 0; i < count; ++i) {
    slices += slices_of(i);
    if (slices < kBatchSlices && i + 1 < count && i - batches.back() < kBatchSlices) continue;
    batches.push_back(i + 1);
    slices = 0;
  }
  for_each_until(batches.size() - 1, jobs, cancelled, [&](std::size_t worker, std::size_t batch) {
    for (std::size_t i = batches[batch]; i < batches[batch + 1] && !is_set(cancelled); ++i) {
      work(worker, i);
    }
  });
}

void parallel_for_spans(
    std::span<const SliceSpan> pieces, unsigned jobs, const std::atomic<bool>* cancelled,
    const std::function<void(std::size_t worker, const SliceSpan& piece)>& work) {
  for_batches(
      pieces.size(), [&](std::size_t i) { return pieces[i].count(); }, jobs, cancelled,
      [&](std::size_t worker, std::size_t i) { work(worker, pieces[i]); });
}

}  // namespace cinderscope
