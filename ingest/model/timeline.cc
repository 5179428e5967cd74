#include "ingest/model/timeline.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

// The block's row at depth `depth` of its track, if it has one.
const SliceRow* row_at(const SliceBlock& block, std::uint32_t depth) {
  if (depth < block.base_depth || depth - block.base_depth >= block.rows.size()) return nullptr;
  return &block.rows[depth - block.base_depth];
}

SliceRef loaded_parent(const Track& track, const SliceRef& ref) {
  const SliceBlock& block = *track.blocks[index(ref.block)];
  return {ref.track, block.parent_block, block.parent_row, block.parent_slice};
}

struct Interval {
  std::int64_t begin_ns, end_ns;
};

// Calls `visit` for every slice of the row that covers some of [begin_ns, end_ns), cut to it.
template <class Visit>
void for_covered(const SliceRow& row, std::int64_t begin_ns, std::int64_t end_ns, Visit visit) {
  const std::uint64_t count = row.count();
  std::uint64_t i = row.last_begun(begin_ns);
  if (i == count || row.end_ns(i) <= begin_ns) i = row.lower_bound(begin_ns);
  while (i < count) {
    const SliceChunk& chunk = row.chunk_of(i);
    for (std::uint32_t k = SliceRow::in_chunk(i); k < chunk.count(); ++k, ++i) {
      const std::int64_t from_ns = chunk.begin_ns(k);
      if (from_ns >= end_ns) return;
      visit(Interval{std::max(begin_ns, from_ns), std::min(end_ns, chunk.end_ns(k))});
    }
  }
}

// The rows that may hold children of a slice: the next one, or all deeper ones if overlapping
// slices were moved down.
std::vector<const SliceRow*> rows_below(const Track& track, std::uint32_t depth) {
  std::vector<const SliceRow*> rows;
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    const std::uint64_t end = std::uint64_t{block->base_depth} + block->rows.size();
    const std::uint64_t last = track.has_overlaps ? end : std::uint64_t{depth} + 2;
    for (std::uint64_t d = std::uint64_t{depth} + 1; d < std::min(end, last); ++d) {
      const SliceRow* row = row_at(*block, static_cast<std::uint32_t>(d));
      if (row != nullptr) rows.push_back(row);
    }
  }
  return rows;
}

// Takes intervals, sorted by begin, off a duration; time that several of them cover is taken once.
struct Uncovered {
  std::int64_t self_ns, reached_ns;
  void take(const Interval& interval) {
    const std::int64_t from_ns = std::max(reached_ns, interval.begin_ns);
    if (interval.end_ns <= from_ns) return;
    self_ns -= saturating_difference(interval.end_ns, from_ns);
    reached_ns = interval.end_ns;
  }
};

}  // namespace

const SliceBlock* block_of(const Timeline& timeline, const SliceRef& ref) {
  if (index(ref.track) >= timeline.tracks.size()) return nullptr;
  const Track& track = timeline.tracks[index(ref.track)];
  if (index(ref.block) >= track.blocks.size()) return nullptr;
  const SliceBlock* block = track.blocks[index(ref.block)].get();
  if (block == nullptr || ref.row >= block->rows.size()) return nullptr;
  return ref.slice < block->rows[ref.row].count() ? block : nullptr;
}

Slice slice_at(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  return block == nullptr ? Slice{} : block->rows[ref.row].slice(ref.slice);
}

std::uint32_t depth_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  return block == nullptr ? 0 : block->base_depth + ref.row;
}

SliceRef parent_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return {};
  const std::int64_t begin_ns = block->rows[ref.row].begin_ns(ref.slice);
  for (std::uint32_t row = ref.row; row-- > 0;) {
    const std::uint64_t i = block->rows[row].last_begun(begin_ns);
    if (i == block->rows[row].count()) continue;
    const std::int64_t end_ns = block->rows[row].end_ns(i);
    if (end_ns > begin_ns || block->rows[row].begin_ns(i) == begin_ns) {
      return {ref.track, ref.block, row, i};
    }
  }
  if (index(ref.block) == 0) return {};
  return loaded_parent(timeline.tracks[index(ref.track)], ref);
}

SliceRef first_child_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return {};
  const Slice slice = block->rows[ref.row].slice(ref.slice);
  if (ref.row + 1 < block->rows.size()) {
    const SliceRow& below = block->rows[ref.row + 1];
    const std::uint64_t i = below.lower_bound(slice.begin_ns);
    if (i < below.count() && below.begin_ns(i) < slice.end_ns()) {
      return {ref.track, ref.block, ref.row + 1, i};
    }
  }
  const Track& track = timeline.tracks[index(ref.track)];
  for (std::size_t b = 1; b < track.blocks.size(); ++b) {
    const SliceBlock* child = track.blocks[b].get();
    if (child == nullptr || child->rows.empty() || child->rows[0].count() == 0) continue;
    if (child->parent_block == ref.block && child->parent_row == ref.row &&
        child->parent_slice == ref.slice) {
      return {ref.track, BlockId{static_cast<std::uint32_t>(b)}, 0, 0};
    }
  }
  return {};
}

SliceRef neighbour_of(const Timeline& timeline, const SliceRef& ref, int direction) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return {};
  SliceRef result = ref;
  if (direction < 0) {
    if (ref.slice == 0) return {};
    --result.slice;
  } else {
    if (ref.slice + 1 >= block->rows[ref.row].count()) return {};
    ++result.slice;
  }
  return result;
}

