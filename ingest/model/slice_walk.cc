#include "ingest/model/slice_walk.h"

#include <queue>
#include <vector>

namespace cinderscope {

void walk_slices(const SliceBlock& block,
                 const std::function<void(std::uint32_t, const Slice&)>& visit) {
  struct Cursor {
    std::int64_t begin_ns;
    std::uint32_t row;
    std::uint64_t slice;
    bool operator<(const Cursor& other) const {  // for a queue with the earliest on top
      return begin_ns != other.begin_ns ? begin_ns > other.begin_ns : row > other.row;
    }
  };
  std::priority_queue<Cursor> next;
  for (std::uint32_t row = 0; row < block.rows.size(); ++row) {
    if (block.rows[row].count() != 0) next.push({block.rows[row].begin_ns(0), row, 0});
  }
  while (!next.empty()) {
    const Cursor at = next.top();
    next.pop();
    const SliceRow& row = block.rows[at.row];
    visit(block.base_depth + at.row, row.slice(at.slice));
    if (at.slice + 1 < row.count()) next.push({row.begin_ns(at.slice + 1), at.row, at.slice + 1});
  }
}

}  // namespace cinderscope
