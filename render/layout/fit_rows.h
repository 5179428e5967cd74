// How many rows each track needs for what the view shows of it. No ImGui.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// The rows down to the deepest one with a slice in [begin_ns, end_ns); 1 where there is none, 0 for
// a track without rows. O(log rows x log slices) where slices nest, O(rows x log slices) where they
// overlap; a block of more than 20 000 such rows keeps all of them.
std::uint32_t rows_in_view(const Track& track, std::int64_t begin_ns, std::int64_t end_ns);

// Follows the view within 120 ms. A frame looks at a bounded number of rows: with very many threads
// those that are not on screen follow some frames later. UI thread.
class FitRows {
 public:
  struct Frame {
    const Timeline& timeline;
    const TimelineState& state;
    std::uint64_t version = 0;  // changes with the timeline and when child blocks come or go
    double seconds = 0;         // since the last frame
    // Looked at before all others.
    std::span<const TrackId> visible;
    // Its row is shown though the view has not got there yet; may be falsy.
    SliceRef sought;
  };
  void update(const Frame& frame);

  // By track, with fractions on the way.
  std::span<const float> rows() const { return now_; }
  // False while heights move or tracks wait to be looked at.
  bool settled() const { return pending_ == 0 && moved_s_ >= kMoveS; }

 private:
  static constexpr double kMoveS = 0.12;
  bool look_at(const Frame& frame, std::uint32_t track);
  void restart(const Frame& frame);
  void move(double seconds);

  // What the numbers were made of.
  const Track* tracks_ = nullptr;
  std::uint64_t version_ = 0, record_count_ = 0;
  Viewport view_;
  bool fits_ = true;
  SliceRef sought_;

  std::vector<float> needed_, from_, now_;
  std::size_t next_ = 0, pending_ = 0;  // tracks still to look at, from `next_` on, round and round
  double moved_s_ = kMoveS;             // since heights last changed their aim
};

}  // namespace cinderscope