std::int64_t self_ns(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return 0;
  const Slice slice = block->rows[ref.row].slice(ref.slice);
  const std::vector<const SliceRow*> rows =
      rows_below(timeline.tracks[index(ref.track)], block->base_depth + ref.row);
  Uncovered left{slice.duration_ns, slice.begin_ns};
  if (rows.size() == 1) {  // a row is sorted already, however long it is
    for_covered(*rows.front(), slice.begin_ns, slice.end_ns(),
                [&](const Interval& interval) { left.take(interval); });
    return left.self_ns;
  }
  std::vector<Interval> covered;
  for (const SliceRow* row : rows) {
    for_covered(*row, slice.begin_ns, slice.end_ns(),
                [&](const Interval& interval) { covered.push_back(interval); });
  }
  std::sort(covered.begin(), covered.end(),
            [](const Interval& a, const Interval& b) { return a.begin_ns < b.begin_ns; });
  for (const Interval& interval : covered) left.take(interval);
  return left.self_ns;
}

const SliceRow* instants_of(const Timeline& timeline, const InstantRef& ref) {
  if (index(ref.track) >= timeline.tracks.size()) return nullptr;
  const Track& track = timeline.tracks[index(ref.track)];
  const SliceRow* row = nullptr;
  if (ref.block == BlockId{} && ref.row == 0) {
    row = &track.instants;
  } else if (index(ref.block) < track.blocks.size() && track.blocks[index(ref.block)] != nullptr) {
    const std::vector<SliceRow>& nested = track.blocks[index(ref.block)]->nested_instants;
    if (ref.row < nested.size()) row = &nested[ref.row];
  }
  return row != nullptr && ref.instant < row->count() ? row : nullptr;
}

SliceRef call_around(const Timeline& timeline, const InstantRef& ref) {
  const SliceRow* nested = instants_of(timeline, ref);
  if (nested == nullptr || (ref.block == BlockId{} && ref.row == 0)) return {};
  const SliceBlock& block = *timeline.tracks[index(ref.track)].blocks[index(ref.block)];
  if (ref.row == 0) return {ref.track, block.parent_block, block.parent_row, block.parent_slice};
  const SliceRow& calls = block.rows[ref.row - 1];
  const std::uint64_t slice = calls.last_begun(nested->begin_ns(ref.instant));
  if (slice == calls.count()) return {};
  return {ref.track, ref.block, ref.row - 1, slice};
}

std::uint64_t instant_count(const Track& track) {
  std::uint64_t count = track.instants.count();
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->nested_instants) count += row.count();
  }
  return count;
}

const ProcessPauses* pauses_of(const Timeline& timeline, TrackId track) {
  if (index(track) >= timeline.tracks.size()) return nullptr;
  for (const auto& pauses : timeline.pauses) {
    if (pauses->process() == timeline.tracks[index(track)].process) return pauses.get();
  }
  return nullptr;
}

std::string_view display_name(const Timeline& timeline, StringId name) {
  const std::string_view text = timeline.text(name);
  return text.empty() ? std::string_view("(no name)") : text;
}

std::string_view display_label(const Timeline& timeline, StringId name) {
  const std::string_view text = timeline.strings->label(name);
  return text.empty() ? std::string_view("(no name)") : text;
}

std::size_t SliceBlock::kept_bytes() const {
  std::size_t bytes = sizeof(SliceBlock) + rows.capacity() * sizeof(SliceRow) +
                      deferred.capacity() * sizeof(DeferredChildren) +
                      nested_instants.capacity() * sizeof(SliceRow);
  for (const SliceRow& row : rows) bytes += row.kept_bytes();
  for (const SliceRow& row : nested_instants) bytes += row.kept_bytes();
  return bytes;
}

bool has_calls_on_disk(const Timeline& timeline) {
  return std::any_of(timeline.tracks.begin(), timeline.tracks.end(), [](const Track& track) {
    return !track.blocks.empty() && !track.root().deferred.empty();
  });
}

KeptBytes kept_bytes(const Timeline& timeline) {
  KeptBytes kept;
  for (const Track& track : timeline.tracks) {
    for (const auto& block : track.blocks) {
      if (block == nullptr) continue;
      std::uint64_t lod = 0;
      for (const SliceRow& row : block->rows) lod += row.lod_bytes();
      for (const SliceRow& row : block->nested_instants) lod += row.lod_bytes();
      kept.lod += lod;
      kept.columns += block->kept_bytes() - lod;
    }
    const std::uint64_t lod = track.instants.lod_bytes();
    kept.lod += lod;
    kept.columns += track.instants.kept_bytes() - lod;
    for (const CounterSeries& series : track.series) {
      kept.other += sizeof(series) + series.time_ns.capacity() * sizeof(std::int64_t) +
                    series.value.capacity() * sizeof(double);
    }
    kept.other += sizeof(Track);
  }
  const Flows& flows = timeline.flows;
  kept.other += flows.flows.capacity() * sizeof(Flow) +
                flows.points.capacity() * sizeof(FlowPoint) +
                flows.point_flow.capacity() * sizeof(std::uint32_t) +
                flows.by_slice.capacity() * sizeof(std::uint64_t) +
                timeline.processes.capacity() * sizeof(Process) +
                timeline.threads.capacity() * sizeof(Thread);
  for (const auto& pauses : timeline.pauses) kept.other += pauses->kept_bytes();
  for (const TraceNote& note : timeline.notes) {
    kept.other += sizeof(note) + note.key.capacity() + note.text.capacity();
  }
  kept.names = timeline.strings->kept_bytes();
  return kept;
}

}  // namespace cinderscope
