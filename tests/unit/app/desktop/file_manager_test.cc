#include "app/desktop/file_manager.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "app/desktop/file_uri.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(FileManagerTest, OpensTheFolderWhereNoBusIsThere) {
  const TempDir folder;
  const std::string told = (folder.path() / "told").string();
  const std::string program =
      folder.write("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > " + told + "\n").string();
  chmod(program.c_str(), 0755);
  const std::string path = getenv("PATH");
  setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
  const char* bus = getenv("DBUS_SESSION_BUS_ADDRESS");
  const std::string address = bus == nullptr ? "" : bus;
  unsetenv("DBUS_SESSION_BUS_ADDRESS");
  show_in_folder("/a folder/with 'quotes' $x/file.svg");
  std::string said;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (said.empty() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::ifstream file(told);
    said.assign(std::istreambuf_iterator<char>(file), {});
  }
  setenv("PATH", path.c_str(), 1);
  if (!address.empty()) setenv("DBUS_SESSION_BUS_ADDRESS", address.c_str(), 1);
  EXPECT_EQ(said, "/a folder/with 'quotes' $x");
}

TEST(FileManagerTest, AddressesOfFilesHaveNoSignsOfTheShell) {
  const std::string path = "/a b/c'd\"e,f%g.svg";
  const std::string uri = file_uri_of(path);
  EXPECT_EQ(uri, "file:///a%20b/c%27d%22e%2Cf%25g.svg");
  EXPECT_EQ(path_of_file_uri(uri), path);
}

}  // namespace
}  // namespace cinderscope
