// What a tab shows in the timeline's place: the start page, an error, the key help over all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

// Two columns over everything, dimmed behind. A click or any key closes it: true then.
bool draw_key_help(const Theme& theme, const Rect& area, const std::vector<KeyHelp>& keys);

}  // namespace cinderscope
