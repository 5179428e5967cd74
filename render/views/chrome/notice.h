// A strip above the timeline: a sentence and buttons that answer it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

struct NoticeAnswer {
  std::string label;
  RunCommand command;
};

struct NoticeFrame {
  const Theme& theme;
  Rect area;  // kNoticePx high at scale 1
  std::string_view text;
  std::vector<NoticeAnswer> answers;  // from left to right, at the right end
  bool warns = true;                  // has the sign for it
};

inline constexpr float kNoticePx = 36;

// If there is not enough room the sentence is cut and shown as a tooltip.
void draw_notice(const NoticeFrame& frame, Actions& actions);

}  // namespace cinderscope
