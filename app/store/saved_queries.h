// Queries that somebody saved, as files: a folder of the user's, and those beside a trace.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/desktop/user_folders.h"
#include "ingest/base/result.h"

namespace cinderscope {

struct SavedQuery {
  std::string name;  // of its file, without ".sql"
  std::string text;
  bool operator==(const SavedQuery&) const = default;
};

inline constexpr std::size_t kMostSavedQueries = 1000, kLongestQuery = 1'000'000;

// Empty where nothing is kept.
std::string queries_folder(const UserFolders& folders);
// Beside a trace, which may bring some: "queries" in its folder.
std::string queries_folder_of_trace(const std::string& trace_path);

// What is wrong with a name, as a sentence; ok() if a file can be called so.
Status check_query_name(std::string_view name);

// The folder's *.sql by name; what cannot be read is left out. Reads the disk.
std::vector<SavedQuery> read_queries(const std::string& folder);
Status write_query(const std::string& folder, const SavedQuery& query);
Status remove_query(const std::string& folder, const std::string& name);

// The one of that name: of the user's, else of those beside the trace. An Error says that there is
// none. Reads the disk.
Result<SavedQuery> query_named(const UserFolders& folders, const std::string& trace_path,
                               std::string_view name);

}  // namespace cinderscope
