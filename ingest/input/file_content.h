// Whether the bytes of an open file are still those that were read: a program that writes its trace
// anew writes into the pages that are mapped here, or what is read by pieces.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "ingest/input/file_change.h"
#include "ingest/os/file.h"

namespace cinderscope {

class FileContent {
 public:
  // How the file is asked, by any thread.
  struct File {
    std::function<std::optional<FileStatus>()> status;                     // as it is now
    std::function<void(std::uint64_t offset, std::span<std::byte>)> read;  // zeros for what is lost
  };

  // `opened` is what was known of it when it was opened; `size_bytes` is how much is read of it.
  FileContent(File file, std::uint64_t size_bytes, const FileStatus& opened)
      : file_(std::move(file)),
        size_bytes_(size_bytes),
        opened_(opened),
        edges_(edges()),
        trusted_(opened) {}

  // What the file holds now is what was read: remembers some of it.
  void note_read();

  // Any thread; asks the system each time. `overwritten` or `shrunk` once, for ever. Where the file
  // system cannot tell (only the length or the administrative time differ, or the file was written
  // so short before that writing it anew may leave its time as it is) bytes are compared.
  FileChange change() const;

 private:
  FileChange compared(const FileStatus& now) const;
  std::uint64_t fingerprint() const;
  std::uint64_t edges() const;  // of the first and the last bytes: cheap enough for every file

  std::uint64_t hash_of(std::uint64_t hash, std::uint64_t offset, std::uint64_t bytes) const;

  const File file_;
  const std::uint64_t size_bytes_;
  const FileStatus opened_;
  const std::uint64_t edges_;
  mutable std::atomic<FileChange> lost_{FileChange::none};  // the bytes are others for sure
  mutable std::mutex mutex_;                                // over the following
  mutable FileStatus trusted_;  // with these facts the bytes were the same
  std::optional<std::uint64_t> fingerprint_;
  std::chrono::steady_clock::time_point noted_;
  mutable bool fresh_ = false;  // equal facts prove nothing yet
};

}  // namespace cinderscope
