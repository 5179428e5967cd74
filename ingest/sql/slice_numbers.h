// The numbers by which queries name slices and instants: slice_id and instant_id.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ingest/model/slice_set.h"

namespace cinderscope {

// A row of slices or of instants; numbers follow each other along it.
struct NumberedRow {
  const SliceRow* slices = nullptr;
  std::uint64_t first_number = 0;
  std::uint32_t input = 0;  // index of the set
  TrackKind kind = TrackKind::thread;
  TrackId track = kNoTrack;
  BlockId block{};
  std::uint32_t row = 0;  // as in SliceRef or InstantRef

  std::uint64_t count() const { return slices->count(); }
  std::uint64_t end_number() const { return first_number + count(); }
};

struct NumberedPlace {
  const NumberedRow* row = nullptr;
  std::uint64_t index = 0;  // in the row

  SliceRef slice() const { return {row->track, row->block, row->row, index}; }
  InstantRef instant() const { return {row->track, index, row->block, row->row}; }
};

// Numbers count from 1 without gaps: set after set, in each the calls of threads first, then
// samples, asynchronous slices, lifetimes and whole calls; of instants those outside of calls
// first. Within these track by track, block by block, row by row. So they are the same for the same
// file, whatever the number of threads that loaded it, as long as the same blocks are loaded.
class SliceNumbers {
 public:
  enum class Of : std::uint8_t { slices, instants };
  SliceNumbers() = default;
  SliceNumbers(std::vector<std::shared_ptr<const SliceSet>> sets, Of of);

  std::uint64_t count() const { return rows_.empty() ? 0 : rows_.back().end_number() - 1; }
  // nullopt: there is none of this number. O(log rows).
  std::optional<NumberedPlace> place_of(std::uint64_t number) const;
  // 0: it is not there. O(log rows of the track).
  std::uint64_t number_of(std::uint32_t input, const SliceRef& slice) const;
  std::uint64_t number_of(std::uint32_t input, const InstantRef& instant) const;

  // Ascending; all have slices.
  std::span<const NumberedRow> rows() const { return rows_; }
  // By block and row. Of instants: those outside of calls alone, see nested_rows_of().
  std::span<const NumberedRow> rows_of(std::uint32_t input, TrackId track) const;
  std::span<const NumberedRow> nested_rows_of(std::uint32_t input, TrackId track) const;

 private:
  struct Stretch {
    std::uint32_t first = 0, end = 0;  // of rows_
  };
  std::uint64_t number_in(std::span<const NumberedRow> rows, BlockId block, std::uint32_t row,
                          std::uint64_t index) const;
  std::span<const NumberedRow> stretch(const std::vector<std::vector<Stretch>>& tracks,
                                       std::uint32_t input, TrackId track) const;

  std::vector<std::shared_ptr<const SliceSet>> sets_;  // what the rows point into
  std::vector<NumberedRow> rows_;
  std::vector<std::vector<Stretch>> tracks_, nested_;  // by input and track
};

}  // namespace cinderscope
