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
#include "ingest/input/file_change.h"
#include "ingest/input/growing_file.h"
#include "ingest/input/pin.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

class FieldReader;
class FieldWriter;

// Move only. Compressed content (gzip with any number of members, zstd, lz4 frames; told by magic)
// is unpacked by a background thread into an unlinked temporary file that is mapped, as is standard
// input; so neither counts as memory kept. A mapped file that shrinks reads as zeros from there and
// says so in `damage()`.
class Input {
 public:
  // A file or folder. What is unpacked takes at most `disk_share` of the free disk.
  static Result<Input> from_path(const std::filesystem::path& path,
                                 double disk_share = kUsualDiskShare);
  static Result<Input> from_stdin(double disk_share = kUsualDiskShare);
  static Result<Input> from_descriptor(UniqueFd file, std::string name,  // a pipe
                                       double disk_share = kUsualDiskShare);
  static Input from_memory(std::string name, std::vector<std::byte> bytes);  // inflates, too

  Input(Input&&) noexcept;
  Input& operator=(Input&&) noexcept;
  ~Input();

  std::string_view name() const;              // file name without folders: a weak hint, never proof
  const std::filesystem::path& path() const;  // empty for memory and standard input
  bool is_folder() const;

  // First 4 KiB of the (inflated) content, or less; all that probe() may read. Waits for them.
  std::span<const std::byte> head() const;

  // Bytes [offset, offset + length) of the (unpacked) content, fewer only where it ends. Any
  // thread; waits for those that still come. A few MB at a time suit inputs of any size. An Error
  // `cancelled` if stop() kept some of them from coming, `cannot_read` for a folder. Damage is no
  // Error: the content ends there and damage() says why.
  Result<Pin> pin(std::uint64_t offset, std::uint64_t length) const;
  Result<Pin> pin_all() const { return pin(0, UINT64_MAX); }  // only of what fits into addresses

  // How many bytes there are now: waits until these are at least `wanted`, or the content has
  // ended.
  std::uint64_t wait_for(std::uint64_t wanted) const;
  std::uint64_t size_bytes() const { return wait_for(UINT64_MAX); }  // waits for the end

  // A part of this input as an input of its own, which keeps what it needs of this one: a trace
  // within a pack. Nothing but its bytes is the section's: it has no path and no damage.
  Input section(std::string name, std::uint64_t offset, std::uint64_t length) const;

  // A reader in order needs nothing before `offset` any more: packed content that can be unpacked
  // again from there gives its space back, and is unpacked no further ahead than the reader needs.
  // Pins stay good; new ones of such bytes cost some ms each 4 MB. Nothing happens where the input
  // is not packed or must be kept. UINT64_MAX once all was read. Any thread.
  void let_go(std::uint64_t offset) const;

  // All bytes can be had at once: mapped, or packed with the places from where to unpack them. A
  // packed one may come to that while it is read, or by places that were saved before.
  bool is_at_hand() const;
  bool may_come_to_hand() const;
  // Of an input that is at hand: the places. restore: of the same file, as long as nobody has
  // pinned bytes of it; nothing is unpacked from then on but what is asked for. False: these are
  // none of it.
  void save_places(FieldWriter& out) const;
  bool restore_places(FieldReader& in) const;

  bool complete() const;                    // false while inflating or receiving
  std::uint64_t stored_bytes() const;       // of the file itself; 0 while unknown
  std::uint64_t stored_done_bytes() const;  // how much of it was inflated, for progress

  // On the disk for this input, so far; 0 for a file that is mapped as it is.
  std::uint64_t unpacked_bytes() const;
  bool refused() const;       // it would take too much: damage() says so
  double disk_share() const;  // for other files of the same trace

  // Ends a background inflation early and wakes who waits for bytes; what came so far stays. Any
  // thread.
  void stop() const;

  // What went wrong with the bytes themselves: truncated or damaged compression, file shrank.
  Diagnostics damage() const;

  // The bytes as they are now are those that were read; once, as reading ends.
  void note_read() const;
  // Whether pins still give those bytes; any thread. Unpacked and received ones stay for ever.
  FileChange bytes_change() const;
  // Whether what lies on disk is still what was opened. Asks the file system.
  FileChange change_on_disk() const;

  // Another file of the same trace: beside the file, or in the folder. Error if it is not there.
  Result<Input> companion(std::string_view file_name) const;
  std::vector<std::string> files() const;  // of a folder, sorted, not recursive

 private:
  struct Impl;
  explicit Input(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // shared with sections
};

}  // namespace cinderscope
