// The page of a trace that a session or a place names and that was not found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct MissingTrace {
  std::string name;
  std::optional<std::uint64_t> size_bytes;  // that it had
  std::string was;                          // "87 469 slices, Google JSON"; may be empty
  std::string found;                        // a file in its place with another content; else empty
  std::uint64_t found_bytes = 0;
  std::optional<std::int64_t> began_ns;  // the one that is missing
  bool of_session = false;               // it can be left out of one
};

struct MissingTraceFrame {
  const Theme& theme;
  Rect area;
  const MissingTrace& missing;
};

// "Where is a.json?"
std::string missing_title(const MissingTrace& missing);

// Runs "locate-trace", "use-trace", "leave-out-trace" and "close".
void draw_missing_trace(const MissingTraceFrame& frame, Actions& actions);

}  // namespace cinderscope
