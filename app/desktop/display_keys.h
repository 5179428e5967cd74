// Asks the display for held keys while another program has the keyboard; X11 only.
#pragma once

namespace cinderscope {

// UI thread, while the window is open. False without an X server.
bool display_has_shift_held();

}  // namespace cinderscope
