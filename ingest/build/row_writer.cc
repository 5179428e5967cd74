#include "ingest/build/row_writer.h"

#include <utility>

#include "ingest/base/self_trace.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

void RowWriter::seal(Growing& growing) const {
  yield_to_ui();
  const SelfTraceMark mark("pack a chunk");
  growing.chunks.push_back(SliceChunk::seal(growing.tail.columns(), names_));
  growing.tail.clear();
}

std::vector<SliceRow> RowWriter::take() {
  std::vector<SliceRow> rows;
  rows.reserve(rows_.size());
  for (Growing& growing : rows_) {
    if (growing.tail.size() != 0) seal(growing);
    growing.tail = {};
    growing.chunks.shrink_to_fit();
    rows.push_back({std::move(growing.chunks), {}});
  }
  rows_.clear();
  return rows;
}

}  // namespace cinderscope
