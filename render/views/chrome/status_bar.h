// The bar at the bottom: range or view, counts, memory, load time or progress.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct StatusFrame {
  const Timeline* timeline = nullptr;    // null: no trace
  const TimelineState* state = nullptr;  // null with it
  const Theme& theme;
  Rect area;  // 24 px high at scale 1
  bool loading = false;
  double load_fraction = 0;          // of a running load; 0 while unknown
  double bytes_per_second = 0;       // of a running load
  std::uint64_t unpacked_bytes = 0;  // on the disk, of a running load
  double load_seconds = 0;           // of a finished one
  std::uint64_t kept_bytes = 0;
  std::uint64_t thread_count = 0;            // by count_threads()
  std::optional<std::uint64_t> range_calls;  // in the selected range, once they are counted
  std::string message;                       // e.g. "copied"; shown instead of the counts
  // What goes on in the background, until it is done: "counting the calls on disk, 40 %".
  std::string work;
  std::string end_work;  // the command that ends it; empty: it cannot be
  // In place of the counts and the load time, where something else than one trace is shown.
  std::vector<std::string> facts;
  std::string right;
  bool growing = false;  // its files are still written, and read on as they grow
};

// Number of threads that own slices or instants. Looks at all: call it once for a timeline, not in
// every frame.
std::uint64_t count_threads(const Timeline& timeline);

// Runs "cancel" while loading.
void draw_status(const StatusFrame& frame, Actions& actions);

}  // namespace cinderscope
