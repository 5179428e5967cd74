// The slices of a row, asked for by times that mostly grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/slice_row.h"

namespace cinderscope {

// Finds slices of a row for times that mostly grow by little, so that few steps lead from one to
// the next. Times of a chunk that is looked at often are unpacked.
class RowCursor {
 public:
  // Where in the row a question stands that is asked for times that never step back.
  using Place = std::uint64_t;

  RowCursor(const SliceRow& row, bool unpacks)
      : row_(&row), count_(row.count()), looks_left_(unpacks ? kLooks : UINT32_MAX) {}

  // The first slice that begins at or after `time_ns`; count() if none.
  std::uint64_t first_from(std::int64_t time_ns, Place& at) {
    for (int step = 0; step < kSteps; ++step) {
      if (at == count_ || begin_ns(at) >= time_ns) return at;
      ++at;
    }
    return at = row_->lower_bound(time_ns);
  }
  std::uint64_t count() const { return count_; }
  std::int64_t begin_ns(std::uint64_t i) {
    return is_unpacked(i) ? begins_[i % kChunkSlices] : row_->begin_ns(i);
  }
  std::int64_t end_ns(std::uint64_t i) {
    return is_unpacked(i) ? ends_[i % kChunkSlices] : row_->end_ns(i);
  }

 private:
  static constexpr int kSteps = 8;
  static constexpr std::uint32_t kLooks = 32;

  bool is_unpacked(std::uint64_t i) {
    const std::uint64_t chunk = i / kChunkSlices;
    if (chunk == unpacked_) return true;
    // Back to the chunk before leads what ends, or what began last, at the begin of one.
    if (looks_left_ == UINT32_MAX || (unpacked_ != UINT64_MAX && chunk < unpacked_)) return false;
    if (--looks_left_ > 0) return false;
    looks_left_ = kLooks;
    unpack(chunk);
    return true;
  }
  void unpack(std::uint64_t chunk) {
    const SliceChunk& from = *row_->chunks[chunk];
    begins_.resize(from.count());
    ends_.resize(from.count());
    from.read_begins(0, std::span(begins_));
    from.read_durations(0, std::span(ends_));
    for (std::size_t i = 0; i < ends_.size(); ++i) ends_[i] += begins_[i];
    unpacked_ = chunk;
  }

  const SliceRow* row_;
  std::uint64_t count_;
  std::uint32_t looks_left_;  // at other chunks until one is unpacked; UINT32_MAX: none ever is
  std::uint64_t unpacked_ = UINT64_MAX;
  std::vector<std::int64_t> begins_, ends_;
};

}  // namespace cinderscope
