// What a tab shows in the timeline's place: the start page, an error, the key help over all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/base/result.h"
#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

struct KeyHelp {
  std::string group;     // "File", "View", ...
  std::string keys;      // "Ctrl+O"
  std::string help;      // "Open a trace"
  std::string command;   // whose keys these are; empty for the mouse
  bool changed = false;  // the keys are other ones than they were made
};

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
  std::string sample_path;  // empty: there is none
  const std::vector<KeyHelp>& keys;
  std::span<const RecentRow> recent = {};  // newest first; as many are shown as there is room for
  std::optional<std::size_t> chosen = {};  // the recent file that the keys have gone to
};
// "open", "open PATH" and "forget-recent PATH" by RunCommand.
void draw_start(const StartFrame& frame, Actions& actions);

struct ErrorFrame {
  const Theme& theme;
  Rect area;
  std::string path;
  const Error& error;
};
// "reload" and "close" by RunCommand; CopyText for the message.
void draw_error(const ErrorFrame& frame, Actions& actions);

struct KeyHelpFrame {
  const Theme& theme;
  Rect area;  // the whole window
  const std::vector<KeyHelp>& keys;
  std::string listening;  // the command that the next key is for; empty: none
  bool whole = false;     // commands without a key are listed too
};
struct KeyHelpAnswer {
  bool close = false;         // pressed beside it
  bool toggle_whole = false;  // list the commands without a key, or no longer
  std::string listen, reset;  // a command whose keys were clicked, or are to be as they were made
};
// Two columns over everything, dimmed behind; they scroll where they need more room.
KeyHelpAnswer draw_key_help(const KeyHelpFrame& frame);

}  // namespace cinderscope
