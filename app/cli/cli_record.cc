// `cinderscope record`: starts a program that was built with the recorder, and shows what it
// records.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "app/cli/cli.h"
#include "app/store/state_files.h"
#include "formats/thread_stream/chunk_walk.h"
#include "ingest/base/parallel.h"
#include "ingest/os/child_process.h"
#include "ingest/os/file.h"
#include "ingest/os/passed_signals.h"

namespace cinderscope {
namespace {

constexpr int kCannotStart = 127;  // as shells say it
constexpr std::chrono::milliseconds kPause{20};

std::string default_path(const std::string& program) {
  return std::filesystem::path(program).filename().string() + ".tsd";
}

// The recorder puts things in place of %.
std::string as_recorder_path(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

ChildOptions child_options(const RecordOptions& options, const std::string& path) {
  ChildOptions child{.program = options.command.front(), .arguments = options.command};
  child.environment = {"TSD_PATH=" + as_recorder_path(path), "TSD_OFF"};
  if (std::getenv("TSD_START") == nullptr) child.environment.emplace_back("TSD_START=now");
  return child;
}

// The file that a recorder makes.
class RecordedFile {
 public:
  explicit RecordedFile(std::string path) : path_(std::move(path)), before_(file_status(path_)) {}

  const std::string& path() const { return path_; }
  // It is a new one: the recorder takes away what was there.
  bool there() const {
    const auto now = file_status(path_);
    return now && now != before_ && now->size_bytes >= thread_stream::kHeaderBytes;
  }
  // It can be read while the program runs: it grows where it is, or is complete already.
  bool can_be_shown() const {
    if (!there()) return false;
    std::error_code error;
    const UniqueFd file = open_to_read(path_, error);
    std::byte head[thread_stream::kHeaderBytes];
    if (!file || read_at(file, 0, head, error) != sizeof head) return false;
    if (!thread_stream::has_magic(head)) return false;
    const Result<thread_stream::FileHeader> header = thread_stream::read_file_header(head);
    if (!header) return false;
    const bool live = (header->flags & thread_stream::kLive) != 0;
    const auto now = file_status(file, error);
    return live || (now && now->size_bytes > thread_stream::kHeaderBytes && !locked_by_other(file));
  }

 private:
  std::string path_;
  std::optional<FileStatus> before_;
};

// Waits for its end on a thread of its own, since the window needs this one.
class RunningProgram {
 public:
  RunningProgram(ChildProcess process, PassedSignals& signals)
      : process_(std::move(process)), signals_(signals) {
    signals_.pass_to(process_.id());
    waits_ = started_thread([this] { wait(); });
  }
  ~RunningProgram() { status(); }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  bool ended() const { return ended_; }
  int status() {
    if (waits_.joinable()) waits_.join();
    if (!ended_) wait();
    return status_;
  }

 private:
  void wait() {
    status_ = process_.wait();
    signals_.end();
    ended_ = true;
  }

  ChildProcess process_;
  PassedSignals& signals_;
  std::atomic<bool> ended_{false};
  int status_ = 0;
  std::thread waits_;
};

}  // namespace

int run_record(const RecordOptions& options) {
  const std::string& program = options.command.front();
  const RecordedFile file(absolute_path(options.out.empty() ? default_path(program) : options.out));
  PassedSignals signals;  // before there is a program that they would miss
  Result<ChildProcess> started = ChildProcess::start(child_options(options, file.path()));
  if (!started) {
    fmt::print(stderr, "{}\n", started.error().text);
    return kCannotStart;
  }
  RunningProgram running(std::move(*started), signals);
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
