#include "render/row_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cinderscope {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

struct Direction {
  float x, y;  // length 127, as in LodSummary
};

const std::array<Direction, kHueCount>& directions() {
  static const auto all = [] {
    std::array<Direction, kHueCount> result{};
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const double angle = 2 * std::numbers::pi * hue / kHueCount;
      result[hue] = {static_cast<float>(127 * std::cos(angle)),
                     static_cast<float>(127 * std::sin(angle))};
    }
    return result;
  }();
  return all;
}

// Some neighbours on the row, or one slice, with their bounds and mean colour.
struct Run {
  std::int64_t begin_ns = 0, end_ns = 0;
  std::uint64_t first = 0, count = 0;
  float busy = 1;  // share of its length that is covered
  float hue_x = 0, hue_y = 0;
};

class RowWalk {
 public:
  RowWalk(const SliceRow& row, const Viewport& view, const StringPool& names,
          std::vector<DrawBox>& out)
      : row_(row),
        view_(view),
        names_(names),
        out_(out),
        px_per_ns_(1 / view.ns_per_px),
        count_(row.count()),
        width_px_(static_cast<double>(view.width_px)) {}

  double run() {
    std::uint64_t i = row_.last_begun(view_.begin_ns);
    // One more to the left: rounding may let a slice reach over the begin of the next.
    i = i == count_ ? 0 : i - std::min<std::uint64_t>(i, 1);
    const std::int64_t last_ns = view_.end_ns();
    const std::uint64_t end = last_ns == INT64_MAX ? count_ : row_.lower_bound(last_ns + 1);
    while (i < end) i = advance(i);
    flush();
    return covered_px_;
  }

 private:
  // As Viewport::px_from_ns, with a multiplication in place of the division.
  double px(std::int64_t t_ns) const {
    std::int64_t offset_ns = 0;
    if (__builtin_sub_overflow(t_ns, view_.begin_ns, &offset_ns)) return view_.px_from_ns(t_ns);
    return (static_cast<double>(offset_ns) - view_.begin_fraction_ns) * px_per_ns_;
  }
  bool is_thin(std::int64_t begin_ns, std::int64_t end_ns) const {
    // Unsigned, since the longest of traces is longer than what the signed difference holds.
    const auto length_ns =
        static_cast<std::uint64_t>(end_ns) - static_cast<std::uint64_t>(begin_ns);
    return static_cast<double>(length_ns) * px_per_ns_ < 1;
  }

  // Takes the largest run of summed up slices that begins at `i` and is thinner than a pixel, or
  // else the slice itself. Returns the index after it.
  std::uint64_t advance(std::uint64_t i) {
    if (i % kUpperSlices == 0) {
      if (const std::uint64_t after = take_upper(i)) return after;
    }
    const SliceChunk& chunk = row_.chunk_of(i);
    std::uint32_t k = SliceRow::in_chunk(i);
    if (k % kBigGroup != 0) return take_small(chunk, k, i);
    const std::uint32_t end = std::min(k + kBigGroup, chunk.count());
    const LodSummary& summary = chunk.big_group(k / kBigGroup);
    if (take(chunk.begin_ns(k), chunk.end_ns(end - 1), i, end - k, summary)) return i + end - k;
    // None of what is in it is taken by a larger summary, so all of it is walked at once.
    while (k < end) {
      const std::uint64_t after = take_small(chunk, k, i);
      k += static_cast<std::uint32_t>(after - i);
      i = after;
    }
    return i;
  }

  // A group of a few slices, or those that are left of it.
  std::uint64_t take_small(const SliceChunk& chunk, std::uint32_t k, std::uint64_t i) {
    if (k % kLodFanout == 0) {
      const std::uint32_t end = std::min(k + kLodFanout, chunk.count());
      const LodSummary& summary = chunk.group(k / kLodFanout);
      if (take(chunk.begin_ns(k), chunk.end_ns(end - 1), i, end - k, summary)) return i + end - k;
    }
    return take_slices(chunk, k, i);
  }

  // The same for the summaries above; returns 0 if none of them is thin enough.
  std::uint64_t take_upper(std::uint64_t i) {
    std::uint64_t at = i / kUpperSlices;
    // The last run that was taken tells how large the next may be: one level more is tried each
    // time, so that long rows are not walked down from the top for every pixel.
    std::size_t level = 0;
    while (level < level_ && level + 1 < row_.upper.size() && at % kUpperFanout == 0) {
      ++level;
      at /= kUpperFanout;
    }
    for (;; --level, at *= kUpperFanout) {
      if (level < row_.upper.size()) {
        const LodSpan& span = row_.upper[level][at];
        const std::uint64_t size = std::uint64_t{kUpperSlices} << (2 * level);
        const std::uint64_t end = std::min(i + size, count_);
        if (take(span.begin_ns, span.end_ns, i, end - i, span.summary)) {
          level_ = level + 1;
          return end;
        }
      }
      if (level == 0) break;
    }
    level_ = 1;
    return 0;
  }

