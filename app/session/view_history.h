// Back and forward through the views of one trace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "render/base/viewport.h"

namespace cinderscope {

struct VisitedView {
  Viewport view;
  double scroll_px = 0;
};

// Keeps a view that was still for a while or was jumped away from; not the steps of one zoom or
// drag.
class ViewHistory {
 public:
  // Call before the view changes from `left`. `now_ms` is any steady clock.
  void moving(const VisitedView& left, std::int64_t now_ms, bool jump) {
    if (jump || now_ms - last_move_ms_ > kSettledMs) {
      back_.push_back(left);
      if (back_.size() > kMaxViews) back_.erase(back_.begin());
      forward_.clear();
    }
    last_move_ms_ = now_ms;
  }
  std::optional<VisitedView> back(const VisitedView& current) {
    return step(back_, forward_, current);
  }
  std::optional<VisitedView> forward(const VisitedView& current) {
    return step(forward_, back_, current);
  }
  bool can_go_back() const { return !back_.empty(); }
  bool can_go_forward() const { return !forward_.empty(); }

 private:
  static constexpr std::int64_t kSettledMs = 700;
  static constexpr std::size_t kMaxViews = 200;

  static std::optional<VisitedView> step(std::vector<VisitedView>& from,
                                         std::vector<VisitedView>& to, const VisitedView& current) {
    if (from.empty()) return std::nullopt;
    to.push_back(current);
    const VisitedView target = from.back();
    from.pop_back();
    return target;
  }

  std::vector<VisitedView> back_, forward_;
  std::int64_t last_move_ms_ = -kSettledMs - 1;
};

}  // namespace cinderscope
