#include "ingest/model/timeline.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope {

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

std::uint32_t track_row_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  return block == nullptr ? 0 : block->base_depth + ref.row;
}

FlowPoint flow_point(const Timeline& timeline, std::uint64_t point) {
  const FlowPoints& points = timeline.flows->points;
  const SliceRef ref = points.slice(point);
  FlowPoint whole{.track = ref.track, .row = ref.row, .slice = ref.slice};
  if (const SliceBlock* block = block_of(timeline, ref)) {
    whole.slice_begin_ns = block->rows[ref.row].begin_ns(ref.slice);
  }
  whole.time_ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(whole.slice_begin_ns) +
                                            static_cast<std::uint64_t>(points.own_time_ns(point)));
  return whole;
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
    kept.lod += track.covered.kept_bytes();
    for (const CounterSeries& series : track.series) {
      kept.other += sizeof(series) + series.time_ns.capacity() * sizeof(std::int64_t) +
                    series.value.capacity() * sizeof(double);
    }
    kept.other += sizeof(Track);
  }
  const Flows& flows = *timeline.flows;
  kept.other += flows.flows.kept_bytes() + flows.points.kept_bytes() + flows.by_slice.kept_bytes() +
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
