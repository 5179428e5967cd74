// Rows that grow at their end: slices are gathered and sealed into chunks of full size.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ingest/build/open_chunk.h"
#include "ingest/model/slice_row.h"

namespace cinderscope {

// A value: a copy shares the chunks that are sealed and goes its own way from there.
class RowWriter {
 public:
  explicit RowWriter(const StringPool& names) : names_(&names) {}

  // In order of begin_ns per row.
  void append(std::uint32_t row, const Slice& slice) {
    if (row >= rows_.size()) rows_.resize(std::size_t{row} + 1);
    Growing& growing = rows_[row];
    growing.tail.push_back(slice);
    if (growing.tail.size() == kChunkSlices) seal(growing);
  }
  std::size_t rows() const { return rows_.size(); }
  // The rows in the end; the writer is empty afterwards.
  std::vector<SliceRow> take();

 private:
  // A cache line: each slice of a trace touches one.
  struct alignas(64) Growing {
    std::vector<std::shared_ptr<const SliceChunk>> chunks;
    OpenChunk tail;  // not sealed yet
  };
  void seal(Growing& growing) const;

  const StringPool* names_;
  std::vector<Growing> rows_;
};

}  // namespace cinderscope
