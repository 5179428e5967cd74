// `cinderscope record`: starts a program that was built with the recorder, and shows what it
// records.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "app/cli/cli.h"
#include "app/recording/recorded_file.h"
#include "app/recording/recorded_program.h"
#include "app/store/state_files.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

constexpr int kCannotStart = 127;  // as shells say it
constexpr std::chrono::milliseconds kPause{20};

std::string default_path(const std::string& program) {
  return utf8_of(path_of(program).filename()) + ".tsd";
}

}  // namespace

int run_record(const RecordOptions& options) {
  const std::string& program = options.command.front();
  const RecordedFile file(absolute_path(options.out.empty() ? default_path(program) : options.out));
  PassedSignals signals;  // before there is a program that they would miss
  Result<ChildProcess> started = ChildProcess::start(recorded_child(options.command, file.path()));
  if (!started) {
    fmt::print(stderr, "{}\n", started.error().text);
    return kCannotStart;
  }
  RecordedProgram running(std::move(*started), signals);
  if (options.show) {
    while (!file.can_be_shown() && !running.ended()) std::this_thread::sleep_for(kPause);
    if (file.there()) options.show(file.path());
  }
  const int status = running.status();
  if (file.there()) {
    fmt::print(stderr, "\"{}\" holds what was recorded.\n", file.path());
  } else {
    fmt::print(stderr,
               "\"{}\" recorded nothing; was it built with the recorder (docs/recording.md)?\n",
               program);
  }
  return status;
}

}  // namespace cinderscope
