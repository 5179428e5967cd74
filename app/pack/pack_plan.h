// What goes into a pack, under which names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/pack/pack.h"

namespace cinderscope {

inline constexpr std::size_t kNoTrace = std::numeric_limits<std::size_t>::max();

struct PackFile {
  std::string source;  // where it lies
  std::string name;    // in the pack
  bool compress = false;
  std::uint64_t bytes = 0;       // as it lies there
  std::size_t trace = kNoTrace;  // of the session's, which this file is
};

struct PackPlan {
  SessionFile session;  // as it will be in the pack, but for identities of what is packed
  std::vector<PackFile> files;
  std::vector<std::string> notes;
  std::size_t traces = 0;
};

// Names that are taken, without regard to case: not every disk tells those apart.
class PackNames {
 public:
  // "page.json", then "page-2.json".
  std::string unique(const std::string& name);
  // Nothing lies there yet.
  bool is_free(const std::string& name) const;
  void take(const std::string& name);

 private:
  std::set<std::string> taken_;
};

// As a pack names it: UTF-8 without characters that paths of some system treat in another way.
std::string name_in_pack(std::string_view file_name);

// Traces as they are, with the files that belong to them. Reads the disk.
class WholeTraces {
 public:
  WholeTraces(const PackRequest& request, PackPlan& plan) : request_(request), plan_(plan) {}
  void add(std::size_t trace);

 private:
  // A trace and the files that belong to it.
  struct Group {
    std::filesystem::path root;  // they lie below it
    std::vector<std::filesystem::path> files;
    bool is_tree = false;  // names and folders stay as they are below the root
  };
  Group group_of(const std::string& path, bool is_folder);
  void add_tree(std::size_t trace, const Group& group);
  void add_beside(std::size_t trace, const Group& group);
  bool add_file(const std::filesystem::path& source, const std::string& name, bool compress,
                std::size_t trace);
  std::string add_ids(std::size_t trace, const std::string& ids);

  const PackRequest& request_;
  PackPlan& plan_;
  PackNames names_;
};

// Whether a file with such a beginning is smaller when it is packed.
bool is_worth_packing(const std::string& path);

}  // namespace cinderscope
