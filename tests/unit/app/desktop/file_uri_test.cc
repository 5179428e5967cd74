#include "app/desktop/file_uri.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

std::string path_of(std::string_view uri) {
  return path_of_file_uri(uri).value_or("(none)");
}

TEST(FileUriTest, GivesThePath) {
  EXPECT_EQ(path_of("file:///home/me/trace.json"), "/home/me/trace.json");
  EXPECT_EQ(path_of("file://localhost/a"), "/a");
  EXPECT_EQ(path_of("FILE:/a"), "/a");
  EXPECT_EQ(path_of("file:///a%20b%2fc%25%C3%A9+d"), "/a b/c%\xC3\xA9+d");
}

TEST(FileUriTest, RefusesWhatIsNoFileOfThisMachine) {
  EXPECT_EQ(path_of("https://example.org/a"), "(none)");
  EXPECT_EQ(path_of("file://other/a"), "(none)");
  EXPECT_EQ(path_of("file://"), "(none)");
  EXPECT_EQ(path_of("file:a"), "(none)");
  EXPECT_EQ(path_of("/a"), "(none)");
  EXPECT_EQ(path_of(""), "(none)");
  EXPECT_EQ(path_of("file:///a%"), "(none)");
  EXPECT_EQ(path_of("file:///a%4"), "(none)");
  EXPECT_EQ(path_of("file:///a%g0"), "(none)");
  EXPECT_EQ(path_of("file:///a%00b"), "(none)");
}

}  // namespace
}  // namespace cinderscope
