#include <emscripten.h>

#include <cstdio>

#include "ingest/os/file.h"
#include "ingest/os/new_file.h"

namespace cinderscope {

// What the user saves goes to the browser's downloads: app/desktop/web/open_dialog.cc offers the
// folder.
void replace_by_renaming(const std::filesystem::path& from, const std::filesystem::path& to,
                         std::error_code& error) {
  error = std::rename(from.c_str(), to.c_str()) == 0 ? std::error_code() : last_error();
  if (error || to.parent_path() != "/downloads") return;
  MAIN_THREAD_EM_ASM(
      {
        if (Module['download']) Module['download'](UTF8ToString($0));
      },
      to.c_str());
}

}  // namespace cinderscope
