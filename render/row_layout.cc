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
  static const auto kDirections = [] {
    std::array<Direction, kHueCount> result{};
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const double angle = 2 * std::numbers::pi * hue / kHueCount;
      result[hue] = {static_cast<float>(127 * std::cos(angle)),
                     static_cast<float>(127 * std::sin(angle))};
    }
    return result;
  }();
  return kDirections;
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
      : row_(row), view_(view), names_(names), out_(out), px_per_ns_(1 / view.ns_per_px) {}

  double run() {
    const std::uint64_t count = row_.count();
    std::uint64_t i = row_.last_begun(view_.begin_ns);
    // One more to the left: rounding may let a slice reach over the begin of the next.
    i = i == count ? 0 : i - std::min<std::uint64_t>(i, 1);
    const std::int64_t last_ns = view_.end_ns();
    const std::uint64_t end = last_ns == INT64_MAX ? count : row_.lower_bound(last_ns + 1);
    while (i < end) i = advance(i);
    flush();
    return covered_px_;
  }

 private:
  double px(std::int64_t t_ns) const { return view_.px_from_ns(t_ns); }
  bool is_thin(std::int64_t begin_ns, std::int64_t end_ns) const {
    // Unsigned, since the longest of traces is longer than what the signed difference holds.
    const auto length_ns =
        static_cast<std::uint64_t>(end_ns) - static_cast<std::uint64_t>(begin_ns);
    return static_cast<double>(length_ns) * px_per_ns_ < 1;
  }

  // Takes the largest run of summed up slices that begins at `i` and is thinner than a pixel, or
  // else the slice itself. Returns the index after it.
  std::uint64_t advance(std::uint64_t i) {
    const std::uint32_t k = SliceRow::in_chunk(i);
    if (k == 0) {
      if (const std::uint64_t after = take_upper(i / kChunkSlices)) return after;
      const SliceChunk& chunk = *row_.chunks[i / kChunkSlices];
      if (take(chunk.first_begin_ns(), chunk.last_end_ns(), i, chunk.count(), chunk.whole())) {
        return i + chunk.count();
      }
    }
    const SliceChunk& chunk = row_.chunk_of(i);
    for (std::uint32_t size = kLodFanout * kLodFanout; size > 1; size /= kLodFanout) {
      if (k % size != 0) continue;
      const std::uint32_t end = std::min(k + size, chunk.count());
      const bool big = size > kLodFanout;
      const LodSummary& summary = big ? chunk.big_group(k / size) : chunk.group(k / size);
      if (take(chunk.begin_ns(k), chunk.end_ns(end - 1), i, end - k, summary)) return i + end - k;
    }
    take_slice(chunk, k, i);
    return i + 1;
  }

  // The same for whole chunks; returns 0 if none of the summaries is thin enough.
  std::uint64_t take_upper(std::uint64_t chunk) {
    std::size_t level = 0;
    std::uint64_t size = kLodFanout;
    while (level < row_.upper.size() && chunk % size == 0) {
      ++level;
      size *= kLodFanout;
    }
    while (level > 0) {
      --level;
      size /= kLodFanout;
      const LodSpan& span = row_.upper[level][chunk / size];
      const std::uint64_t first = chunk * kChunkSlices;
      const std::uint64_t end = std::min((chunk + size) * kChunkSlices, row_.count());
      if (take(span.begin_ns, span.end_ns, first, end - first, span.summary)) return end;
    }
    return 0;
  }

  bool take(std::int64_t begin_ns, std::int64_t end_ns, std::uint64_t first, std::uint64_t count,
            const LodSummary& summary) {
    if (!is_thin(begin_ns, end_ns)) return false;
    add({begin_ns, end_ns, first, count, static_cast<float>(summary.busy) / 255,
         static_cast<float>(summary.hue_x), static_cast<float>(summary.hue_y)});
    return true;
  }

  void take_slice(const SliceChunk& chunk, std::uint32_t k, std::uint64_t i) {
    const std::int64_t begin_ns = chunk.begin_ns(k);
    std::int64_t end_ns = chunk.end_ns(k);
    if (k + 1 < chunk.count()) end_ns = std::min(end_ns, chunk.begin_ns(k + 1));
    const StringId name = chunk.name(k);
    if (is_thin(begin_ns, end_ns)) {
      const Direction& direction = directions()[hue_from_hash(names_.hash(name))];
      add({begin_ns, end_ns, i, 1, 1, direction.x, direction.y});
      return;
    }
    flush();
    const double left_px = std::max(px(begin_ns), -2.0);
    const double right_px = std::min(px(end_ns), static_cast<double>(view_.width_px) + 2);
    if (right_px <= 0 || left_px >= static_cast<double>(view_.width_px)) return;
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(left_px);
    box.width_px = static_cast<float>(right_px - left_px);
    box.name = name;
    box.first = i;
    box.flags = chunk.flags(k);
    covered_px_ += std::min(right_px, static_cast<double>(view_.width_px)) - std::max(left_px, 0.0);
  }

  // A run thinner than a pixel lies in one column or in two neighbours.
  void add(const Run& run) {
    const double left_px = px(run.begin_ns);
    const double right_px = px(run.end_ns);
    const double column = std::floor(left_px);
    const double border_px = column + 1;
    if (right_px <= border_px) {
      add_to_column(column, right_px - left_px, run);
    } else {
      add_to_column(column, border_px - left_px, run);
      add_to_column(border_px, right_px - border_px, run);
    }
  }

  void add_to_column(double column, double length_px, const Run& run) {
    if (column < 0 || column >= static_cast<double>(view_.width_px)) return;
    if (column != column_ || first_ == kNone) {
      flush();
      column_ = column;
      first_ = run.first;
      busy_px_ = weight_ = hue_x_ = hue_y_ = 0;
    }
    last_ = run.first + run.count;
    const double busy_px = length_px * static_cast<double>(run.busy);
    // What has no length still has a colour.
    const double weight = busy_px + 1e-9;
    busy_px_ += busy_px;
    weight_ += weight;
    hue_x_ += weight * static_cast<double>(run.hue_x);
    hue_y_ += weight * static_cast<double>(run.hue_y);
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
    box.tint.busy = static_cast<std::uint8_t>(std::clamp(std::lround(busy_px_ * 255), 1L, 255L));
    box.tint.hue_x = static_cast<std::int8_t>(std::lround(hue_x_ / weight_));
    box.tint.hue_y = static_cast<std::int8_t>(std::lround(hue_y_ / weight_));
    covered_px_ += std::min(busy_px_, 1.0);
    first_ = kNone;
  }

  const SliceRow& row_;
  const Viewport& view_;
  const StringPool& names_;
  std::vector<DrawBox>& out_;
  double px_per_ns_;
  double covered_px_ = 0;
  // The column being summed up; first_ is kNone if there is none.
  double column_ = 0, busy_px_ = 0, weight_ = 0, hue_x_ = 0, hue_y_ = 0;
  std::uint64_t first_ = kNone, last_ = 0;
};

}  // namespace

double lay_out_row(const SliceRow& row, const Viewport& view, const StringPool& names,
                   std::vector<DrawBox>& out) {
  if (row.chunks.empty()) return 0;
  return RowWalk(row, view, names, out).run();
}

}  // namespace cinderscope
