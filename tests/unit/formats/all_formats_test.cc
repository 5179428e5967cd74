#include "formats/all_formats.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

std::string_view guessed(std::string_view file_name) {
  const Format* format = format_of_name(file_name);
  return format == nullptr ? "" : format->name();
}

TEST(AllFormatsTest, GuessesAFormatByTheNamePackedOrNot) {
  EXPECT_EQ(guessed("a.json"), "google_json");
  EXPECT_EQ(guessed("A.JSON.GZ"), "google_json");
  EXPECT_EQ(guessed("a.spall.zst"), "spall");
  EXPECT_EQ(guessed("a.tsd.gz"), "thread_stream");
  EXPECT_EQ(guessed("a.trace"), "lincheck");
  EXPECT_EQ(guessed("thread-1.flow.lz4"), "flow");
  EXPECT_EQ(guessed("a.txt"), "");
  EXPECT_EQ(guessed(".json"), "");
  EXPECT_EQ(guessed("a.gz"), "");
}

}  // namespace
}  // namespace cinderscope
