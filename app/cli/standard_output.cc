#include "app/cli/standard_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "app/cli/cli.h"

namespace cinderscope {
namespace {

std::error_code g_failure;  // the first

void note_failure(int error) {
  if (!g_failure) g_failure = {error != 0 ? error : EIO, std::generic_category()};
}

// Where standard error cannot be written either, there is nobody left to tell.
void say(const std::string& sentence) {
  std::fputs(("cinderscope: " + sentence + "\n").c_str(), stderr);
}

}  // namespace

bool write_output(std::string_view text) {
  if (output_failed()) return false;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_failure(errno);
  return !output_failed();
}

bool output_failed() {
  return static_cast<bool>(g_failure);
}

int status_after_output(int status) {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) note_failure(errno);
  if (!g_failure) return status;
  if (g_failure == std::errc::broken_pipe) return kExitOk;
  say(fmt::format("standard output cannot be written: {}.", g_failure.message()));
  return kExitCannotOpen;
}

int status_after(const std::exception& thrown) {
  const auto* system = dynamic_cast<const std::system_error*>(&thrown);
  if (system != nullptr && std::ferror(stdout) != 0) {
    note_failure(system->code().value());
    return status_after_output(kExitCannotOpen);
  }
  say(thrown.what());
  return kExitCannotOpen;
}

}  // namespace cinderscope
