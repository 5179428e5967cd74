// Parents, depths and self times of slices, worked out as they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ingest/sql/query_data.h"
#include "ingest/totals/child_time.h"

namespace cinderscope {

// Where rows nest, the rows above and below tell, from left to right without a search. Of other
// tracks (with overlaps, or with calls that were read later) one walk is kept until another track
// is asked for; tracks of more than kMostKept slices are asked slice by slice.
class TrackNesting {
 public:
  static constexpr std::uint64_t kMostKept = 3'000'000;  // 60 MB
  explicit TrackNesting(const QueryData& data) : data_(data) {}

  // 0: no parent.
  std::uint64_t parent(const NumberedRow& row, std::uint64_t index);
  std::uint32_t depth(const NumberedRow& row, std::uint64_t index);  // 1: outermost
  std::int64_t self_ns(const NumberedRow& row, std::uint64_t index);

 private:
  void look_at(const NumberedRow& row);
  bool keeps_track();
  std::uint64_t plain_parent(std::uint64_t index);
  std::int64_t plain_self_ns(std::uint64_t index);
  SliceRef ref(std::uint64_t index) const { return {row_->track, row_->block, row_->row, index}; }

  const QueryData& data_;
  const NumberedRow* row_ = nullptr;  // asked last
  bool plain_ = false;
  // Of plain rows.
  const NumberedRow* above_ = nullptr;  // null: none with slices
  const SliceRow* below_ = nullptr;
  std::uint64_t last_above_ = 0;
  std::uint64_t next_self_ = 0;  // behind the slice whose self time was asked last
  std::optional<ChildTimeCursor> children_;
  // Of the track that was walked.
  std::uint32_t input_ = kNoFile;
  TrackId track_ = kNoTrack;
  std::uint64_t first_number_ = 0;
  bool kept_ = false;
  std::vector<std::uint64_t> parent_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::int64_t> self_ns_;
};

}  // namespace cinderscope
