// Layouts: threads, search and panel of a session put on another trace.
#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/session_file/layout.h"

namespace cinderscope {

class AppContext;
struct Tab;

// The one that was put on a tab last.
struct AppliedLayout {
  std::string name;               // of its file
  SessionTab before;              // to be put back
  std::vector<std::string> lost;  // threads that are not here
  bool told = true;               // a notice says so
};

// UI thread only.
class LayoutsController {
 public:
  explicit LayoutsController(AppContext& app) : app_(app) {}

  // Where those lie that are for traces that were never opened; empty: nowhere.
  void look_in(std::string folder) { folder_ = std::move(folder); }
  // Once both the layout and the tab's trace are read; what cannot be is said, and on standard
  // error.
  void apply(Tab& tab, const std::string& path);
  void apply_default(Tab& tab);
  // The shown tab is as before again.
  Status undo();
  // What a notice says of the tab; empty: nothing.
  static std::string notice(const Tab& tab);

  bool busy() const;                // one may still be put on the shown tab: scripts wait for it
  bool busy(const Tab& tab) const;  // something is still to be put on it
  void poll();

 private:
  struct Reading {
    const Tab* tab = nullptr;  // which may be closed meanwhile
    std::uint64_t generation = 0;
    bool by_itself = false;  // nobody asked for it
    std::future<std::optional<Result<SessionLayout>>> layout;
  };
  bool waits_for_trace(const Reading& read) const;
  void put_on(Tab& tab, const SessionLayout& layout, bool by_itself);

  AppContext& app_;
  std::string folder_;
  std::vector<Reading> reading_;
};

// "worker, render and 3 more".
std::string names_text(const std::vector<std::string>& names);

std::span<const Command> layout_commands();

}  // namespace cinderscope
