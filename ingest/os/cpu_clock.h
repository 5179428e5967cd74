// How long a thread or this process has computed so far, for what a frame costs.
#pragma once

namespace cinderscope {

// In milliseconds, from some moment on. Browsers do not count that: there it is the time that went
// by, which is more where something else ran meanwhile.
double thread_cpu_ms();   // of the thread that asks
double process_cpu_ms();  // of all threads

}  // namespace cinderscope
