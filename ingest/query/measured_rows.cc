#include "ingest/query/measured_rows.h"

#include <algorithm>

#include "ingest/parallel.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kPieceSlices = std::uint64_t{64} * kChunkSlices;

// The slices of a row that overlap [begin_ns, end_ns).
RowStretch stretch_of(const SliceRow& row, std::int64_t begin_ns, std::int64_t end_ns) {
  RowStretch stretch{.row = &row};
  stretch.first = row.lower_bound(begin_ns);
  // Neighbours may overlap by the file's last decimal, so it may be more than one.
  while (stretch.first > 0 && row.end_ns(stretch.first - 1) > begin_ns) --stretch.first;
  stretch.last = end_ns == INT64_MAX ? row.count() : row.lower_bound(end_ns);
  stretch.last = std::max(stretch.first, stretch.last);
  return stretch;
}

}  // namespace

Edges edges_of(const StatisticsQuery& query) {
  if (query.whole_calls) return {};
  return {query.scope.begin_ns, query.scope.end_ns};
}

std::vector<MeasuredTrack> measured_tracks(const SliceSet& set, const StatisticsQuery& query,
                                           const std::atomic<bool>* cancelled) {
  std::vector<MeasuredTrack> tracks;
  const SliceScope& scope = query.scope;
  if (scope.begin_ns >= scope.end_ns) return tracks;
  for (const TrackSlices& slices : set.tracks) {
    if (is_set(cancelled)) break;
    if (!scope.has_track(slices.track)) continue;
    if (scope.track == kNoTrack && !query.all_kinds && slices.kind != TrackKind::thread) continue;
    MeasuredTrack track{.slices = &slices};
    track.nested = !slices.has_overlaps && slices.kind != TrackKind::async;
    for (std::uint32_t b = 0; b < slices.blocks.size(); ++b) {
      if (slices.blocks[b] == nullptr) continue;
      if (b > 0) track.nested = false;
      const SliceBlock& block = *slices.blocks[b];
      for (std::uint32_t r = 0; r < block.rows.size(); ++r) {
        RowStretch stretch = stretch_of(block.rows[r], scope.begin_ns, scope.end_ns);
        if (stretch.count() == 0) continue;
        stretch.place = {slices.track, BlockId{b}, r, 0};
        stretch.depth = block.base_depth + r;
        track.count += stretch.count();
        track.rows.push_back(stretch);
      }
    }
    if (track.count > 0) tracks.push_back(std::move(track));
  }
  return tracks;
}

std::vector<RowStretch> pieces_of(std::span<const MeasuredTrack> tracks) {
  std::vector<RowStretch> pieces;
  for (const MeasuredTrack& track : tracks) {
    for (RowStretch piece : track.rows) {
      const std::uint64_t last = piece.last;
      while (piece.first < last) {
        // At the border of a chunk, so that no two workers read the same one.
        piece.last = std::min(last, (piece.first / kPieceSlices + 1) * kPieceSlices);
        pieces.push_back(piece);
        piece.first = piece.last;
      }
    }
  }
  return pieces;
}

void for_each_until(std::size_t count, unsigned jobs, const std::atomic<bool>* cancelled,
                    const std::function<void(std::size_t worker, std::size_t i)>& work) {
  std::atomic<std::size_t> next{0};
  const std::size_t workers = std::clamp<std::size_t>(jobs, 1, std::max<std::size_t>(count, 1));
  parallel_for(workers, static_cast<unsigned>(workers), [&](std::size_t worker) {
    for (std::size_t i = next++; i < count && !is_set(cancelled); i = next++) work(worker, i);
  });
}

void for_pieces(std::span<const RowStretch> pieces, unsigned jobs,
                const std::atomic<bool>* cancelled,
                const std::function<void(std::size_t worker, const RowStretch& piece)>& work) {
  std::vector<std::size_t> batches{0};  // where each begins
  std::uint64_t slices = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    slices += pieces[i].count();
    if (slices < kPieceSlices && i + 1 < pieces.size() && i - batches.back() < kPieceSlices) {
      continue;
    }
    batches.push_back(i + 1);
    slices = 0;
  }
  for_each_until(batches.size() - 1, jobs, cancelled, [&](std::size_t worker, std::size_t batch) {
    for (std::size_t i = batches[batch]; i < batches[batch + 1]; ++i) work(worker, pieces[i]);
  });
}

}  // namespace cinderscope
