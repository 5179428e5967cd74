// All stream files of one recording, unpacked and side by side in unlinked, mapped files.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/block_lengths.h"
#include "formats/qubership/qubership_wire.h"
#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/input/growing_file.h"
#include "ingest/model/ids.h"

namespace cinderscope::qubership {

struct StreamFile {
  Stream stream{};
  std::uint32_t index = 0;           // as references name it; the first is 1
  std::uint64_t begin = 0, end = 0;  // in the store
  std::string name;                  // for people: "trace/000001.gz"
  std::uint64_t size() const { return end - begin; }
};

enum class BlockForm : std::uint8_t {
  by_content,  // whether there are lengths of blocks, the bytes tell
  blocks,
};

// Places in the store are the records of the timeline: each file lies behind those before it. Files
// come in the order of the streams, then by index; only of a store that is split by streams each
// stream has an order of its own, and its last file may grow. Written by the loader thread;
// afterwards read by any.
//
// A value: a copy shares the bytes. One of several may be written to, and what the others say of
// files stays as it is.
class StreamStore {
 public:
  // As GrowingFile.
  static Result<StreamStore> create(double disk_share = kUsualDiskShare);
  // Split by streams. An Error where the space for addresses is scarce, too.
  static Result<StreamStore> create_split(double disk_share = kUsualDiskShare);

  // Copies the bytes, without the lengths of blocks where there are any. What does not fit on the
  // disk is left out and reported.
  void add(Stream stream, std::uint32_t index, std::string name, std::span<const std::byte> bytes,
           BlockForm form, Diagnostics& problems);
  // Adds a file piece by piece, of bytes without lengths: begin, append any number of times, end.
  void begin(Stream stream, std::uint32_t index, std::string name);
  void append(std::span<const std::byte> bytes, Diagnostics& problems);
  // Goes on with the last file of its stream.
  void go_on(const StreamFile& file) { current_ = position_of(file); }

  std::uint64_t kept_bytes() const { return files_.capacity() * sizeof(StreamFile); }
  const std::vector<StreamFile>& files() const { return files_; }
  std::span<const std::byte> bytes(const StreamFile& file) const;
  std::uint64_t size_bytes() const;
  RecordOffset end_place() const;  // all places lie before it
  // The file that was begun or gone on with last.
  const StreamFile& current() const { return files_[current_]; }
  // The one with the highest index; null if there is none.
  const StreamFile* last(Stream stream) const;

  // The file that the place lies in; null if there is none.
  const StreamFile* file_at(RecordOffset place) const;
  // The last one of that stream and index; null if there is none.
  const StreamFile* find(Stream stream, std::uint32_t index) const;

 private:
  StreamStore(double disk_share, bool split) : disk_share_(disk_share), split_(split) {}
  std::size_t slot_of(Stream stream) const { return split_ ? static_cast<std::size_t>(stream) : 0; }
  std::size_t position_of(const StreamFile& file) const {
    return static_cast<std::size_t>(&file - files_.data());
  }
  std::uint64_t place_in(std::size_t slot) const;  // of what comes next
  // False if less than this is left for one of them.
  Result<bool> make_split(std::uint64_t stream_bytes);
  Status make_content(std::size_t slot, std::uint64_t most_bytes);

  double disk_share_;
  bool split_;
  std::array<std::shared_ptr<GrowingFile>, kStreams> contents_;  // by slot; null: none yet
  std::vector<StreamFile> files_;  // by stream and index, which is by place
  std::size_t current_ = 0;
};

// Whether the bytes begin as blocks with lengths do; `stream` is one that may have them.
bool looks_blocked(Stream stream, std::span<const std::byte> bytes);

// What is wrong with the lengths of a file that ends there, if anything is.
void report_lengths(const BlockLengths& lengths, const StreamFile& file, Diagnostics& problems);

// Counts a problem of a file; `at` is an offset in it, as unpacked and without lengths of blocks.
void report(Diagnostics& out, const DiagnosticKind& kind, const StreamFile& file, std::uint64_t at,
            std::string_view what, std::uint64_t cases = 1);

}  // namespace cinderscope::qubership
