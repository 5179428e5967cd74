// The slices of one thread that have begun and not ended, and which of them an end event closes.
#pragma once

#include <cstdint>
#include <optional>
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

  void push(const OpenSlice& slice);
  std::optional<Closed> close(StringId name);  // empty if nothing is open
  std::uint32_t count() const { return live_; }
  std::vector<OpenSlice> all() const;  // outermost first
  void clear();

 private:
  struct Entry {
    OpenSlice slice;
    bool closed = false;  // from the middle; dropped once it becomes the innermost
  };

  Closed pop();
  void index_names();

  std::vector<Entry> stack_;  // its last entry is never a closed one
  std::uint32_t live_ = 0;
  // Positions in stack_ by name, kept only once an end came that does not close the innermost.
  bool indexed_ = false;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> positions_;
};

}  // namespace cinderscope
