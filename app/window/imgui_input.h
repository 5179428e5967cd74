// Hands input events to Dear ImGui.
#pragma once

#include "app/script/input_event.h"

namespace cinderscope {

// Keys, pointer and characters; drops are left out.
void feed_imgui(const InputEvent& event);

}  // namespace cinderscope
