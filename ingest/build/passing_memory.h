// Memory that is needed only while a trace is loaded: let go of as soon as that can be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace cinderscope {

// `value = {}` would do for a struct, but a vector or a map takes the braces for an empty list of
// elements and keeps the room that it has, and a string keeps it even if an empty one is moved
// there.
template <class T>
void release(T& value) {
  T gone{};
  std::swap(value, gone);
}

// A list of plain data that grows by pieces: nothing is moved while it grows, so it never needs
// room for itself twice. For millions that wait to be sorted.
template <class T>
class PieceList {
 public:
  void push_back(const T& value) {
    if (pieces_.empty() || pieces_.back().size() == pieces_.back().capacity()) {
      pieces_.emplace_back().reserve(std::clamp(size_, kFewest, kMost));
    }
    pieces_.back().push_back(value);
    ++size_;
  }
  std::size_t size() const { return size_; }

  // All of them, one behind the other. Each piece goes as soon as it is copied.
  std::vector<T> take() {
    std::vector<T> all;
    all.reserve(std::exchange(size_, 0));
    for (std::vector<T>& piece : pieces_) {
      all.insert(all.end(), piece.begin(), piece.end());
      release(piece);
    }
    release(pieces_);
    return all;
  }

 private:
  static constexpr std::size_t kFewest = 16;
  static constexpr std::size_t kMost = (std::size_t{1} << 20) / sizeof(T);

  std::vector<std::vector<T>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace cinderscope
