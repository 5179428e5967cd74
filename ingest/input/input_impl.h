// What holds the bytes of an input: a mapped file, memory, a stream, a part of another input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ingest/input/archive.h"
#include "ingest/input/file_content.h"
#include "ingest/input/file_pieces.h"
#include "ingest/input/input.h"
#include "ingest/input/receiver.h"
#include "ingest/os/file.h"
#include "ingest/os/mapped_file.h"

namespace cinderscope {

// Why the input called `name` cannot be opened, and what somebody may do about it.
Error unreadable_input(const std::string& name, std::error_code error);
// `what` it is instead: "a folder".
Error unsuitable_input(const std::string& name, std::string_view what);

// One of `mapped`, `pieces`, `memory`, `receiver`, `whole` holds the bytes; a folder and an empty
// file have none.
struct Input::Impl {
  std::string name;
  std::filesystem::path path;
  bool folder = false;
  std::shared_ptr<const Archive> archive;  // the path leads into it
  std::string inner;                       // there
  std::filesystem::path on_disk;           // the file that holds the bytes: the path, or an archive
  std::uint64_t stored_bytes = 0;  // of a file or of memory; a stream's is known when it ended
  bool streamed = false;
  double disk_share = kUsualDiskShare;
  std::optional<FileStatus> opened;  // of a file
  std::unique_ptr<MappedFile> mapped;
  std::unique_ptr<FilePieces> pieces;    // of a file that is not mapped
  std::unique_ptr<FileContent> content;  // of either, unless the system itself looks after it
  std::vector<std::byte> memory;         // followed by kPaddingBytes zeros
  std::unique_ptr<Receiver> receiver;
  std::shared_ptr<const Impl> whole;  // of a section
  std::uint64_t section_begin = 0, section_bytes = 0;
  mutable std::once_flag head_once;
  mutable Pin head;  // of what does not stay where it is: a section, a stream
  mutable std::mutex tail_mutex;
  mutable std::weak_ptr<const std::vector<std::byte>> tail;  // a section's bytes from tail_begin on
  mutable std::uint64_t tail_begin = 0;
  Diagnostics damage;

  // By a thread that reads (and unpacks) while others already look at the first bytes.
  Status receive(UniqueFd file);
  Status received(Result<std::unique_ptr<Receiver>> made);

  // `file` is open for reading and stands at the content's first byte.
  Status take(UniqueFd file);

  // What the path leads to through an archive; its file stays mapped or is unpacked.
  Status take_from(const PathInArchive& place);
  Status take_entry(UniqueFd file, const ZipEntry& entry);

  // Once `mapped` or `pieces` is there.
  void watch_content();
  FileChange bytes_change() const;

  const FilePieces* unmapped() const { return whole ? whole->unmapped() : pieces.get(); }
  Receiver* source() const { return whole ? whole->source() : receiver.get(); }

  std::uint64_t wait_for(std::uint64_t wanted_bytes) const;

  // No more bytes follow the offset, however long the content is.
  std::uint64_t most_bytes_from(std::uint64_t offset) const {
    if (!whole) return UINT64_MAX;
    return section_bytes - std::min(section_bytes, offset);
  }

  Pin pin(std::uint64_t offset, std::uint64_t length) const;

 private:
  std::span<const std::byte> own_bytes() const;

  // What follows a section's end is another's: the last bytes are copied, with zeros behind them.
  // Pins that live at the same time share a copy that has the bytes of all.
  Pin pin_of_section(std::uint64_t offset, std::uint64_t length) const;
};

}  // namespace cinderscope
