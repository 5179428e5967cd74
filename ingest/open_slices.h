// The slices of one thread that have begun and not ended, and which of them an end event closes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ingest/ids.h"

namespace cinderscope {

struct OpenSlice {
  std::int64_t begin = 0;  // in the format's time keys
  StringId name = kEmptyString;
  Record record = kNoRecord;
};

// An end closes the innermost open slice of its name if it has one and one is open, else the
// innermost. Each step is O(1), however deep and however mixed the order.
class OpenSlices {
 public:
  struct Closed {
    OpenSlice slice;
    bool was_innermost = false;
  };

  // Both are inline up to the usual case, an end that closes the innermost: every B/E event of a
  // trace comes through here.
  void push(const OpenSlice& slice) {
    if (indexed_) positions_[index(slice.name)].push_back(stack_.size());
    stack_.push_back({slice});
    ++live_;
  }
  // False if nothing is open.
  bool close(StringId name, Closed& out) {
    if (stack_.empty()) return false;
    out.was_innermost = close_innermost(name, out.slice);
    if (!out.was_innermost) close_indexed(name, out);
    return true;
  }
  // The same for the usual case alone: true if the innermost one is what `name` closes.
  bool close_innermost(StringId name, OpenSlice& out) {
    if (indexed_ || stack_.empty()) return false;
    if (name != kNoName && stack_.back().slice.name != name) return false;
    out = stack_.back().slice;
    stack_.pop_back();
    --live_;
    return true;
  }
  std::uint32_t count() const { return live_; }
  std::vector<OpenSlice> all() const;  // outermost first
  void clear();

 private:
  struct Entry {
    OpenSlice slice;
    bool closed = false;  // from the middle; dropped once it becomes the innermost
  };

  void close_indexed(StringId name, Closed& out);
  void pop(Closed& out);
  void index_names();

  std::vector<Entry> stack_;  // its last entry is never a closed one
  std::uint32_t live_ = 0;
  // Positions in stack_ by name, kept only once an end came that does not close the innermost.
  bool indexed_ = false;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> positions_;
};

}  // namespace cinderscope
