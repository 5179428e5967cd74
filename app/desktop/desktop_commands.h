// Sub-commands that only one desktop has: on Windows what packages do elsewhere.
#pragma once

#include <string>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

struct DesktopCommand {
  std::string name, help;
  Result<std::string> (*run)();  // what was done, as a sentence
};
std::vector<DesktopCommand> desktop_commands();

}  // namespace cinderscope
