// A place on one row of slices, whose columns are read in blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "ingest/model/call_walk.h"

namespace cinderscope {

// Stands for walk::Cursor where all that a slice says is wanted: a block of a column is unpacked in
// one loop, a cell of it asks each time how wide the column is. Slices are [next, end) of the row.
class BlockCursor {
 public:
  BlockCursor(const SliceRow& of, SliceRef first, std::uint32_t its_depth, std::uint64_t behind)
      : depth(its_depth), next(first.slice), slice(first), row_(&of), end_(behind) {
    if (!done()) load();
  }

  bool done() const { return next == end_; }
  std::int64_t begin_ns() const { return begin_ns_[next - first_]; }
  // The times that a walk needs; the slice itself is taken().
  WalkedCall take(const Scope& scope) {
    const std::size_t i = next - first_;
    taken_ = {.begin_ns = begin_ns_[i],
              .duration_ns = duration_ns_[i],
              .name = StringId{name_[i]},
              .record = record_[i]};
    if (has_more_) take_more();
    WalkedCall call{.slice = slice, .depth = depth, .name = taken_.name};
    call.slice.slice = next++;
    call.whole_begin_ns = taken_.begin_ns;
    call.whole_end_ns = taken_.end_ns();
    call.begin_ns = std::max(call.whole_begin_ns, scope.begin_ns);
    call.end_ns = std::max(std::min(call.whole_end_ns, scope.end_ns), call.begin_ns);
    if (next == first_ + count_ && !done()) load();
    return call;
  }
  const Slice& taken() const { return taken_; }

  std::uint32_t depth;
  std::uint64_t next;
  SliceRef slice;

 private:
  static constexpr std::size_t kBlock = 64;

  void load() {
    first_ = next;
    const SliceChunk& chunk = row_->chunk_of(next);
    const std::uint32_t at = SliceRow::in_chunk(next);
    count_ = std::min<std::uint64_t>({kBlock, chunk.count() - at, end_ - next});
    chunk.read_begins(at, std::span(begin_ns_).first(count_));
    chunk.read_durations(at, std::span(duration_ns_).first(count_));
    chunk.read_names(at, std::span(name_).first(count_));
    for (std::size_t i = 0; i < count_; ++i) {
      record_[i] = chunk.record(at + static_cast<std::uint32_t>(i));
    }
    constexpr std::size_t kEndRecords = 4, kFlags = 5;  // columns of a head
    const ChunkHead head = chunk.head();
    has_more_ = false;
    for (const std::size_t column : {kEndRecords, kFlags}) {
      has_more_ |= head.width[column] != 0 || head.base[column] != 0;
    }
  }
  void take_more() {
    const SliceChunk& chunk = row_->chunk_of(next);
    const std::uint32_t at = SliceRow::in_chunk(next);
    taken_.flags = chunk.flags(at);
    taken_.end_record = chunk.end_record(at);
  }

  const SliceRow* row_;
  std::uint64_t end_, first_ = 0;
  std::size_t count_ = 0;
  bool has_more_ = false;  // flags or ends of their own, which are rare
  Slice taken_;
  std::array<std::int64_t, kBlock> begin_ns_, duration_ns_;
  std::array<std::uint32_t, kBlock> name_;
  std::array<RecordOffset, kBlock> record_;
};

}  // namespace cinderscope
