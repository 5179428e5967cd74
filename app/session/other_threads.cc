#include "app/session/other_threads.h"

#include <filesystem>

#include "formats/flow/flow_files.h"
#include "ingest/input/input.h"

namespace cinderscope {

std::size_t threads_in_folder_of(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  if (failed || flow::tid_of_name(whole.filename().string()).empty()) return 0;
  const Result<Input> folder = Input::from_path(whole.parent_path() / "");
  return folder && folder->is_folder() ? flow::thread_files(*folder).size() : 0;
}

}  // namespace cinderscope
