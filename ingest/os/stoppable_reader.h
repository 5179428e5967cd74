// Reads a pipe, a socket or a file on one thread until another thread says stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <system_error>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

class StoppableReader {
 public:
  // Null, with an error, if the system has no descriptor left for it.
  static std::unique_ptr<StoppableReader> create(UniqueFd source, std::error_code& error);

  // Of a file: `most_bytes` from `offset` on.
  static std::unique_ptr<StoppableReader> of_part(UniqueFd file, std::uint64_t offset,
                                                  std::uint64_t most_bytes, std::error_code& error);

  // Waits for bytes and returns how many came: 0 at the end, on an error and once stopped.
  std::size_t read(std::span<std::byte> bytes, std::error_code& error);

  void stop();  // any thread: a read that waits ends, and so do all that follow

 private:
  StoppableReader(UniqueFd source, UniqueFd wake)
      : source_(std::move(source)), wake_(std::move(wake)) {}
  bool wait_readable() const;

  UniqueFd source_;
  UniqueFd wake_;  // readable once stop() was called
  std::uint64_t left_bytes_ = UINT64_MAX;
  std::atomic<bool> stopping_{false};
};

}  // namespace cinderscope
