// Hands input events to Dear ImGui, whichever way its version wants them.
#pragma once

#include "app/script/input_event.h"

namespace cinderscope {

void set_up_imgui_keys();
// Keys, pointer and characters; drops are left out.
void feed_imgui(const InputEvent& event);

}  // namespace cinderscope
