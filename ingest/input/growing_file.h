// An unlinked temporary file that one thread fills while others read it through a fixed mapping.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "ingest/base/result.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

class GrowingFile {
 public:
  // In $TMPDIR, else /var/tmp, else /tmp, else in memory. A large range of addresses is reserved at
  // once, so that bytes never move.
  static Result<std::unique_ptr<GrowingFile>> create();
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // One writer thread. An Error if the disk or the reserved range is full; what fitted stays.
  Status append(std::span<const std::byte> bytes);
  void close();  // no more comes; from here on 64 zero bytes follow the end

  // Any thread.
  std::span<const std::byte> wait_for(std::uint64_t wanted_bytes) const;
  bool closed() const { return closed_; }

 private:
  GrowingFile(UniqueFd file, std::byte* data, std::uint64_t reserved_bytes)
      : file_(std::move(file)), data_(data), reserved_bytes_(reserved_bytes) {}
  bool lengthen(std::uint64_t bytes);
  bool write_at(std::uint64_t offset, std::span<const std::byte> bytes, std::size_t& written_bytes);
  void publish(std::uint64_t size_bytes, bool closed);

  UniqueFd file_;
  std::byte* data_;
  std::uint64_t reserved_bytes_;
  std::uint64_t file_bytes_ = 0;  // the writer's: length of the file, ahead of what is published
  std::atomic<std::uint64_t> size_bytes_{0};
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
};

}  // namespace cinderscope
