// What a tab shows in the timeline's place: the start page, an error, the key help over all.
#pragma once

#include <string>
#include <vector>

#include "ingest/result.h"
#include "render/actions.h"
#include "render/theme.h"
#include "render/timeline_view.h"

namespace cinderscope {

struct KeyHelp {
  std::string group;  // "File", "View", ...
  std::string keys;   // "Ctrl+O"
  std::string help;   // "Open a trace"
};

struct StartFrame {
  const Theme& theme;
  Rect area;
  std::string sample_path;  // empty: there is none
  const std::vector<KeyHelp>& keys;
};
// "open" and "open PATH" by RunCommand.
void draw_start(const StartFrame& frame, Actions& actions);

struct ErrorFrame {
  const Theme& theme;
  Rect area;
  std::string path;
  const Error& error;
};
// "reload" and "close" by RunCommand; CopyText for the message.
void draw_error(const ErrorFrame& frame, Actions& actions);

// Two columns over everything, dimmed behind. A click or any key closes it: true then.
bool draw_key_help(const Theme& theme, const Rect& area, const std::vector<KeyHelp>& keys);

}  // namespace cinderscope
