// Whether the bytes of a mapped file are still those that were read: a program that writes its
// trace anew writes into the pages that are mapped here.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "ingest/input/file_change.h"
#include "ingest/os/file.h"
#include "ingest/os/mapped_file.h"

namespace cinderscope {

class MappedContent {
 public:
  // `file` outlives it; `opened` is what was known of it when it was mapped.
  MappedContent(const MappedFile& file, const FileStatus& opened)
      : file_(file), opened_(opened), edges_(edges()), trusted_(opened) {}

  // What is mapped now is what was read: remembers some of it.
  void note_read();

  // Any thread; asks the system each time. `overwritten` or `shrunk` once, for ever. Where the file
  // system cannot tell (only the length or the administrative time differ, or the file was written
  // so short before that writing it anew may leave its time as it is) bytes are compared.
  FileChange change() const;

 private:
  FileChange compared(const FileStatus& now) const;
  std::uint64_t fingerprint() const;
  std::uint64_t edges() const;  // of the first and the last bytes: cheap enough for every file

  const MappedFile& file_;
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
