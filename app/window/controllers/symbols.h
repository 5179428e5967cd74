// Names of a trace that lie in a file of their own: taken anew, and what colours go by.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class SymbolsController {
 public:
  explicit SymbolsController(AppContext& app) : app_(app) {}

  // For the shown trace, from that file of names; empty: from where they usually lie beside it.
  Status take(const std::string& path);
  bool take_dropped(const std::vector<std::string>& paths);  // false: they are no names
  void colour_by_package(bool by_package);
  // Names of native functions, for the shown trace, from the files that ran.
  Status look_up();
  Status cancel_look_up();
  void poll();  // says what went wrong
  // A file of names that was given holds for the other traces of the same folder, too, when they
  // are opened next.
  void keep_mapping(Tab& tab);

 private:
  void tell(Tab& tab);
  void take_looked_up(Tab& tab);

  AppContext& app_;
};

std::span<const Command> symbol_commands();

}  // namespace cinderscope
