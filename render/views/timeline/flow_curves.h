// Curves along the flows that lead to the selected slice and on from it.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/flow_links.h"
#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// The canvases of the pinned tracks and of all others.
struct FlowParts {
  const Canvas &canvas, &pinned_canvas;
  const TrackList &tracks, &pinned;
};

// From one slice to the next, in window pixels.
struct FlowCurve {
  FlowLink link;
  ImVec2 from, to;
  float bend = 0;       // how far it leaves and comes in straight
  float head_px = 0;    // length of its arrow head; 0: the call it points at is too thin for one
  bool direct = false;  // one of its ends is the selected slice
};

// Kept from frame to frame: what the selection is connected with is looked up once.
class FlowCurves {
 public:
  // Before the mouse is looked at: places of the curves in this frame.
  void update(const FlowParts& parts);
  // The curve near a point; null if there is none.
  const FlowCurve* at(const Canvas& canvas, ImVec2 point) const;
  // Below the boxes they are to be seen in full, above them just as much as leaves the boxes'
  // texts legible.
  enum class Layer : std::uint8_t { below_boxes, above_boxes };
  void draw(const Canvas& canvas, Layer layer) const;
  const std::vector<FlowCurve>& curves() const { return curves_; }  // those in view

 private:
  void add(const FlowParts& parts, const FlowLink& link);

  // What the chain was made for.
  SliceRef selected_;
  std::uint64_t version_ = 0;
  const Flows* flows_ = nullptr;
  FlowChain chain_;
  std::vector<FlowCurve> curves_;
};

// "flow "ac2g" from cudaLaunchKernel to gemm, 12.50 µs later".
std::string flow_text(const Timeline& timeline, const FlowLink& link);

}  // namespace cinderscope
