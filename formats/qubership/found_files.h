// Which files a dump folder, a stream folder or a stream's file stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/qubership_wire.h"
#include "ingest/input/input.h"

namespace cinderscope::qubership {

struct FoundFile {
  Stream stream{};
  std::uint32_t index = 0;
  std::size_t folder = 0;  // in FoundFiles::folders
  std::string file, name;  // within the folder; for people
};

// In the order in which they are read: words before what uses them, calls before traces.
struct FoundFiles {
  std::vector<Input> folders;
  std::vector<FoundFile> files;
  bool empty() const { return files.empty(); }
};

// Levels: the folder of one incarnation, a folder with loose streams (NAME.SEQ.bin), the folder of
// one stream, a file of one. Of the last two, files beside them that hold words and values are
// found as well. Nothing is opened but folders.
FoundFiles find_files(const Input& input);

// Of "trace.2.bin" the stream and the index that references use, 3; of "trace.bin" 1.
struct LooseName {
  Stream stream{};
  std::uint32_t index = 1;
};
std::optional<LooseName> loose_name(std::string_view file_name);

// The index of "000012.gz" or "000012".
std::optional<std::uint32_t> rolled_index(std::string_view file_name);

std::optional<Stream> stream_named(std::string_view name);

// Where the recording was made, as far as the names of the folders around it say:
// SERVER/2026/11/21/STARTMS.
struct FolderFacts {
  std::string server, start_ms;
};
FolderFacts folder_facts(const Input& input);

}  // namespace cinderscope::qubership
