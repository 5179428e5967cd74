#include "app/store/free_path.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace cinderscope {

std::string free_path_beside(const std::string& trace, std::string_view what) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path stem = trace == "-" ? fs::path("trace") : fs::path(trace).filename();
  std::vector<fs::path> folders;
  if (trace != "-") folders.push_back(fs::absolute(trace, ignored).parent_path());
  if (const char* home = std::getenv("HOME"); home != nullptr) folders.emplace_back(home);
  folders.push_back(fs::current_path(ignored));
  for (const fs::path& folder : folders) {
    for (int i = 1; i < 100; ++i) {
      const std::string number = i == 1 ? "" : fmt::format("-{}", i);
      const fs::path path = folder / fmt::format("{}{}{}.csv", stem.string(), what, number);
      if (fs::exists(path, ignored)) continue;
      const bool writable = static_cast<bool>(std::ofstream(path));
      fs::remove(path, ignored);
      if (writable) return path.string();
      break;
    }
  }
  return {};
}

}  // namespace cinderscope
