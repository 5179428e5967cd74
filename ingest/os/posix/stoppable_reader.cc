#include "ingest/os/stoppable_reader.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace cinderscope {

std::unique_ptr<StoppableReader> StoppableReader::create(UniqueFd source, std::error_code& error) {
  UniqueFd wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  error.clear();
  if (!wake) {
    error = {errno, std::generic_category()};
    return nullptr;
  }
  return std::unique_ptr<StoppableReader>(new StoppableReader(std::move(source), std::move(wake)));
}

std::size_t StoppableReader::read(std::span<std::byte> bytes, std::error_code& error) {
  error.clear();
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_bytes_));
  while (wait_readable()) {
    const ssize_t size = ::read(source_.get(), bytes.data(), most);
    if (size >= 0) {
      if (left_bytes_ != UINT64_MAX) left_bytes_ -= static_cast<std::uint64_t>(size);
      return static_cast<std::size_t>(size);
    }
    if (errno == EINTR || errno == EAGAIN) continue;
    error = {errno, std::generic_category()};
    break;
  }
  return 0;
}

void StoppableReader::stop() {
  stopping_ = true;
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then it is readable anyway.
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

bool StoppableReader::wait_readable() const {
  std::array<pollfd, 2> polled{pollfd{source_.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
  while (poll(polled.data(), polled.size(), -1) < 0) {
    if (errno != EINTR) break;  // read() will say why
  }
  return !stopping_;
}

}  // namespace cinderscope
