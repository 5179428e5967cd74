#include "app/session_file/session_path.h"

#include <array>
#include <string_view>

#include "app/session_file/session_file.h"
#include "ingest/os/file.h"

namespace cinderscope {

bool is_session_file(const std::string& path) {
  if (path == "-") return false;
  std::error_code error;
  const UniqueFd file = open_to_read(path, error);
  if (!file) return false;
  const auto status = file_status(file, error);
  if (!status || status->kind != FileKind::regular) return false;
  std::array<char, 256> head{};
  const std::size_t size = read_at(file, 0, std::as_writable_bytes(std::span(head)), error);
  return looks_like_session(std::string_view(head.data(), size));
}

}  // namespace cinderscope
