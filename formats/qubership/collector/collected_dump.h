// Writes what one agent sends as a dump folder, in the layout in which agents write theirs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/block_lengths.h"
#include "formats/qubership/session_facts.h"
#include "ingest/base/result.h"
#include "ingest/os/folder.h"

namespace cinderscope::qubership {

// SERVER/2026/11/21/STARTMS/STREAM/000001.gz, and beside the streams the facts of the handshake.
// Each piece that is written is a whole gzip member, so that whoever reads the files while they
// grow, or after this process was killed, finds nothing cut but perhaps the last member.
//
// Nothing is made on disk before there is something to write. One thread; no call waits for more
// than the file system.
class CollectedDump {
 public:
  using StreamNumber = std::size_t;

  // `now_ms` is taken where the agent's name says no start.
  CollectedDump(std::filesystem::path top, SessionFacts facts, std::int64_t now_ms);

  // A stream's file from its first byte on; the file that the stream had before is written out and
  // ended. An Error if that file is there already, unless `again` says that it begins anew.
  Result<StreamNumber> open(std::string_view name, std::uint32_t index, bool again);
  // Kept until there is enough to be worth a member, with space on the disk set aside for it, so
  // that what was taken here is not lost where others fill the disk. Lengths of blocks are taken
  // out.
  Status append(StreamNumber stream, std::span<const std::byte> bytes);
  Status write_out();  // all that was kept

  bool waits() const { return waiting_bytes_ > 0; }
  std::uint64_t written_bytes() const { return written_bytes_; }  // packed
  // Empty until something came.
  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct File {
    std::string stream;
    std::uint32_t index = 0;
    bool blocked = false;
    BlockLengths lengths;
    std::vector<std::byte> waiting;
  };
  Status make_folder();
  Status write_out(File& file);
  Result<FolderBelow> folder_of(const File& file);  // made where it is missing
  Status reserve(const File& file);

  std::filesystem::path top_;
  SessionFacts facts_;
  std::int64_t start_ms_, now_ms_;
  std::filesystem::path folder_, inner_;                 // whole, and below the top
  std::vector<File> files_;                              // one a stream, the one written to now
  std::map<std::string, std::set<std::uint32_t>> seen_;  // indices that each stream had
  std::uint64_t waiting_bytes_ = 0, written_bytes_ = 0;
};

// A name that is a file's name and nothing else: letters, digits, '_', inner '-' and dots; others
// become '_'.
std::string safe_file_name(std::string_view name);

}  // namespace cinderscope::qubership
