#include "render/layout/activity.h"

#include <algorithm>
#include <cmath>

#include "render/layout/row_layout.h"

namespace cinderscope {
namespace {

double busy_ns(const LodSummary& summary, double length_ns) {
  return length_ns * summary.busy / 255;
}

void add_boxes(const std::vector<DrawBox>& boxes, std::span<float> covered) {
  for (const DrawBox& box : boxes) {
    if (box.thin()) {
      const auto column = static_cast<std::size_t>(box.x_px);
      if (column < covered.size()) covered[column] += static_cast<float>(box.tint.busy) / 255;
      continue;
    }
    const float end = box.x_px + box.width_px;
    for (auto c = static_cast<std::size_t>(std::max(box.x_px, 0.0f)); c < covered.size(); ++c) {
      const auto left = static_cast<float>(c);
      if (left >= end) break;
      covered[c] += std::min(end, left + 1) - std::max(box.x_px, left);
    }
  }
}

// What begins and ends in a column, to be summed up from left to right.
void add_coarsely(const Track& track, const Viewport& view, std::span<double> steps) {
  const auto last = static_cast<double>(steps.size() - 1);
  const double from = view.px_from_ns(track.begin_ns), to = view.px_from_ns(track.end_ns);
  if (to < 0 || from >= last) return;
  const double length_ns = static_cast<double>(track.end_ns) - static_cast<double>(track.begin_ns);
  const double share = std::min(busy_ns_of(track) / std::max(length_ns, 1.0), 1.0);
  // Less than a column is spread over the whole of it; instants can be seen, too.
  const double part = std::max(share * std::min(to - from, 1.0), 1e-4);
  const double first = std::floor(std::max(from, 0.0));
  steps[static_cast<std::size_t>(first)] += part;
  steps[static_cast<std::size_t>(std::clamp(std::ceil(to), first + 1, last))] -= part;
}

}  // namespace

const SliceRow* activity_row(const Track& track) {
  const SliceRow* busy = track.busy_row();
  if (busy != nullptr && !busy->chunks.empty()) return busy;
  return track.instants.chunks.empty() ? nullptr : &track.instants;
}

double busy_ns_of(const Track& track) {
  if (track.busy_row() == nullptr) return 0;
  const SliceRow& row = *track.busy_row();
  double sum_ns = 0;
  if (!row.upper.empty()) {
    for (const LodSpan& span : row.upper.back()) {
      sum_ns += busy_ns(span.summary, static_cast<double>(span.length_ns));
    }
  } else {
    for (const auto& chunk : row.chunks) {
      sum_ns += busy_ns(chunk->whole(), static_cast<double>(chunk->last_end_ns()) -
                                            static_cast<double>(chunk->first_begin_ns()));
    }
  }
  return sum_ns;
}

void add_activity(const Timeline& timeline, std::span<const std::uint32_t> tracks,
                  std::size_t closely, const Viewport& view, std::span<float> covered,
                  std::atomic<bool>* missing) {
  if (covered.empty()) return;
  std::vector<std::uint32_t> order(tracks.begin(), tracks.end());
  const std::size_t close = std::min(order.size(), closely);
  if (close < order.size()) {
    const auto larger = [&](std::uint32_t a, std::uint32_t b) {
      return timeline.tracks[a].slice_count > timeline.tracks[b].slice_count;
    };
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(close), order.end(),
                     larger);
  }
  std::vector<DrawBox> boxes;
  for (std::size_t i = 0; i < close; ++i) {
    const Track& track = timeline.tracks[order[i]];
    if (activity_row(track) == nullptr) continue;
    boxes.clear();
    lay_out_row(*activity_row(track), view, *timeline.strings, boxes, missing);
    add_boxes(boxes, covered);
  }
  if (close == order.size()) return;
  std::vector<double> steps(covered.size() + 1, 0);
  for (std::size_t i = close; i < order.size(); ++i) {
    add_coarsely(timeline.tracks[order[i]], view, steps);
  }
  double sum = 0;
  for (std::size_t c = 0; c < covered.size(); ++c) {
    sum += steps[c];
    covered[c] += static_cast<float>(std::max(sum, 0.0));
  }
}

std::vector<std::uint8_t> busy_bytes(std::span<const float> covered) {
  std::vector<std::uint8_t> busy(covered.size());
  for (std::size_t c = 0; c < covered.size(); ++c) {
    const float share = std::min(covered[c], 1.0f) * 255;
    // What is left of a sum of rounded parts is no activity.
    busy[c] = covered[c] > 1e-6f ? static_cast<std::uint8_t>(std::max(share, 1.0f)) : 0;
  }
  return busy;
}

}  // namespace cinderscope
