#include "ingest/os/child_process.h"

#include <utility>

namespace cinderscope {
namespace {

Error no_programs() {
  return {ErrorCode::cannot_read, "A page in a browser cannot start other programs.", {}};
}

}  // namespace

std::string own_program() {
  return {};
}

// What comes with the program lies in share/ beside this folder: app/desktop/sample_file.h.
std::filesystem::path own_program_path() {
  return "/cinderscope/bin/cinderscope";
}

Result<ChildProcess> ChildProcess::start(const ChildOptions&) {
  return no_programs();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, 0)),
      stream_(std::move(other.stream_)),
      status_(std::exchange(other.status_, std::nullopt)) {}

ChildProcess::~ChildProcess() = default;

void ChildProcess::end() {}

// Nobody has one.
std::optional<int> ChildProcess::status() {
  return status_;
}

int ChildProcess::wait() {
  return status_.value_or(1);
}

Result<std::string> ChildProcess::talk(std::string_view, std::uint64_t, const std::atomic<bool>&) {
  return no_programs();
}

void limit_this_process(std::uint64_t, std::uint64_t) {}

}  // namespace cinderscope
