// What the program returns to the shell.
#pragma once

namespace cinderscope {

inline constexpr int kExitOk = 0, kExitCannotOpen = 1, kExitUsage = 2;

}  // namespace cinderscope
