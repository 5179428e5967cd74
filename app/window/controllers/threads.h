// The rows of the gutter: which threads are shown, in which order, and the field that filters them.
#pragma once

#include <span>

#include "app/commands/commands.h"
#include "render/base/actions.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class ThreadsController {
 public:
  explicit ThreadsController(AppContext& app) : app_(app) {}

  // Shows the threads that contain `text`; nothing opens the field to type it into.
  void filter(const std::string& text);
  void close_filter() { filter_open_ = false; }
  bool typing() const;  // into the field
  bool shows_filter(const TimelineState& state) const {
    return filter_open_ || !state.filter.empty();
  }

  // A field over the gutter's corner beside the ruler; an icon in its place while it is closed.
  void draw_filter(const Tab& tab, const Rect& area, Actions& actions);
  void draw_hidden_threads_menu(Actions& actions);  // inside of an open menu

 private:
  void draw_filter_icon(const Rect& corner, Actions& actions);

  AppContext& app_;
  bool filter_open_ = false, filter_focus_ = false;
};

std::span<const Command> thread_commands();

}  // namespace cinderscope
