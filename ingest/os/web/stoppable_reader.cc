#include "ingest/os/stoppable_reader.h"

#include <algorithm>
#include <utility>

#include "ingest/os/file.h"

namespace cinderscope {

// Files only, of which a read never waits for long.
std::unique_ptr<StoppableReader> StoppableReader::create(UniqueFd source, std::error_code& error) {
  error.clear();
  return std::unique_ptr<StoppableReader>(new StoppableReader(std::move(source), {}));
}

std::size_t StoppableReader::read(std::span<std::byte> bytes, std::error_code& error) {
  error.clear();
  if (stopping_) return 0;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_bytes_));
  const std::size_t got = read_all(source_, bytes.first(most), error);
  if (left_bytes_ != UINT64_MAX) left_bytes_ -= got;
  return got;
}

void StoppableReader::stop() {
  stopping_ = true;
}

bool StoppableReader::wait_readable() const {
  return !stopping_;
}

}  // namespace cinderscope
