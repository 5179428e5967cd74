// The panels of a comparison; adding one is a line in the .cc file.
#pragma once

#include <memory>
#include <vector>

#include "app/window/panels/panel.h"

namespace cinderscope {

class ComparePage;

// In the order of their tabs. They refer to `page`, which must outlive them.
std::vector<std::unique_ptr<Panel>> make_compare_panels(ComparePage& page);

}  // namespace cinderscope
