// Priorities of single threads, and a wait that no lock of another thread can prolong.
#pragma once

#include <atomic>
#include <chrono>

namespace cinderscope {

// Gives the calling thread a lower priority than the thread that opened the window. Does nothing
// where the system has no priorities of single threads.
void run_behind_window();

// Waits until `word` is no longer `from`, at most `longest`; may return without a reason. Not a
// mutex with a condition: the window would wait for a thread of low priority that has it.
void wait_for_change(std::atomic<int>& word, int from, std::chrono::milliseconds longest);
void wake_waiting(std::atomic<int>& word);  // all that wait for a change of it

}  // namespace cinderscope
