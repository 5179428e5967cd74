// Sums of the runs thinner than a pixel that fall into each column of pixels of a row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "render/base/pixel_scale.h"
#include "render/base/run_tint.h"

namespace cinderscope {

struct PixelColumn {
  static constexpr std::uint64_t kNone = UINT64_MAX;
  float busy = 0;  // in 255ths of a pixel
  // The run with most time of one colour: a float whose last bits are that colour, and a bit above
  // them for runs that begin here. A sum for each colour would cost more than all the rest, and
  // runs are winners of votes already.
  std::uint32_t most = 0;
  std::uint32_t colour() const { return most & kColourBits; }
  static constexpr std::uint32_t kColourBits = 63, kVoted = 64, kVotedBits = kColourBits | kVoted;
  static_assert(kColourCount <= kColourBits + 1);
  std::uint64_t first = kNone, after = 0;  // slices [first, after); kNone: the column is empty
};

// One for each thread that lays out rows. Adding takes no branch: a processor could not predict
// which column a run falls into and whether it reaches into the next.
class PixelColumns {
 public:
  // Call before the runs of a row; the view is `count` columns wide.
  void begin_row(std::size_t count) {
    if (first_ != kNoColumn) *this = {};  // the row before was given up halfway
    const std::size_t needed = count + 2 * std::size_t{kBeside};
    if (columns_.size() < needed) columns_.resize(needed);
  }

  // Adds slices [first, after), which together are thinner than a pixel, from position `left` to
  // `right` (PixelScale): in one column or in two neighbours. The run must reach into the view;
  // `left` never decreases from call to call.
  [[gnu::always_inline]] void add(std::int64_t left, std::int64_t right, std::uint64_t first,
                                  std::uint64_t after, const Tint& tint) {
    // Rounds down.
    const std::int64_t at = left >> PixelScale::kBits;
    const std::int64_t border = (at + 1) << PixelScale::kBits;
    const std::int64_t over = std::max<std::int64_t>(right - border, 0);
    PixelColumn& column = columns_[static_cast<std::size_t>(at + kBeside)];
    PixelColumn& next = (&column)[1];
    // A run without length still has a colour.
    const float here_px = static_cast<float>(static_cast<int>(right - left - over)) * kPerUnit;
    const auto vote = std::bit_cast<std::uint32_t>(here_px * tint.vote);
    column.busy += here_px * tint.busy + 1e-7f;
    column.most = std::max(column.most,
                           (vote & ~PixelColumn::kVotedBits) | PixelColumn::kVoted | tint.colour);
    column.first = std::min(column.first, first);
    column.after = after;
    // Nothing else has begun there so far, and what reached there before did so by rounding.
    next.busy = static_cast<float>(static_cast<int>(over)) * kPerUnit * tint.busy;
    next.most = tint.colour;  // wins where nothing begins
    next.first = over > 0 ? first : PixelColumn::kNone;
    next.after = after;
    first_ = std::min(first_, at);
    last_ = at;
  }

  // Calls visit(index, column) for the columns that are not empty, from left to right, and empties
  // them.
  template <class Visit>
  void take(Visit visit) {
    take_before(last_ + 2, visit);
    first_ = kNoColumn;
  }

  // The same of those that runs to come cannot reach, if they are many: while they are still in the
  // processor's first cache, which holds no whole row.
  template <class Visit>
  void take_many(Visit visit) {
    if (first_ == kNoColumn || last_ - first_ < kMany) return;
    take_before(last_, visit);
    first_ = last_;
  }

 private:
  template <class Visit>
  void take_before(std::int64_t end, Visit visit) {
    for (std::int64_t at = first_; at < end; ++at) {
      PixelColumn& column = columns_[static_cast<std::size_t>(at + kBeside)];
      if (column.first == PixelColumn::kNone) continue;
      visit(static_cast<int>(at), column);
      column = {};
    }
  }

  static constexpr std::int64_t kMany = 128;  // 3 kB
  static constexpr float kPerUnit = 1.0f / static_cast<float>(PixelScale::kPixel);
  // Columns on either side of the view: by rounding, a run that reaches into the view may begin in
  // the second column beside it.
  static constexpr std::uint8_t kBeside = 2;
  static constexpr std::int64_t kNoColumn = INT64_MAX;

  std::vector<PixelColumn> columns_;
  // The first and the last column in which a run began since take().
  std::int64_t first_ = kNoColumn, last_ = 0;
};

// Columns for one row, empty at first. They are kept for rows to come: to make them anew costs as
// much as a row.
struct SpareColumns {
  SpareColumns() {
    const std::lock_guard lock(kept().mutex);
    if (kept().spare.empty()) {
      columns = std::make_unique<PixelColumns>();
      kept().spare.reserve(++kept().made);  // so that giving them back cannot fail
    } else {
      columns = std::move(kept().spare.back());
      kept().spare.pop_back();
    }
  }
  ~SpareColumns() {
    const std::lock_guard lock(kept().mutex);
    kept().spare.push_back(std::move(columns));
  }
  SpareColumns(const SpareColumns&) = delete;
  SpareColumns& operator=(const SpareColumns&) = delete;

  std::unique_ptr<PixelColumns> columns;

 private:
  struct Kept {
    std::mutex mutex;
    std::size_t made = 0;  // as many as rows were laid out at once
    std::vector<std::unique_ptr<PixelColumns>> spare;
  };
  static Kept& kept() {
    static auto* const all = new Kept;  // never destroyed: threads may end after main
    return *all;
  }
};

}  // namespace cinderscope
