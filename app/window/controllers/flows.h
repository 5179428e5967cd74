// Along the flows of the selected call, slice by slice, and the same way back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/commands/commands.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

class AppContext;

// Of the shown tab. UI thread only.
class FlowsController {
 public:
  explicit FlowsController(AppContext& app) : app_(app) {}

  // On (1) or back (-1) from the selected call. Of several flows the first is taken; at the end of
  // a flow, or back where they parted, the next one.
  Status follow(int direction);

 private:
  // A step that was taken, and which of the flows of its slice it took.
  struct Step {
    SliceRef from, to;
    int direction = 1;
    std::size_t taken = 0;
  };
  Status take(const SliceRef& from, int direction, std::size_t wanted);

  AppContext& app_;
  std::vector<Step> steps_;       // those that led to what is selected
  std::optional<Step> undone_;    // the last one that was taken back, from what is selected
  std::uint64_t generation_ = 0;  // of the timeline of these
  const void* session_ = nullptr;
};

std::span<const Command> flow_commands();

}  // namespace cinderscope
