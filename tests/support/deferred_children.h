// Timelines with calls on disk, for tests that have no source which leaves some there.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "ingest/model/timeline.h"

namespace cinderscope::test {

// The slice of block 0 with this record, which is the only one, has `count` children on disk.
inline void defer_children(Timeline& timeline, TrackId track, RecordOffset record,
                           std::uint64_t source_key, std::uint64_t count) {
  Track& of = timeline.tracks[index(track)];
  const auto block = std::make_shared<SliceBlock>(of.root());
  for (std::uint32_t row = 0; row < block->rows.size(); ++row) {
    for (std::uint64_t i = 0; i < block->rows[row].count(); ++i) {
      if (block->rows[row].chunk_of(i).record(SliceRow::in_chunk(i)) != record) continue;
      block->deferred.push_back({.row = row, .slice = i, .source_key = source_key, .count = count});
    }
  }
  of.blocks.front() = block;
}

}  // namespace cinderscope::test
