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

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/os/temporary_file.h"

namespace cinderscope {

// Of the free disk, that an unpacked trace takes without a question; 1: all of it.
inline constexpr double kUsualDiskShare = 0.5;

class GrowingFile {
 public:
  // Bytes never move once they are there.
  static Result<std::unique_ptr<GrowingFile>> create(
      double disk_share = kUsualDiskShare, std::uint64_t most_bytes = TemporaryFile::kMostBytes);
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // One writer thread. False if the disk, the share of it or the reserved range is full: what
  // fitted stays, and trouble() says what is the matter.
  bool append(std::span<const std::byte> bytes);
  const Diagnostics& trouble() const { return trouble_; }
  std::uint64_t reserved_bytes() const { return file_->reserved_bytes(); }
  // What other files of the same trace take, which counts for the share of the disk.
  void note_elsewhere(std::uint64_t bytes) { elsewhere_bytes_ = bytes; }
  void close();  // no more comes; from here on 64 zero bytes follow the end

  // Any thread.
  std::span<const std::byte> wait_for(std::uint64_t wanted_bytes) const;
  bool closed() const { return closed_; }

 private:
  GrowingFile(std::unique_ptr<TemporaryFile> file, double disk_share)
      : file_(std::move(file)), disk_share_(disk_share) {}
  bool lengthen(std::uint64_t needed_bytes);
  bool stopped_by(std::error_code error);
  void publish(std::uint64_t size_bytes, bool closed);

  std::unique_ptr<TemporaryFile> file_;  // longer than what is published
  double disk_share_;
  std::uint64_t elsewhere_bytes_ = 0;
  Diagnostics trouble_;
  std::atomic<std::uint64_t> size_bytes_{0};
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
};

}  // namespace cinderscope
