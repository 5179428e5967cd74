#include "app/desktop/sample_file.h"

#include <filesystem>
#include <system_error>

#include "ingest/base/path_text.h"
#include "ingest/os/child_process.h"

namespace cinderscope {

std::string find_sample_file() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path program = own_program_path();
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* inside : {"assets/sample.json.gz", "share/cinderscope/sample.json.gz"}) {
      if (fs::exists(folder / path_of(inside), ignored)) return utf8_of(folder / path_of(inside));
    }
  }
  return {};
}

}  // namespace cinderscope
