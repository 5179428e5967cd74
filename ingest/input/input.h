// What a trace is read from: a file (mapped, or inflated to an unlinked file), bytes, or a folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

// Move only. Bytes never move and are followed by at least 64 readable zero bytes once complete.
// Compressed content (gzip with any number of members, zstd, lz4 frames; told by magic) is inflated
// by a background thread into an unlinked temporary file that is mapped, as is standard input; so
// neither counts as memory kept. A mapped file that shrinks reads as zeros from there and says so
// in `damage()`.
class Input {
 public:
  static Result<Input> from_path(const std::filesystem::path& path);  // file or folder
  static Result<Input> from_stdin();
  static Result<Input> from_descriptor(UniqueFd file, std::string name);     // a pipe
  static Input from_memory(std::string name, std::vector<std::byte> bytes);  // inflates, too

  Input(Input&&) noexcept;
  Input& operator=(Input&&) noexcept;
  ~Input();

  std::string_view name() const;              // file name without folders: a weak hint, never proof
  const std::filesystem::path& path() const;  // empty for memory and standard input
  bool is_folder() const;

  // First 4 KiB of the (inflated) content, or less; all that probe() may read. Waits for them.
  std::span<const std::byte> head() const;

  // Bytes there are now, at least `wanted` of them unless the content ends before: waits for that.
  std::span<const std::byte> wait_for(std::uint64_t wanted) const;
  std::span<const std::byte> bytes() const;  // all; waits for the end. Empty for a folder
  bool complete() const;                     // false while inflating or receiving
  std::uint64_t stored_bytes() const;        // of the file itself; 0 while unknown
  std::uint64_t stored_done_bytes() const;   // how much of it was inflated, for progress

  void stop() const;  // ends a background inflation early; what came so far stays

  // What went wrong with the bytes themselves: truncated or damaged compression, file shrank.
  Diagnostics damage() const;

  // Another file of the same trace: beside the file, or in the folder. Error if it is not there.
  Result<Input> companion(std::string_view file_name) const;
  std::vector<std::string> files() const;  // of a folder, sorted, not recursive

 private:
  struct Impl;
  explicit Input(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
