// What the page's own thread and that of the program share: input on its way, and what the window
// looks like.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "app/script/input_event.h"
#include "app/window/window.h"

namespace cinderscope {

struct Page {
  std::mutex mutex;  // of all that follows; nobody holds it for long
  std::condition_variable changed;
  InputQueue queue;
  bool woken = false, damaged = true;
  WindowSize size{.width_px = 1, .height_px = 1};
  float scale = 1;
  std::string pasted;   // what the browser gave last
  unsigned shown = 0;   // frames that the display has taken
  bool hidden = false;  // another tab of the browser is in front
};

Page& the_page();

// By the page's own thread.
void push_of_page(InputEvent event);

}  // namespace cinderscope
