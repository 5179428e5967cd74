#include "ingest/build/instant_writer.h"

#include <algorithm>
#include <utility>

#include "ingest/build/passing_memory.h"
#include "ingest/build/slice_runs.h"

namespace cinderscope {

void InstantWriter::add(const Slice& instant) {
  if (unsorted_.empty()) {
    if (row_.rows() == 0 || !nests_before(instant, last_)) {
      row_.append(0, instant);
      last_ = instant;
      return;
    }
    for (const SliceRow& row : row_.take()) {
      for (std::uint64_t i = 0; i < row.count(); ++i) unsorted_.push_back(row.slice(i));
    }
  }
  unsorted_.push_back(instant);
}

SliceRow InstantWriter::take() {
  if (!unsorted_.empty()) {
    std::stable_sort(unsorted_.begin(), unsorted_.end(), nests_before);
    for (const Slice& instant : unsorted_) row_.append(0, instant);
    release(unsorted_);
  }
  std::vector<SliceRow> rows = row_.take();
  if (rows.empty()) return {};
  rows.front().build_lod();
  return std::move(rows.front());
}

}  // namespace cinderscope
