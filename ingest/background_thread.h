// Threads that work beside a window let the thread that draws it go first.
#pragma once

namespace cinderscope {

// From now on there is a window: by whoever opens one, before it starts other threads. Without it
// the call below does nothing, so that sub-commands share the machine as any program does.
void let_the_window_go_first();

// By a thread that loads, answers or prepares, at its start: the system then gives a core to the
// window's thread as soon as that wants one, and the rest of the time to this. Threads that it
// starts are the same. Any thread; does nothing where the system has no such priorities.
void give_way_to_the_window();

}  // namespace cinderscope
