// Draws the arguments of a slice as a tree; nodes can be folded and copied.
#pragma once

#include "render/text/args_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// `folds` belongs to `tree`. A click folds or copies, a right click or the button copies.
void draw_args(Column& column, const ArgsTree& tree, ArgsFolds& folds, Actions& actions);

}  // namespace cinderscope
