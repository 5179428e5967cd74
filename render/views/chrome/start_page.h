// The start page, the page of an error, and the key help that lies over everything.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/base/result.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/layout/key_help.h"

namespace cinderscope {

// A file that was opened before.
struct RecentRow {
  std::string path;  // absolute
  std::uint64_t size_bytes = 0;
  std::int64_t opened_s = 0;  // since 1970
  bool missing = false;
};

struct StartFrame {
  const Theme& theme;
  Rect area;
  std::string sample_path;  // empty: none
  const std::vector<KeyHelp>& keys;
  std::span<const RecentRow> recent = {};  // newest first; as many as fit are shown
  std::optional<std::size_t> chosen = {};  // the recent file chosen by keys
};
// Runs "open", "open PATH" and "forget-recent PATH".
void draw_start(const StartFrame& frame, Actions& actions);

struct ErrorFrame {
  const Theme& theme;
  Rect area;
  std::string path;
  const Error& error;
};
// Runs "reload" and "close"; copies the message.
void draw_error(const ErrorFrame& frame, Actions& actions);

struct KeyHelpFrame {
  const Theme& theme;
  Rect area;  // the whole window
  const std::vector<KeyHelp>& keys;
  std::string listening;  // the command that gets the next key pressed; empty: none
  bool whole = false;     // commands without a key are listed too
};
struct KeyHelpAnswer {
  bool close = false;         // a click outside of the help
  bool toggle_whole = false;  // show or hide the commands without a key
  std::string listen, reset;  // the command that gets new keys, or its default keys again
};
// Draws two columns over the dimmed window; they scroll if they need more room.
KeyHelpAnswer draw_key_help(const KeyHelpFrame& frame);

}  // namespace cinderscope
