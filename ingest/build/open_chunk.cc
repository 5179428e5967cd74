#include "ingest/build/open_chunk.h"

#include <cstring>
#include <utility>

namespace cinderscope {

OpenChunk& OpenChunk::operator=(const OpenChunk& other) {
  if (this == &other) return *this;
  memory_.reset();
  room_ = 0;
  count_ = other.count_;
  rare_ = other.rare_ ? std::make_unique<Rare>(*other.rare_) : nullptr;
  if (count_ == 0) return *this;
  room_ = other.room_;
  memory_ = std::make_unique_for_overwrite<std::byte[]>(room_ * kSliceBytes);
  std::memcpy(begins(), other.begins(), count_ * sizeof(*begins()));
  std::memcpy(durations(), other.durations(), count_ * sizeof(*durations()));
  std::memcpy(records(), other.records(), count_ * sizeof(*records()));
  std::memcpy(names(), other.names(), count_ * sizeof(*names()));
  return *this;
}

void OpenChunk::grow(std::uint32_t room) {
  OpenChunk larger;
  larger.room_ = room;
  larger.memory_ = std::make_unique_for_overwrite<std::byte[]>(room * kSliceBytes);
  if (count_ != 0) {
    std::memcpy(larger.begins(), begins(), count_ * sizeof(*begins()));
    std::memcpy(larger.durations(), durations(), count_ * sizeof(*durations()));
    std::memcpy(larger.records(), records(), count_ * sizeof(*records()));
    std::memcpy(larger.names(), names(), count_ * sizeof(*names()));
  }
  memory_ = std::move(larger.memory_);
  room_ = room;
}

void OpenChunk::set_rare(RecordOffset end_record, std::uint8_t flags) {
  if (!rare_) rare_ = std::make_unique<Rare>();
  rare_->end_record.resize(count_, kNoRecord);
  rare_->flags.resize(count_, 0);
  rare_->end_record.push_back(end_record);
  rare_->flags.push_back(flags);
}

ColumnsToPack OpenChunk::columns() const {
  ColumnsToPack columns{.begin_ns = {begins(), count_},
                        .duration_ns = {durations(), count_},
                        .name = {names(), count_},
                        .record = {records(), count_}};
  if (!rare_) return columns;
  // Those after the last rare one were not noted.
  rare_->end_record.resize(count_, kNoRecord);
  rare_->flags.resize(count_, 0);
  columns.end_record = rare_->end_record;
  columns.flags = rare_->flags;
  return columns;
}

void OpenChunk::clear() {
  count_ = 0;
  rare_.reset();  // the next chunk may well need none
}

}  // namespace cinderscope
