#include <unistd.h>

#include "ingest/os/file.h"
#include "ingest/os/move_all.h"
#include "ingest/os/web/picked_files.h"

namespace cinderscope {

std::size_t read_all(const UniqueFd& file, std::span<std::byte> bytes, std::error_code& error) {
  if (const std::optional<int> picked = picked_file(file.get())) {
    const off_t at = lseek(file.get(), 0, SEEK_CUR);
    const std::size_t got = read_picked(*picked, static_cast<std::uint64_t>(at), bytes, error);
    lseek(file.get(), static_cast<off_t>(got), SEEK_CUR);
    return got;
  }
  return move_all(bytes.size(), error, [&](std::size_t done) {
    return read(file.get(), bytes.data() + done, bytes.size() - done);
  });
}

std::size_t read_at(const UniqueFd& file, std::uint64_t offset, std::span<std::byte> bytes,
                    std::error_code& error) {
  if (const std::optional<int> picked = picked_file(file.get())) {
    return read_picked(*picked, offset, bytes, error);
  }
  return move_all(bytes.size(), error, [&](std::size_t done) {
    return pread(file.get(), bytes.data() + done, bytes.size() - done,
                 static_cast<off_t>(offset + done));
  });
}

bool refuses_changed(const UniqueFd& file) {
  return picked_file(file.get()).has_value();
}

}  // namespace cinderscope
