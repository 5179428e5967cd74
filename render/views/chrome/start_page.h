// The start page: how to open a trace, recent files, keys.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/key_help.h"

namespace cinderscope {

// A file that was opened before.
struct RecentRow {
  std::string path;  // absolute
  std::uint64_t size_bytes = 0;
  std::int64_t opened_s = 0;  // since 1970
  bool missing = false;
  bool is_folder = false;  // whose size tells nothing
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

}  // namespace cinderscope
