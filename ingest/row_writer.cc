#include "ingest/row_writer.h"

#include <utility>

namespace cinderscope {

void RowWriter::append(std::uint32_t row, const Slice& slice) {
  if (row >= rows_.size()) rows_.resize(std::size_t{row} + 1);
  Growing& growing = rows_[row];
  growing.tail.push_back(slice);
  if (growing.tail.size() == kChunkSlices) {
    growing.row.chunks.push_back(SliceChunk::seal(growing.tail, names_));
    growing.tail.clear();
  }
}

std::vector<SliceRow> RowWriter::take() {
  std::vector<SliceRow> rows;
  rows.reserve(rows_.size());
  for (Growing& growing : rows_) {
    if (!growing.tail.empty()) {
      growing.row.chunks.push_back(SliceChunk::seal(growing.tail, names_));
      growing.tail = {};
    }
    growing.row.chunks.shrink_to_fit();
    rows.push_back(std::move(growing.row));
  }
  rows_.clear();
  return rows;
}

}  // namespace cinderscope
