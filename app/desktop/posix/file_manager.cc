#include "app/desktop/file_manager.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/desktop/file_uri.h"
#include "ingest/base/path_text.h"

extern char** environ;  // NOLINT(readability-identifier-naming): named by POSIX

namespace cinderscope {
namespace {

// The bus knows a file manager that selects the file; else the folder alone is opened. In the
// background of a shell that ends at once, so nobody waits, and nothing is left to be waited for.
constexpr const char* kShow =
    "{ { [ -n \"$DBUS_SESSION_BUS_ADDRESS\" ] && gdbus call --session --timeout 3"
    " --dest org.freedesktop.FileManager1 --object-path /org/freedesktop/FileManager1"
    " --method org.freedesktop.FileManager1.ShowItems \"['$1']\" ''; } || exec xdg-open \"$2\"; }"
    " </dev/null >/dev/null 2>&1 &";

}  // namespace

bool has_file_manager() {
  static const bool found = [] {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    std::string folder;
    while (std::getline(folders, folder, ':')) {
      if (access((folder + "/xdg-open").c_str(), X_OK) == 0) return true;
    }
    return false;
  }();
  return found;
}

void show_in_folder(const std::string& path) {
  std::string program = "/bin/sh", option = "-c", script = kShow, name = "sh",
              uri = file_uri_of(path), folder = utf8_of(path_of(path).parent_path());
  std::array<char*, 7> arguments = {program.data(), option.data(), script.data(), name.data(),
                                    uri.data(),     folder.data(), nullptr};
  pid_t shell = 0;
  if (posix_spawn(&shell, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0) {
    waitpid(shell, nullptr, 0);
  }
}

}  // namespace cinderscope
