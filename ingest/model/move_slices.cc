#include "ingest/model/move_slices.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/base/self_trace.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kTimeLimit = std::int64_t{1} << 62;
constexpr std::size_t kChunksAtATime = 32;

// Chunks [first, first + count) of a row.
struct ChunkRange {
  SliceRow* row;
  std::size_t first, count;
};

std::shared_ptr<const SliceChunk> moved(const SliceChunk& chunk, const SliceMove& move,
                                        const StringPool& names, std::uint64_t& clamped) {
  std::array<Slice, kChunkSlices> slices;
  const auto record = [&](RecordOffset of) {
    return moved_record(of, move.first_record, move.record_end);
  };
  for (std::uint32_t i = 0; i < chunk.count(); ++i) {
    Slice slice = chunk.slice(i);
    const std::int64_t begin_ns = moved_time(slice.begin_ns, move.shift_ns);
    const std::int64_t end_ns = moved_time(slice.end_ns(), move.shift_ns);
    if (end_ns - begin_ns != slice.duration_ns ||
        saturating_difference(begin_ns, slice.begin_ns) != move.shift_ns) {
      ++clamped;
    }
    slice.begin_ns = begin_ns;
    slice.duration_ns = end_ns - begin_ns;
    const std::size_t name = index(slice.name);
    if (name < move.names.size()) slice.name = move.names[name];
    if (name < move.split.size() && move.split[name] != 0) {
      slice.name = move.name_of_record(slice.record, slice.name);
    }
    slice.record = record(slice.record);
    slice.end_record = record(slice.end_record);
    slices[i] = slice;
  }
  return SliceChunk::seal(std::span(slices).first(chunk.count()), &names);
}

}  // namespace

StringId taken_over(const StringPool& from, StringId name, StringPool& to) {
  const std::string_view text = from.text(name), label = from.label(name);
  const bool plain = label == text && from.hash(name) == stable_hash(text);
  return plain ? to.intern(text) : to.intern(text, label, from.hash(name));
}

std::int64_t moved_time(std::int64_t time_ns, std::int64_t shift_ns) {
  return std::clamp(saturating_sum(time_ns, shift_ns), -kTimeLimit, kTimeLimit);
}

RecordOffset moved_record(RecordOffset record, RecordOffset first_record, RecordOffset record_end) {
  const bool is_beyond = record >= record_end || record > kNoRecord - 2 - first_record;
  return is_beyond ? kNoRecord : record + first_record;
}

std::uint64_t move_slices(const std::vector<SliceRow*>& rows, const SliceMove& move,
                          const StringPool& names, unsigned jobs,
                          const std::atomic<bool>* cancelled) {
  std::vector<ChunkRange> ranges;
  for (SliceRow* row : rows) {
    for (std::size_t first = 0; first < row->chunks.size(); first += kChunksAtATime) {
      ranges.push_back({row, first, std::min(kChunksAtATime, row->chunks.size() - first)});
    }
  }
  const auto stopped = [cancelled] { return cancelled != nullptr && *cancelled; };
  std::atomic<std::uint64_t> clamped{0};
  parallel_for(ranges.size(), jobs, [&](std::size_t i) {
    if (stopped()) return;
    const SelfTraceMark mark("move chunks", "chunks", static_cast<std::int64_t>(ranges[i].count));
    std::uint64_t clamped_here = 0;
    for (std::size_t k = 0; k < ranges[i].count; ++k) {
      auto& chunk = ranges[i].row->chunks[ranges[i].first + k];
      chunk = moved(*chunk, move, names, clamped_here);
    }
    clamped += clamped_here;
  });
  parallel_for(rows.size(), jobs, [&](std::size_t i) {
    if (!stopped()) rows[i]->build_lod();
  });
  return clamped;
}

}  // namespace cinderscope
