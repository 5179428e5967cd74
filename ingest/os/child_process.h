// Starts other programs, and talks to helpers of our own.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

// What starts this program anew, whatever has become of its file.
std::string own_program();
// Where that file lies; empty if the system does not tell.
std::filesystem::path own_program_path();

struct ChildOptions {
  std::string program;                 // without a slash it is looked for as a shell does
  std::vector<std::string> arguments;  // the first is its name
  // "NAME=value" sets a variable, "NAME" takes one away; all others are ours.
  std::vector<std::string> environment;
  // A helper: its standard input and output are a connection to us, and it ends with its owner. A
  // program that is none has our streams and outlives its owner.
  bool helper = false;
};

// One thread at a time.
class ChildProcess {
 public:
  // An Error if it cannot be started, as where there is no such program.
  static Result<ChildProcess> start(const ChildOptions& options);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  std::int64_t id() const { return id_; }
  // As a shell counts: 128 and the signal that ended it. nullopt: it still runs.
  std::optional<int> status();
  int wait();

  // Of a helper: gives it `question` and takes all that it answers until it ends. An Error if it
  // was cancelled (and ended for that), or answers more than `most_bytes`.
  Result<std::string> talk(std::string_view question, std::uint64_t most_bytes,
                           const std::atomic<bool>& cancelled);

 private:
  ChildProcess(std::int64_t id, UniqueFd stream) : id_(id), stream_(std::move(stream)) {}
  void end();

  std::int64_t id_ = 0;  // 0: moved from
  UniqueFd stream_;      // of a helper
  std::optional<int> status_;
};

// Of this process, from now on; more ends it. For a helper that reads what may be hostile.
void limit_this_process(std::uint64_t memory_bytes, std::uint64_t cpu_seconds);

// All of standard input.
std::string read_standard_input(std::uint64_t most_bytes);

}  // namespace cinderscope
