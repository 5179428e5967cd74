// The head of a comparison: both sides, what is compared and how, and the whole difference.
#pragma once

#include <string>
#include <vector>

#include "ingest/compare/compared_names.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/key_names.h"

namespace cinderscope {

struct HeadSide {
  std::string name, path;
  std::string runs;  // "5 runs"; empty: one
};

// A list that opens; `target` is the argument of "context-menu".
struct HeadMenu {
  std::string label, value, target, help;
};

struct CompareHeadFrame {
  const Theme& theme;
  Rect area;  // 40 px high at scale 1
  OfSides<HeadSide> sides;
  std::vector<HeadMenu> menus;
  // "+565.8 ms", "+6.7 %"; empty while nothing is known.
  std::string difference, change;
  int direction = 0;  // of the change: 1 more, -1 less
  std::string note;   // in its place while there is none: "comparing…"
  KeysOf keys_of = nullptr;
};

inline constexpr float kCompareHeadPx = 40;

// Runs "compare-swap" and "context-menu TARGET".
void draw_compare_head(const CompareHeadFrame& frame, Actions& actions);

}  // namespace cinderscope
