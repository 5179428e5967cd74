// The thread that a file asks to be shown first: what a TraceSource may be beside.
#pragma once

#include "ingest/format/trace_source.h"
#include "ingest/model/ids.h"

namespace cinderscope {

class ActiveThread {
 public:
  virtual ~ActiveThread() = default;
  // After load(), any thread. kNoThread: the file asks for none.
  virtual ThreadId active_thread() const = 0;
};

// That of a source; kNoThread of one that knows of no such thing, or of none (null).
inline ThreadId active_thread_of(const TraceSource* source) {
  const auto* active = dynamic_cast<const ActiveThread*>(source);
  return active == nullptr ? kNoThread : active->active_thread();
}

}  // namespace cinderscope
