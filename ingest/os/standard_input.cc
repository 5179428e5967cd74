#include <span>

#include "ingest/os/child_process.h"
#include "ingest/os/file.h"

namespace cinderscope {

std::string read_standard_input(std::uint64_t most_bytes) {
  constexpr std::size_t kReadBytes = std::size_t{64} * 1024;
  std::string text;
  std::error_code error;
  const UniqueFd input = open_standard_input(error);
  while (!error && text.size() < most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + kReadBytes);
    const std::size_t got =
        read_all(input, std::as_writable_bytes(std::span(text).subspan(before)), error);
    text.resize(before + got);
    if (got < kReadBytes) break;
  }
  return text;
}

}  // namespace cinderscope