  bool take(std::int64_t begin_ns, std::int64_t end_ns, std::uint64_t first, std::uint64_t count,
            const LodSummary& summary) {
    if (!is_thin(begin_ns, end_ns)) return false;
    add({begin_ns, end_ns, first, count, static_cast<float>(summary.busy) / 255,
         static_cast<float>(summary.hue_x), static_cast<float>(summary.hue_y)});
    return true;
  }

  // The slices up to the end of their group, one by one.
  std::uint64_t take_slices(const SliceChunk& chunk, std::uint32_t k, std::uint64_t i) {
    const std::uint32_t end = std::min(k - k % kLodFanout + kLodFanout, chunk.count());
    std::int64_t next_ns = chunk.begin_ns(k);
    for (; k < end; ++k, ++i) {
      const std::int64_t begin_ns = next_ns;
      std::int64_t end_ns = begin_ns + chunk.duration_ns(k);
      if (k + 1 < chunk.count()) {
        next_ns = chunk.begin_ns(k + 1);
        end_ns = std::min(end_ns, next_ns);
      }
      const StringId name = chunk.name(k);
      if (is_thin(begin_ns, end_ns)) {
        const Direction& direction = directions_[hue_from_hash(names_.hash(name))];
        add({begin_ns, end_ns, i, 1, 1, direction.x, direction.y});
      } else {
        add_wide(begin_ns, end_ns, name, i, chunk.flags(k));
      }
    }
    return i;
  }

  void add_wide(std::int64_t begin_ns, std::int64_t end_ns, StringId name, std::uint64_t i,
                std::uint8_t flags) {
    const double left_px = std::max(px(begin_ns), -2.0);
    const double right_px = std::min(px(end_ns), width_px_ + 2);
    if (right_px <= 0 || left_px >= width_px_) return;
    flush();
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(left_px);
    box.width_px = static_cast<float>(right_px - left_px);
    box.name = name;
    box.first = i;
    box.flags = flags;
    covered_px_ += std::min(right_px, width_px_) - std::max(left_px, 0.0);
  }

  // A run thinner than a pixel lies in one column or in two neighbours.
  void add(const Run& run) {
    const double left_px = px(run.begin_ns);
    const double right_px = left_px + static_cast<double>(run.end_ns - run.begin_ns) * px_per_ns_;
    if (right_px < 0 || left_px >= width_px_) return;
    // Rounds down: the one negative column is -1.
    const int column = left_px < 0 ? -1 : static_cast<int>(left_px);
    const double border_px = column + 1;
    if (right_px <= border_px) {
      add_to_column(column, right_px - left_px, run);
    } else {
      add_to_column(column, border_px - left_px, run);
      add_to_column(column + 1, right_px - border_px, run);
    }
  }

  void add_to_column(int column, double length_px, const Run& run) {
    if (column < 0 || column >= width_px_) return;
    if (column != column_ || first_ == kNone) {
      flush();
      column_ = column;
      first_ = run.first;
      busy_px_ = weight_ = hue_x_ = hue_y_ = 0;
    }
    last_ = run.first + run.count;
    const auto busy_px = static_cast<float>(length_px) * run.busy;
    // What has no length still has a colour.
    const float weight = busy_px + 1e-9f;
    busy_px_ += busy_px;
    weight_ += weight;
    hue_x_ += weight * run.hue_x;
    hue_y_ += weight * run.hue_y;
  }

  void flush() {
    if (first_ == kNone) return;
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(column_);
    box.width_px = 1;
    box.first = first_;
    box.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(last_ - first_, UINT32_MAX));
    if (box.count == 1) {
      box.name = row_.name(first_);
      box.flags = row_.flags(first_);
    }
    // Casts cut off, which is finer than the eye; the functions that round cost more than the rest.
    const float busy = std::min(busy_px_, 1.0f);
    box.tint.busy = std::max(static_cast<std::uint8_t>(busy * 255.49f), std::uint8_t{1});
    box.tint.hue_x = static_cast<std::int8_t>(hue_x_ / weight_);
    box.tint.hue_y = static_cast<std::int8_t>(hue_y_ / weight_);
    covered_px_ += static_cast<double>(busy);
    first_ = kNone;
  }

  const SliceRow& row_;
  const Viewport& view_;
  const StringPool& names_;
  const std::array<Direction, kHueCount>& directions_ = directions();
  std::vector<DrawBox>& out_;
  double px_per_ns_;
  std::uint64_t count_;
  double width_px_;
  std::size_t level_ = 1;  // of `upper` to try first
  double covered_px_ = 0;
  // The column being summed up; first_ is kNone if there is none.
  int column_ = 0;
  float busy_px_ = 0, weight_ = 0, hue_x_ = 0, hue_y_ = 0;
  std::uint64_t first_ = kNone, last_ = 0;
};

}  // namespace

double lay_out_row(const SliceRow& row, const Viewport& view, const StringPool& names,
                   std::vector<DrawBox>& out) {
  if (row.chunks.empty()) return 0;
  return RowWalk(row, view, names, out).run();
}

}  // namespace cinderscope
