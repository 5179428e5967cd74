#include "app/frame_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "render/layout.h"
#include "render/track_list.h"

namespace cinderscope {

namespace {

constexpr int kPlaces = 10, kFramesPerPlace = 5, kPanFrames = 120, kScrollFrames = 60;
constexpr double kSmallestSpanNs = 100;

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Draws frames and gathers what they cost.
class Meter {
 public:
  Meter(const Timeline& timeline, TimelineState& state, const DrawFrame& draw)
      : timeline_(timeline), state_(state), draw_(draw) {}

  void frame() {
    const double before = thread_cpu_ms();
    draw_(timeline_, state_);
    costs_ms_.push_back(thread_cpu_ms() - before);
    boxes_ = std::max(boxes_, state_.visible_boxes);
  }

  FrameCost result(std::string zoom) {
    std::sort(costs_ms_.begin(), costs_ms_.end());
    FrameCost cost{.zoom = std::move(zoom), .frames = costs_ms_.size(), .boxes = boxes_};
    cost.median_ms = costs_ms_[costs_ms_.size() / 2];
    cost.p99_ms = costs_ms_[(costs_ms_.size() * 99 + 99) / 100 - 1];
    cost.max_ms = costs_ms_.back();
    costs_ms_.clear();
    boxes_ = 0;
    return cost;
  }

 private:
  const Timeline& timeline_;
  TimelineState& state_;
  const DrawFrame& draw_;
  std::vector<double> costs_ms_;
  std::uint64_t boxes_ = 0;
};

}  // namespace

DrawFrame layout_only() {
  struct Scratch {
    TrackList tracks;
    Layout layout;
  };
  return [scratch = std::make_shared<Scratch>()](const Timeline& timeline, TimelineState& state) {
    scratch->tracks.update(timeline, state);
    lay_out(timeline, scratch->tracks, {state.view, state.scroll_px, kBenchHeightPx},
            scratch->layout);
    state.visible_boxes = scratch->layout.boxes.size();
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

  state.view = whole;
  draw(timeline, state);  // builds fonts, glyphs and the track list: not a frame of the flight
  for (int i = 0; i < kPlaces * kFramesPerPlace; ++i) {
    state.view = panned(whole, i % 2);  // a pixel apart, so that nothing is drawn from a cache
    meter.frame();
  }
  costs.push_back(meter.result("whole"));

  for (double part = 10; whole.span_ns() / part >= kSmallestSpanNs; part *= 10) {
    for (int place = 0; place < kPlaces; ++place) {
      const double around_px = width_px * (place + 0.5) / kPlaces;
      const Viewport close = zoomed(whole, 1 / part, around_px);
      for (int i = 0; i < kFramesPerPlace; ++i) {
        state.view = panned(close, i * 7.0);
        meter.frame();
      }
    }
    costs.push_back(meter.result(fmt::format("1/{:.0f}", part)));
  }

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
  return costs;
}

}  // namespace cinderscope
