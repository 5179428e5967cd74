// The slices of one thread that have begun and not ended, and which of them an end event closes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ingest/model/ids.h"

namespace cinderscope {

struct OpenSlice {
  std::int64_t begin = 0;  // in the format's time keys
  StringId name = kEmptyString;
  RecordOffset record = kNoRecord;
};

// An end closes the innermost open slice of its name if it has one and one is open, else the
// innermost. Each step is O(1), however deep and however mixed the order.
class OpenSlices {
 public:
  struct Closed {
    OpenSlice slice;
    bool was_innermost = false;
  };
  class Innermost;

  OpenSlices() = default;
  OpenSlices(const OpenSlices& other);
  OpenSlices(OpenSlices&&) noexcept = default;
  OpenSlices& operator=(OpenSlices&&) noexcept = default;

  // Both are inline up to the usual case, an end that closes the innermost: every B/E event of a
  // trace comes through here.
  void push(const OpenSlice& slice) {
    if (indexed_) positions_[index(slice.name)].push_back(size_);
    if (size_ == room_) grow();
    stack_[size_++] = {slice};
    ++live_;
  }
  // False if nothing is open.
  bool close(StringId name, Closed& out) {
    if (size_ == 0) return false;
    out.was_innermost = close_innermost(name, out.slice);
    if (!out.was_innermost) close_indexed(name, out);
    return true;
  }
  // Closes the innermost slice if that is what `name` closes; false, and nothing changes, if not.
  bool close_innermost(StringId name, OpenSlice& out) {
    if (indexed_ || size_ == 0) return false;
    if (name != kNoName && stack_[size_ - 1].slice.name != name) return false;
    out = stack_[--size_].slice;
    --live_;
    return true;
  }
  std::uint32_t count() const { return live_; }
  // Something is open.
  const OpenSlice& innermost() const { return stack_[size_ - 1].slice; }
  std::vector<OpenSlice> all() const;  // outermost first
  void clear();                        // room stays, for the next ones

 private:
  struct Entry {
    OpenSlice slice;
    bool closed = false;  // from the middle; dropped once it becomes the innermost
  };

  void close_indexed(StringId name, Closed& out);
  void pop(Closed& out);
  void index_names();
  void grow();

  std::unique_ptr<Entry[]> stack_;  // room for `room_`; the last in use is never a closed one
  std::size_t size_ = 0, room_ = 0;
  std::uint32_t live_ = 0;
  // Positions in stack_ by name, kept only once an end came that does not close the innermost.
  bool indexed_ = false;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> positions_;
};

// Pushes and pops the innermost slice, one event after another, with the stack's state in
// registers. Only while all ends so far closed the innermost; between take() and give_back() nobody
// else may touch the slices.
class OpenSlices::Innermost {
 public:
  explicit Innermost(OpenSlices& slices) : slices_(slices) { take(); }
  ~Innermost() { give_back(); }
  Innermost(const Innermost&) = delete;
  Innermost& operator=(const Innermost&) = delete;

  void push(const OpenSlice& slice) {
    if (top_ == limit_) [[unlikely]]
      grow();
    *top_++ = {slice};
  }
  // One is open. Good until the next push(); to be read member by member, since a copy of all in
  // one piece would wait for each of them to have been written.
  const OpenSlice& pop() { return (--top_)->slice; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(top_ - base_); }

  void take() {
    base_ = slices_.stack_.get();
    top_ = base_ + slices_.size_;
    limit_ = base_ + slices_.room_;
  }
  void give_back() {
    slices_.size_ = count();
    slices_.live_ = count();
  }

 private:
  [[gnu::always_inline]] void grow() {
    give_back();
    slices_.grow();
    take();
  }

  OpenSlices& slices_;
  Entry *base_ = nullptr, *top_ = nullptr, *limit_ = nullptr;
};

}  // namespace cinderscope
