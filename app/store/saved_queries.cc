#include "app/store/saved_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/store/state_files.h"
#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".sql";
constexpr std::size_t kLongestQueryName = 120, kMostLookedAt = 10'000;

fs::path query_path(const std::string& folder, std::string_view name) {
  return path_of(folder) / path_of(std::string(name) + std::string(kEnding));
}

}  // namespace

std::string queries_folder(const UserFolders& folders) {
  return folders.config.empty() ? std::string() : folders.config + "/queries";
}

std::string queries_folder_of_trace(const std::string& trace_path) {
  if (trace_path.empty() || trace_path == "-") return {};
  return utf8_of(path_of(absolute_path(trace_path)).parent_path() / "queries");
}

Status check_query_name(std::string_view name) {
  if (is_blank(name)) return refused("A query's name is not empty.");
  if (name.size() > kLongestQueryName) {
    return refused(fmt::format("A query's name has at most {} bytes.", kLongestQueryName));
  }
  const bool hidden = name.front() == '.' || name.front() == ' ' || name.back() == ' ';
  const bool signs = name.find_first_of("/\\:*?\"<>|") != std::string_view::npos ||
                     std::ranges::any_of(name, [](char c) {
                       return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
                     });
  if (hidden || signs || valid_utf8(name) != name) {
    return refused(R"(A query is saved as a file: its name has no / \ : * ? " < > | and begins )"
                   "with no dot or blank.");
  }
  return ok();
}

std::vector<SavedQuery> read_queries(const std::string& folder) {
  std::vector<SavedQuery> queries;
  if (folder.empty()) return queries;
  std::vector<fs::path> paths;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator each(path_of(folder), error), end; !error && each != end;
       each.increment(error)) {
    if (++seen > kMostLookedAt) break;
    if (each->path().extension() == path_of(kEnding)) paths.push_back(each->path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    if (queries.size() == kMostSavedQueries) break;
    const std::string name = utf8_of(path.stem());
    if (!check_query_name(name)) continue;
    Result<std::string> text = read_small_file(utf8_of(path), kLongestQuery);
    if (!text || text->empty()) continue;
    queries.push_back({name, valid_utf8(*text)});
  }
  return queries;
}

Status write_query(const std::string& folder, const SavedQuery& query) {
  if (Status named = check_query_name(query.name); !named) return named;
  if (folder.empty()) return refused("No queries are kept: there is no folder for settings.");
  std::string text = query.text;
  if (text.empty() || text.back() != '\n') text += '\n';
  return write_small_file(utf8_of(query_path(folder, query.name)), text);
}

Status remove_query(const std::string& folder, const std::string& name) {
  if (Status named = check_query_name(name); !named) return named;
  std::error_code error;
  if (fs::remove(query_path(folder, name), error)) return ok();
  return refused(fmt::format("There is no saved query \"{}\".", name));
}

Result<SavedQuery> query_named(const UserFolders& folders, const std::string& trace_path,
                               std::string_view name) {
  if (Status named = check_query_name(name); !named) return named.error();
  for (const std::string& folder : {queries_folder(folders), queries_folder_of_trace(trace_path)}) {
    if (folder.empty()) continue;
    Result<std::string> text = read_small_file(utf8_of(query_path(folder, name)), kLongestQuery);
    if (text && !text->empty()) return SavedQuery{std::string(name), valid_utf8(*text)};
  }
  return refused(fmt::format("There is no saved query \"{}\".", name));
}

}  // namespace cinderscope
