#include "render/layout/hit.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {
namespace {

void hit_wide(const Layout& layout, double x_px, double y_px, double reach_px, Hit& hit) {
  double nearest_px = reach_px + 0.5;
  for (const WideLine& line : layout.wide) {
    if (y_px < static_cast<double>(line.y0_px) || y_px >= static_cast<double>(line.y1_px)) continue;
    for (const DrawBox& box : line.boxes) {
      const double distance_px = std::abs(static_cast<double>(box.x_px) + 0.5 - x_px);
      if (distance_px >= nearest_px) continue;
      nearest_px = distance_px;
      hit.instant = {line.track, box.first, BlockId{}, 0};
      hit.instant_count = box.count;
    }
  }
}

}  // namespace

Hit hit_at(const Layout& layout, double x_px, double y_px) {
  constexpr double kReachPx = 2;
  constexpr double kFarPx = 1e9;
  Hit hit;
  double nearest_px = kReachPx + 0.001;
  for (const DrawLine& line : layout.lines) {
    const bool diamonds = line.instants && !line.nested();
    const double top_px = diamonds ? line.y_px - kInstantRowPx / 2 : line.y_px;
    const double instant_px = line.on_slices ? kStepPx : kNestedInstantDropPx;
    const double height_px = diamonds ? kInstantRowPx : line.instants ? instant_px : kRowPx;
    if (y_px < top_px || y_px >= top_px + height_px) continue;
    const auto begin = line.boxes.begin(), end = line.boxes.end();
    auto after = std::upper_bound(begin, end, x_px, [](double x, const DrawBox& box) {
      return x < static_cast<double>(box.x_px);
    });
    // The boxes around the place; two to the left, since a column may begin within a wide box.
    for (auto box = after - std::min<std::ptrdiff_t>(after - begin, 2); box != end && box <= after;
         ++box) {
      const auto left_px = static_cast<double>(box->x_px);
      const double right_px = left_px + static_cast<double>(box->width_px);
      double distance_px = std::max({left_px - x_px, x_px - right_px, 0.0});
      // A nested instant is pointed at more exactly than the box below it, which has room
      // elsewhere.
      if (line.instants) distance_px = std::abs(x_px - left_px) > kDiamondPx ? kFarPx : -1;
      if (distance_px >= nearest_px) continue;
      nearest_px = distance_px;
      hit = {};
      if (line.instants) {
        hit.instant = {line.track, box->first, line.block, line.row};
        hit.instant_count = box->count;
      } else if (box->merged()) {
        hit.merged = MergedSlices{line.track, line.block, line.row, box->first, box->count};
      } else {
        hit.slice = {line.track, line.block, line.row, box->first};
      }
    }
  }
  if (!hit) hit_wide(layout, x_px, y_px, kReachPx, hit);
  return hit;
}

const SliceRow* row_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  return block == nullptr ? nullptr : &block->rows[ref.row];
}

std::optional<MergedTotal> total_of(const Timeline& timeline, const MergedSlices& merged,
                                    bool waits) {
  constexpr std::uint64_t kMaxSlices = 1'000'000;
  const SliceRow* row = row_of(timeline, {merged.track, merged.block, merged.row, merged.first});
  if (row == nullptr) return std::nullopt;
  const std::uint64_t there = std::min(merged.count, row->count() - merged.first);
  std::uint64_t end = merged.first + std::min(there, kMaxSlices);
  waits = waits && timeline.columns_checked;
  for (std::uint64_t i = merged.first; !waits && i < end;
       i += kChunkSlices - SliceRow::in_chunk(i)) {
    if (!row->chunk_of(i).at_hand()) end = i;
  }
  if (end == merged.first) return std::nullopt;
  MergedTotal total;
  total.complete = end == merged.first + there;
  total.begin_ns = row->begin_ns(merged.first);
  std::int64_t longest_ns = -1;
  for (std::uint64_t i = merged.first; i < end; ++i) {
    const std::int64_t duration_ns = row->duration_ns(i);
    if (__builtin_add_overflow(total.duration_ns, duration_ns, &total.duration_ns)) {
      total.duration_ns = INT64_MAX;
    }
    if (duration_ns > longest_ns) {
      longest_ns = duration_ns;
      total.longest = i;
    }
  }
  total.end_ns = row->end_ns(end - 1);
  return total;
}

}  // namespace cinderscope
