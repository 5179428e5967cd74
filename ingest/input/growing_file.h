// Bytes in a temporary file that one thread appends while others read what is there.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "ingest/base/result.h"
#include "ingest/os/temporary_file.h"

namespace cinderscope {

class GrowingFile {
 public:
  // Bytes never move once they are there.
  static Result<std::unique_ptr<GrowingFile>> create();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // One writer thread. An Error if the disk or the reserved range is full; what fitted stays.
  Status append(std::span<const std::byte> bytes);
  void close();  // no more comes; from here on 64 zero bytes follow the end

  // Any thread.
  std::span<const std::byte> wait_for(std::uint64_t wanted_bytes) const;
  bool closed() const { return closed_; }

 private:
  explicit GrowingFile(std::unique_ptr<TemporaryFile> file) : file_(std::move(file)) {}
  void publish(std::uint64_t size_bytes, bool closed);

  std::unique_ptr<TemporaryFile> file_;  // longer than what is published
  std::atomic<std::uint64_t> size_bytes_{0};
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
};

}  // namespace cinderscope
