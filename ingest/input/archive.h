// A ZIP archive seen as a folder: "night.cinderpack/traces/page.json" is a path through one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/input/zip_reader.h"

namespace cinderscope {

// What an archive says of itself is checked before anything in it is read: names that lead outside,
// links, entries that lie over each other and those that unpack to more than 1000 times their size
// are refused, each by its name. Immutable.
class Archive {
 public:
  // Of a regular file that begins as a ZIP archive. The last one is kept, as long as its file stays
  // the same.
  static Result<std::shared_ptr<const Archive>> open(const std::filesystem::path& path);
  static std::shared_ptr<const Archive> of_entries(std::vector<ZipEntry> entries,
                                                   std::uint64_t file_bytes, bool is_damaged);

  // An Error if there is no such file in it, or it is refused.
  Result<ZipEntry> file(std::string_view name) const;
  bool has_folder(std::string_view name) const;  // "": the archive itself
  // Names of what lies in a folder, sorted; all levels as "a/b", or its own files only.
  std::vector<std::string> files_in(std::string_view folder, bool all_levels) const;
  // A sentence for each thing in it that is not whole or is refused.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void add(ZipEntry entry, std::uint64_t file_bytes);
  void refuse(const std::string& name, std::string_view why);
  void refuse_overlapping();

  std::map<std::string, ZipEntry, std::less<>> files_;
  std::map<std::string, std::string, std::less<>> refused_;  // names and sentences
  std::vector<std::string> problems_;
};

struct PathInArchive {
  std::filesystem::path archive;
  std::string inner;  // "/" between its parts; empty: the archive itself
};
// Where the path leads through a regular file that begins as a ZIP archive. Asks the file system.
std::optional<PathInArchive> path_in_archive(const std::filesystem::path& path);

}  // namespace cinderscope
