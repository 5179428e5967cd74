#include <unistd.h>

#include "ingest/os/file.h"
#include "ingest/os/move_all.h"

namespace cinderscope {

std::size_t read_all(const UniqueFd& file, std::span<std::byte> bytes, std::error_code& error) {
  return move_all(bytes.size(), error, [&](std::size_t done) {
    return read(file.get(), bytes.data() + done, bytes.size() - done);
  });
}

std::size_t read_at(const UniqueFd& file, std::uint64_t offset, std::span<std::byte> bytes,
                    std::error_code& error) {
  return move_all(bytes.size(), error, [&](std::size_t done) {
    return pread(file.get(), bytes.data() + done, bytes.size() - done,
                 static_cast<off_t>(offset + done));
  });
}

bool refuses_changed(const UniqueFd&) {
  return false;
}

}  // namespace cinderscope
