// What the program returns to the shell.
#pragma once

namespace cinderscope {

inline constexpr int kExitOk = 0, kExitCannotOpen = 1, kExitUsage = 2;
// Of `compare`: a condition holds; a name that was given occurs nowhere.
inline constexpr int kExitFailed = 3, kExitNoSuchName = 4;

}  // namespace cinderscope
