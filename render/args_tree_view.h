// Draws the arguments of a slice as a tree that folds, each node of which can be copied.
#pragma once

#include "render/args_text.h"
#include "render/widgets_view.h"

namespace cinderscope {

// `folds` belongs to `tree`. A click folds or copies, a right click or the button copies.
void draw_args(Column& column, const ArgsTree& tree, ArgsFolds& folds, Actions& actions);

}  // namespace cinderscope
