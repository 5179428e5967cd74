#include "render/layout/match_columns.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

class Columns {
 public:
  explicit Columns(const Viewport& view)
      : view_(view), marked_(static_cast<std::size_t>(std::max(view.width_px, 0.0f)), 0) {}

  void add(const MatchRow& row) {
    for (std::size_t i = 0; i < row.chunks.size(); ++i) {
      add_chunk(*row.slices->chunks[row.chunks[i]], row.bits[i]);
    }
  }
  std::vector<std::uint8_t> take() { return std::move(marked_); }

 private:
  std::int64_t column(std::int64_t time_ns) const {
    const double x_px = std::clamp(view_.px_from_ns(time_ns), -1.0, 1e6);
    return static_cast<std::int64_t>(std::floor(x_px));
  }
  void mark(std::int64_t at) {
    if (at >= 0 && at < static_cast<std::int64_t>(marked_.size())) {
      marked_[static_cast<std::size_t>(at)] = 1;
    }
  }

  // Sixteen slices at a time where those begin in one column.
  void add_chunk(const SliceChunk& chunk, const ChunkBits& bits) {
    const std::int64_t first = column(chunk.begin_ns(0));
    if (first == column(chunk.begin_ns(chunk.count() - 1))) return mark(first);
    for (std::uint32_t begin = 0; begin < chunk.count(); begin += kBigGroup) {
      const std::uint64_t group = bits.at(begin / 64) >> (begin % 64) & 0xffffu;
      if (group == 0) continue;
      const std::uint32_t end = std::min(begin + kBigGroup, chunk.count());
      const std::int64_t left = column(chunk.begin_ns(begin));
      if (left == column(chunk.begin_ns(end - 1))) {
        mark(left);
        continue;
      }
      for (std::uint32_t i = begin; i < end; ++i) {
        if ((group >> (i - begin) & 1u) != 0) mark(column(chunk.begin_ns(i)));
      }
    }
  }

  const Viewport& view_;
  std::vector<std::uint8_t> marked_;
};

}  // namespace

std::vector<std::uint8_t> match_columns(const MatchSet& matches, const Viewport& view) {
  static_assert(64 % kBigGroup == 0);
  Columns columns(view);
  for (const MatchRow& row : matches.rows) columns.add(row);
  return columns.take();
}

}  // namespace cinderscope
