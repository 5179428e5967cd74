// What is said above the timeline about the trace's file: damaged or missing data, and that it has
// changed on disk.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "render/base/actions.h"
#include "render/base/rect.h"

namespace cinderscope {

class AppContext;
struct Tab;

// Its files have grown a short while ago.
bool is_still_written(const Tab& tab);

// UI thread only.
class NoticesController {
 public:
  explicit NoticesController(AppContext& app) : app_(app) {}

  // The files of the shown tab are watched while somebody looks at the window.
  void window_is_active(bool active) { active_ = active; }
  void poll();
  // Until a file that is still written is read on, or seems to be complete; nullopt: there is none.
  std::optional<double> seconds_to_read_on() const;

  // Everything that stands above the timeline of the tab, from top to bottom.
  std::vector<std::string> texts(const Tab& tab) const;
  // What is left of the area below what it draws.
  Rect draw(const Tab& tab, const Rect& area, Actions& actions);
  // The notice of the shown tab goes until the trace is read again.
  void dismiss(std::string_view notice);

 private:
  void poll(Tab& tab);
  void read_on(Tab& tab);

  AppContext& app_;
  bool active_ = true;
};

std::span<const Command> notice_commands();

}  // namespace cinderscope
