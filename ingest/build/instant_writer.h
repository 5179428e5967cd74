// Instants of one thread on their way in: packed as they come while they come in order.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/build/row_writer.h"

namespace cinderscope {

// A value: a copy shares what is packed and goes its own way from there.
class InstantWriter {
 public:
  explicit InstantWriter(const StringPool& names) : row_(names) {}

  void add(const Slice& instant);
  bool empty() const { return row_.rows() == 0 && unsorted_.empty(); }
  // All of them by time; the writer is empty afterwards. Level of detail included.
  SliceRow take();

 private:
  RowWriter row_;
  Slice last_;
  std::vector<Slice> unsorted_;  // all of them, once one came out of order
};

}  // namespace cinderscope
