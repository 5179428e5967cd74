// The list of recent files on the start page.
#pragma once

#include <cstddef>

#include "render/views/chrome/start_page.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Height of the list with `rows` files, its head included.
float recent_files_height(const Pen& pen, std::size_t rows);

// Draws as many files as fit into `area`, newest first. Runs "open PATH" and "forget-recent PATH".
void draw_recent_files(const Pen& pen, const StartFrame& frame, const Rect& area, Actions& actions);

}  // namespace cinderscope
