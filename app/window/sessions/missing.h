// Traces that a session or a place names and that were not found: the page that asks where they
// are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "render/base/rect.h"
#include "render/views/chrome/missing_trace.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class MissingController {
 public:
  explicit MissingController(AppContext& app) : app_(app) {}

  // A tab that asks where the trace is.
  Tab& ask_where(MissingTrace missing);
  // The shown tab's trace is that file. An Error: nothing is missing there.
  Status locate(const std::string& path);
  void open_found(Tab& tab, const std::string& path);
  Status use_found();
  bool take_dropped(const std::vector<std::string>& paths);  // true: one is the missing trace
  static void draw(const Theme& theme, const Tab& tab, const Rect& area, Actions& actions);

 private:
  AppContext& app_;
};

std::span<const Command> missing_commands();

}  // namespace cinderscope
