#include "app/desktop/desktop_commands.h"

namespace cinderscope {

// Packages bring the menu entry and the types of files.
std::vector<DesktopCommand> desktop_commands() {
  return {};
}

}  // namespace cinderscope
