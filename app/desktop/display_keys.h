// Keys that the display knows to be down though another program has the keyboard; knows X11 only.
#pragma once

namespace cinderscope {

// UI thread, while the window is open. False where there is no X server to ask.
bool display_has_shift_held();

}  // namespace cinderscope
