#include "ingest/os/control_group.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

// How the files of a version are called.
struct GroupFiles {
  std::string_view limit, used;
  std::array<std::string_view, 2> cached;  // lines of memory.stat
};
constexpr GroupFiles kSecond{"memory.max", "memory.current", {"active_file", "inactive_file"}};
constexpr GroupFiles kFirst{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};

// Nothing where the file says "max", or is not there.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

std::uint64_t free_in_group(const fs::path& group, const GroupFiles& files) {
  const std::optional<std::uint64_t> limit = number_in(group / path_of(files.limit));
  std::optional<std::uint64_t> used = number_in(group / path_of(files.used));
  if (!limit || !used) return UINT64_MAX;
  std::ifstream parts(group / "memory.stat");
  std::string part;
  for (std::uint64_t bytes = 0; parts >> part >> bytes;) {
    if (std::ranges::find(files.cached, part) != files.cached.end()) {
      *used -= std::min(*used, bytes);
    }
  }
  return *limit - std::min(*limit, *used);
}

// Of the group and those above it, up to the root. A container that sees itself as the root is told
// a path that is not there.
std::uint64_t free_along(const fs::path& root, std::string_view group, const GroupFiles& files) {
  std::uint64_t free_bytes = free_in_group(root, files);
  fs::path at = root;
  for (const fs::path& step : path_of(group).relative_path()) {
    if (step == "..") break;
    at /= step;
    free_bytes = std::min(free_bytes, free_in_group(at, files));
  }
  return free_bytes;
}

// Whether "cpu,memory" names the controller of memory.
bool has_memory(std::string_view controllers) {
  while (!controllers.empty()) {
    const std::string_view one = controllers.substr(0, controllers.find(','));
    if (one == "memory") return true;
    controllers.remove_prefix(std::min(controllers.size(), one.size() + 1));
  }
  return false;
}

}  // namespace

std::uint64_t free_in_control_groups(const fs::path& of_process, const fs::path& mounted) {
  std::uint64_t free_bytes =
      std::min(free_along(mounted, "/", kSecond), free_along(mounted / "memory", "/", kFirst));
  std::ifstream groups(of_process);
  for (std::string line; std::getline(groups, line);) {  // "4:memory:/a/b", "0::/a/b"
    const std::string_view text = line;
    const std::size_t first = text.find(':');
    const std::size_t second = first == text.npos ? first : text.find(':', first + 1);
    if (second == text.npos) continue;
    const std::string_view controllers = text.substr(first + 1, second - first - 1);
    const std::string_view group = text.substr(second + 1);
    if (controllers.empty()) {
      free_bytes = std::min(free_bytes, free_along(mounted, group, kSecond));
      // Beside groups of the first version those of the second lie in a folder of their own.
      free_bytes = std::min(free_bytes, free_along(mounted / "unified", group, kSecond));
    } else if (has_memory(controllers)) {
      free_bytes = std::min(free_bytes, free_along(mounted / "memory", group, kFirst));
    }
  }
  return free_bytes;
}

}  // namespace cinderscope
