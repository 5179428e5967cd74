#include "app/window/panels/save_table.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/store/state_files.h"
#include "app/window/tab.h"

namespace cinderscope {

std::string table_path_beside(const Tab& tab, std::string_view what) {
  const std::string& trace =
      tab.merged_files.empty() ? tab.session->path() : tab.merged_files.front().path;
  std::string path = trace == "-" ? absolute_path("trace") : absolute_path(trace);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return fmt::format("{}.{}.csv", path, what);
}

Status may_write(const CommandArguments& arguments) {
  std::error_code ignored;
  const bool replaces = arguments.text(1) == "force";
  if (!replaces && std::filesystem::exists(arguments.text(), ignored)) {
    return refused(fmt::format("{} is there already; with force behind it, it is replaced.",
                               arguments.text()));
  }
  return ok();
}

}  // namespace cinderscope
