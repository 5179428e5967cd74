#include "app/recording/recorded_program.h"

#include <cstdlib>
#include <utility>

#include "app/recording/recorder_path.h"
#include "ingest/base/parallel.h"

namespace cinderscope {

ChildOptions recorded_child(const std::vector<std::string>& command, const std::string& path) {
  ChildOptions child{.program = command.front(), .arguments = command};
  child.environment = {"TSD_PATH=" + as_recorder_path(path), "TSD_OFF"};
  if (std::getenv("TSD_START") == nullptr) child.environment.emplace_back("TSD_START=now");
  return child;
}

RecordedProgram::RecordedProgram(ChildProcess process, PassedSignals& signals)
    : process_(std::move(process)), signals_(signals) {
  signals_.pass_to(process_.id());
  waits_ = started_thread([this] { wait(); });
}

int RecordedProgram::status() {
  if (waits_.joinable()) waits_.join();
  if (!ended_) wait();
  return status_;
}

void RecordedProgram::wait() {
  status_ = process_.wait();
  signals_.end();
  ended_ = true;
}

}  // namespace cinderscope
