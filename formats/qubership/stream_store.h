// All stream files of one recording, unpacked and side by side in one unlinked, mapped file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

// Places in the store are the records of the timeline: each file lies behind those before it.
// Written by the loader thread; afterwards read by any.
class StreamStore {
 public:
  // As GrowingFile.
  static Result<StreamStore> create(double disk_share = kUsualDiskShare);

  // Copies the bytes, without the lengths of blocks where there are any. What does not fit on the
  // disk is left out and reported.
  void add(Stream stream, std::uint32_t index, std::string name, std::span<const std::byte> bytes,
           BlockForm form, Diagnostics& problems);
  // Adds a file piece by piece, of bytes without lengths: begin, append any number of times, end.
  void begin(Stream stream, std::uint32_t index, std::string name);
  void append(std::span<const std::byte> bytes, Diagnostics& problems);
  void end() { files_.back().end = size_; }

  std::uint64_t kept_bytes() const { return files_.capacity() * sizeof(StreamFile); }
  const std::vector<StreamFile>& files() const { return files_; }
  std::span<const std::byte> bytes(const StreamFile& file) const;
  std::uint64_t size() const { return size_; }

  // The file that the place lies in; null if there is none.
  const StreamFile* file_at(RecordOffset place) const;
  // The last one of that stream and index; null if there is none.
  const StreamFile* find(Stream stream, std::uint32_t index) const;

 private:
  explicit StreamStore(std::unique_ptr<GrowingFile> file) : file_(std::move(file)) {}

  std::unique_ptr<GrowingFile> file_;
  std::uint64_t size_ = 0;
  std::vector<StreamFile> files_;
  std::unordered_map<std::uint64_t, std::size_t> last_of_;  // stream << 32 | index
};

// Whether the bytes begin as blocks with lengths do; `stream` is one that may have them.
bool looks_blocked(Stream stream, std::span<const std::byte> bytes);

// Counts a problem of a file; `at` is an offset in it, as unpacked and without lengths of blocks.
void report(Diagnostics& out, const DiagnosticKind& kind, const StreamFile& file, std::uint64_t at,
            std::string_view what, std::uint64_t cases = 1);

}  // namespace cinderscope::qubership
