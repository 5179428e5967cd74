#include "app/window/panels/save_table.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/store/free_path.h"

namespace cinderscope {

Result<std::string> SaveTable::path_for(const CommandArguments& arguments, const Offer& offer) {
  if (!arguments.empty()) {
    std::error_code ignored;
    const bool replaces = arguments.text(1) == "force";
    if (!replaces && std::filesystem::exists(arguments.text(), ignored)) {
      return refused(fmt::format("{} is there already; with force behind it, it is replaced.",
                                 arguments.text()));
    }
    return arguments.text();
  }
  if (dialog_.ask_save(offer.title, offer.file_name)) return std::string();
  std::string path = free_path_beside(offer.trace, offer.what);
  if (path.empty()) return refused("There is no folder that the table could be saved in.");
  return path;
}

}  // namespace cinderscope
