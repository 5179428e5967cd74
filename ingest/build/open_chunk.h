// The slices at the end of a row that are not packed yet: in columns, in one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ingest/model/slice_chunk.h"

namespace cinderscope {

// At most kChunkSlices of them. Grows by doubling: rows of deep traces hold few slices each. A
// value.
class OpenChunk {
 public:
  OpenChunk() = default;
  OpenChunk(const OpenChunk& other) { *this = other; }
  OpenChunk(OpenChunk&&) noexcept = default;
  OpenChunk& operator=(const OpenChunk& other);
  OpenChunk& operator=(OpenChunk&&) noexcept = default;

  // Inline: every slice of a trace comes through here.
  void push_back(const Slice& slice) {
    if (count_ == room_) grow(room_ == 0 ? kFirstRoom : room_ * 2);
    begins()[count_] = slice.begin_ns;
    durations()[count_] = slice.duration_ns;
    records()[count_] = slice.record;
    names()[count_] = slice.name;
    if (slice.end_record != kNoRecord || slice.flags != 0) set_rare(slice.end_record, slice.flags);
    ++count_;
  }
  std::uint32_t size() const { return count_; }
  ColumnsToPack columns() const;  // as long as nothing is added
  void clear();

 private:
  struct Rare {  // what few slices have
    std::vector<RecordOffset> end_record;
    std::vector<std::uint8_t> flags;
  };
  static constexpr std::uint32_t kFirstRoom = 1;
  static constexpr std::size_t kSliceBytes = 8 + 8 + sizeof(RecordOffset) + sizeof(StringId);
  static_assert(kChunkSlices % kFirstRoom == 0);

  std::int64_t* begins() const { return reinterpret_cast<std::int64_t*>(memory_.get()); }
  std::int64_t* durations() const { return begins() + room_; }
  RecordOffset* records() const { return reinterpret_cast<RecordOffset*>(durations() + room_); }
  StringId* names() const { return reinterpret_cast<StringId*>(records() + room_); }
  void grow(std::uint32_t room);
  void set_rare(RecordOffset end_record, std::uint8_t flags);

  std::unique_ptr<std::byte[]> memory_;  // begins, durations, records, names: `room_` of each
  std::uint32_t count_ = 0, room_ = 0;
  std::unique_ptr<Rare> rare_;  // null while no slice has any of it
};

}  // namespace cinderscope
