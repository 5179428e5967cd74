#include <cstdio>

#include "ingest/os/file.h"
#include "ingest/os/new_file.h"

namespace cinderscope {

void replace_by_renaming(const std::filesystem::path& from, const std::filesystem::path& to,
                         std::error_code& error) {
  error = std::rename(from.c_str(), to.c_str()) == 0 ? std::error_code() : last_error();
}

}  // namespace cinderscope
