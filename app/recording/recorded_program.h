// A program that was built with the recorder, started so that it records.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "ingest/os/child_process.h"
#include "ingest/os/passed_signals.h"

namespace cinderscope {

// How `command` (the program and its arguments) is started to record in the file `path`.
ChildOptions recorded_child(const std::vector<std::string>& command, const std::string& path);

// Waits for the program's end on a thread of its own, since the window needs the one that asks.
class RecordedProgram {
 public:
  RecordedProgram(ChildProcess process, PassedSignals& signals);
  ~RecordedProgram() { status(); }
  RecordedProgram(const RecordedProgram&) = delete;
  RecordedProgram& operator=(const RecordedProgram&) = delete;

  bool ended() const { return ended_; }
  int status();  // waits for it; as a shell counts

 private:
  void wait();

  ChildProcess process_;
  PassedSignals& signals_;
  std::atomic<bool> ended_{false};
  int status_ = 0;
  std::thread waits_;
};

}  // namespace cinderscope
