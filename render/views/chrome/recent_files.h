// The list of recent files on the start page.
#pragma once

#include <cstddef>

#include "render/views/chrome/start_page.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Height of the list with `rows` files, its head included.
float recent_files_height(const Pen& pen, std::size_t rows);

// As many files as fit into `area`, newest first. "open PATH" and "forget-recent PATH" by
// RunCommand.
void draw_recent_files(const Pen& pen, const StartFrame& frame, const Rect& area, Actions& actions);

}  // namespace cinderscope
