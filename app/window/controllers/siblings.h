// Other threads of the recording that a trace is one thread of: offers to open them, too.
#pragma once

#include <span>
#include <string>

#include "app/commands/commands.h"
#include "render/base/actions.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class SiblingsController {
 public:
  explicit SiblingsController(AppContext& app) : app_(app) {}

  void poll();  // looks for them once a trace was read
  // To the offer of the shown tab.
  Status answer(bool open_all);
  static std::string offer_text(const Tab& tab);  // empty: nothing is offered
  // Above the timeline until it is answered; what is left of the area below it.
  Rect draw_offer(const Tab& tab, const Rect& area, Actions& actions);

 private:
  void poll(Tab& tab);

  AppContext& app_;
};

std::span<const Command> sibling_commands();

}  // namespace cinderscope
