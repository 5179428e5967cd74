// What only the display knows of keys and of our window; X11 only.
#pragma once

#include <string>

namespace cinderscope {

// UI thread, while the window is open. False without an X server.
// Keys that are held while another program has the keyboard.
bool display_has_shift_held();
// Our window as other programs name it, "x11:4a00007"; empty where there is none. UI thread.
std::string window_for_dialogs();

}  // namespace cinderscope
