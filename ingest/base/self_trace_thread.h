// The name of a thread in the program's own trace, and the end of its lane there.
#pragma once

namespace cinderscope {

// What the calling thread is called while it lives, before the thread's first mark; with its end
// the thread's lane is given back to the next thread of that name. A thread that is only named, by
// self_trace_thread(), keeps its lane. Not done by a thread_local's destructor: on Windows GCC runs
// those after the memory of the thread's variables has gone.
class SelfTraceThread {
 public:
  explicit SelfTraceThread(const char* name);
  ~SelfTraceThread();
  SelfTraceThread(const SelfTraceThread&) = delete;
  SelfTraceThread& operator=(const SelfTraceThread&) = delete;

 private:
  const char* before_;
};

}  // namespace cinderscope
