// --self-trace FILE: what the program itself does, as a trace.
#pragma once

#include <memory>
#include <string>

#include "ingest/base/result.h"
#include "ingest/os/self_trace_file.h"

namespace cinderscope {

// Records from here to the end of its life; one at a time. A name that ends in ".tsd" is written by
// the recorder of thread streams, while the program runs and with all its marks; any other one as
// JSON at the end.
class OwnTrace {
 public:
  static Result<OwnTrace> start(const std::string& path);  // nothing if it is empty
  OwnTrace(OwnTrace&& other) noexcept
      : json_(std::move(other.json_)), stream_(std::exchange(other.stream_, false)) {}
  OwnTrace& operator=(OwnTrace&&) = delete;
  ~OwnTrace();

 private:
  explicit OwnTrace(SelfTraceFile json) : json_(std::move(json)) {}

  SelfTraceFile json_;
  bool stream_ = false;
};

}  // namespace cinderscope
