// What is to be done with traces that were dropped, where two are involved: fields over the
// timeline.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/script/input_event.h"
#include "render/base/actions.h"
#include "render/base/rect.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class DropChooser {
 public:
  explicit DropChooser(AppContext& app) : app_(app) {}

  // False: there is nothing to choose, so they are opened as always.
  bool asks(const std::vector<std::string>& paths);
  // One that was dropped on a tab's head, where it may take that trace's place. The tab is shown.
  bool asks_on_head(std::size_t tab, const std::string& path);
  bool open() const { return !paths_.empty(); }
  // 1 to 4, Enter and Escape while it waits. True: the key was for it.
  bool take_key(const KeyChord& chord);
  Status choose(std::string_view word);
  void draw(const Rect& area, Actions& actions);

 private:
  AppContext& app_;
  std::vector<std::string> paths_;  // empty: it does not ask
  bool may_replace_ = false;        // the shown trace
};

std::span<const Command> drop_commands();

}  // namespace cinderscope
