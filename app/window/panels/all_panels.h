// The one list of panels: adding one is one line in the .cc file.
#pragma once

#include <memory>
#include <vector>

#include "app/window/panels/panel.h"

namespace cinderscope {

struct Tab;

// In the order of their tabs. They refer to `tab`, which must outlive them.
std::vector<std::unique_ptr<Panel>> make_panels(Tab& tab);

}  // namespace cinderscope
