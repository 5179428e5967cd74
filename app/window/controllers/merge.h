// Several files on one timeline: adding them, moving them, saying how they were aligned.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/session/merge_offset.h"
#include "render/base/actions.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class MergeController {
 public:
  explicit MergeController(AppContext& app) : app_(app) {}

  // Onto the timeline of the shown tab, or a new one where there is none.
  Status add(const std::vector<MergeFile>& files);
  void add_tab(const std::vector<MergeFile>& files, bool held = false);
  void add_dropped(const std::vector<std::string>& paths);  // says what is wrong
  // One file of the shown timeline, or all but the first.
  Status move(const MergeOffset& offset, std::optional<std::size_t> file);
  void poll();  // tells of the alignment once the files have been read

  // Above the timeline until it is answered; what is left of the area below it.
  Rect draw_warning(const Tab& tab, const Rect& area, Actions& actions);

 private:
  void read(Tab& tab);
  void tell(Tab& tab);

  AppContext& app_;
};

std::span<const Command> merge_commands();

}  // namespace cinderscope
