#include "app/cli/bench/frame_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "ingest/base/parallel.h"
#include "ingest/os/cpu_clock.h"
#include "render/layout/layout.h"
#include "render/layout/track_list.h"

namespace cinderscope {

namespace {

constexpr int kPlaces = 10, kFramesPerPlace = 5, kPanFrames = 120, kScrollFrames = 60;
constexpr double kFlightStep = 0.8;  // the view's length from frame to frame
constexpr double kSmallestSpanNs = 100;

double now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

Milliseconds sum_up(std::vector<double> costs_ms) {
  if (costs_ms.empty()) return {};
  std::sort(costs_ms.begin(), costs_ms.end());
  return {.frames = costs_ms.size(),
          .median = costs_ms[costs_ms.size() / 2],
          .p99 = costs_ms[(costs_ms.size() * 99 + 99) / 100 - 1],
          .max = costs_ms.back()};
}

// Draws frames and gathers their cost.
class Meter {
 public:
  Meter(const Timeline& timeline, TimelineState& state, const DrawFrame& draw)
      : timeline_(timeline), state_(state), draw_(draw) {}

  void frame(bool first = false) {
    const double begin_ms = now_ms(), cpu_before_ms = process_cpu_ms();
    draw_(timeline_, state_);
    (first ? part_.first_ms : part_.later_ms).push_back(process_cpu_ms() - cpu_before_ms);
    part_.wall_ms.push_back(now_ms() - begin_ms);
    part_.boxes = std::max(part_.boxes, state_.visible_boxes);
  }

  // Frames since the last result.
  FrameCost result(std::string zoom) {
    FrameCost cost = part_.cost(std::move(zoom));
    whole_.add(part_);
    part_ = {};
    return cost;
  }
  FrameCost all() const { return whole_.cost("all"); }

 private:
  struct Costs {
    std::vector<double> first_ms, later_ms, wall_ms;
    std::uint64_t boxes = 0;

    void add(const Costs& other) {
      first_ms.insert(first_ms.end(), other.first_ms.begin(), other.first_ms.end());
      later_ms.insert(later_ms.end(), other.later_ms.begin(), other.later_ms.end());
      wall_ms.insert(wall_ms.end(), other.wall_ms.begin(), other.wall_ms.end());
      boxes = std::max(boxes, other.boxes);
    }
    FrameCost cost(std::string zoom) const {
      Costs together;
      together.add(*this);
      together.first_ms.insert(together.first_ms.end(), later_ms.begin(), later_ms.end());
      return {.zoom = std::move(zoom),
              .boxes = boxes,
              .all = sum_up(std::move(together.first_ms)),
              .first = sum_up(first_ms),
              .later = sum_up(later_ms),
              .wall = sum_up(wall_ms)};
    }
  };

  const Timeline& timeline_;
  TimelineState& state_;
  const DrawFrame& draw_;
  Costs part_, whole_;
};

}  // namespace

DrawFrame layout_only() {
  struct Scratch {
    TrackList tracks;
    Layout layout;
  };
  return [scratch = std::make_shared<Scratch>()](const Timeline& timeline, TimelineState& state) {
    scratch->tracks.update(timeline, state);
    lay_out(timeline, scratch->tracks, {state.view, state.scroll_px, kBenchHeightPx}, core_count(),
            scratch->layout);
    state.visible_boxes = scratch->layout.box_count;
    state.content_height_px = scratch->tracks.height_px();
  };
}

std::vector<FrameCost> measure_frames(const Timeline& timeline, const DrawFrame& draw) {
  std::vector<FrameCost> costs;
  if (timeline.empty()) return costs;
  TimelineState state;
  const ViewportLimits limits{timeline.begin_ns, timeline.end_ns};
  const float width_px = kBenchWidthPx - state.gutter_px;
  const Viewport whole = fitted(limits, width_px);
  Meter meter(timeline, state, draw);
  const auto place_px = [width_px](int place) { return width_px * (place + 0.5) / kPlaces; };

  state.view = whole;
  draw(timeline, state);  // builds fonts, glyphs and the track list: not a frame of the flight
  for (int i = 0; i < kPlaces * kFramesPerPlace; ++i) {
    state.view = panned(whole, i % 2);  // a pixel apart, so that nothing is drawn from a cache
    meter.frame();
  }
  costs.push_back(meter.result("whole"));

  for (double part = 10; whole.span_ns() / part >= kSmallestSpanNs; part *= 10) {
    for (int place = 0; place < kPlaces; ++place) {
      const Viewport close = zoomed(whole, 1 / part, place_px(place));
      for (int i = 0; i < kFramesPerPlace; ++i) {
        state.view = panned(close, i * 7.0);
        meter.frame(i == 0);
      }
    }
    costs.push_back(meter.result(fmt::format("1/{:.0f}", part)));
  }

  for (int place = 0; place < kPlaces; ++place) {
    Viewport closer = whole;
    while (closer.span_ns() > kSmallestSpanNs) {
      closer = zoomed(closer, kFlightStep, place_px(place));
      state.view = closer;
      meter.frame();
    }
  }
  costs.push_back(meter.result("flight"));

  Viewport moving = zoomed(whole, 0.01, 0);
  for (int i = 0; i < kPanFrames; ++i) {
    moving = panned(moving, 200);
    state.view = moving;
    meter.frame();
  }
  costs.push_back(meter.result("pan"));

  state.view = zoomed(whole, 0.1, width_px / 2.0);
  for (int i = 0; i < kScrollFrames; ++i) {
    state.scroll_px = std::max(0.0, state.content_height_px - kBenchHeightPx) * i / kScrollFrames;
    meter.frame();
  }
  costs.push_back(meter.result("scroll"));
  costs.push_back(meter.all());
  return costs;
}

}  // namespace cinderscope
