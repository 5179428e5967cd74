// What falls into each column of pixels of a row: sums of runs thinner than a pixel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/base/pixel_scale.h"
#include "render/layout/run_tint.h"

namespace cinderscope {

struct PixelColumn {
  static constexpr std::uint64_t kNone = UINT64_MAX;
  HueSum sum{};                            // weights in 255ths of a pixel
  std::uint64_t first = kNone, after = 0;  // slices that it stands for; kNone: it is empty
};

// Adding takes no branch: which column a run falls into and whether it reaches into the next is
// nothing that a processor could foresee.
class PixelColumns {
 public:
  // Of a view `count` columns wide.
  void begin_row(std::size_t count) {
    if (first_ != kNoColumn) *this = {};  // the row before was given up halfway
    const std::size_t needed = count + 2 * std::size_t{kBeside};
    if (columns_.size() < needed) columns_.resize(needed);
  }

  // Slices [first, after), thinner than a pixel, from place `left` to `right` (PixelScale), which
  // is in view, but for its part beside the view's edges: in one column or in two neighbours.
  // `left` is not below that of an earlier call.
  [[gnu::always_inline]] void add(std::int64_t left, std::int64_t right, std::uint64_t first,
                                  std::uint64_t after, const Tint& tint) {
    // Rounds down.
    const std::int64_t at = left >> PixelScale::kBits;
    const std::int64_t border = (at + 1) << PixelScale::kBits;
    const std::int64_t over = std::max<std::int64_t>(right - border, 0);
    const float share = tint.busy * kPerUnit;
    PixelColumn& column = columns_[static_cast<std::size_t>(at + kBeside)];
    PixelColumn& next = (&column)[1];
    // What has no length still has a colour.
    column.sum +=
        (static_cast<float>(static_cast<int>(right - left - over)) * share + 1e-7f) * tint.hues;
    next.sum += (static_cast<float>(static_cast<int>(over)) * share) * tint.hues;
    column.first = std::min(column.first, first);
    next.first = std::min(next.first, over > 0 ? first : PixelColumn::kNone);
    column.after = after;
    next.after = after;
    first_ = std::min(first_, at);
    last_ = at;
  }

  // Calls visit(index, column) for those that something fell into since the last time, from left
  // to right, and empties them.
  template <class Visit>
  void take(Visit visit) {
    const std::int64_t end = last_ + 2;
    for (std::int64_t at = std::exchange(first_, kNoColumn); at < end; ++at) {
      PixelColumn& column = columns_[static_cast<std::size_t>(at + kBeside)];
      if (column.first == PixelColumn::kNone) continue;
      visit(static_cast<int>(at), column);
      column = {};
    }
  }

 private:
  static constexpr float kPerUnit = 1.0f / static_cast<float>(PixelScale::kPixel);
  // On either side of the view: a run that reaches into it may, by rounding, begin in the second.
  static constexpr std::uint8_t kBeside = 2;
  static constexpr std::int64_t kNoColumn = INT64_MAX;

  std::vector<PixelColumn> columns_;
  std::int64_t first_ = kNoColumn, last_ = 0;  // that a run began in since they were taken
};

}  // namespace cinderscope
