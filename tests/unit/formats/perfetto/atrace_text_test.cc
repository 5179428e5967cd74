#include "formats/perfetto/system/atrace_text.h"

#include <gtest/gtest.h>

namespace cinderscope::perfetto {
namespace {

using namespace std::string_view_literals;

TEST(PerfettoAtraceTest, ReadsEveryLetter) {
  EXPECT_EQ(parse_atrace("B|5|a|b\n\0"sv)->name, "a|b");
  EXPECT_EQ(parse_atrace("B|5|")->name, "");
  EXPECT_EQ(parse_atrace("E|5")->pid, 5u);
  EXPECT_FALSE(parse_atrace("E")->has_pid);
  EXPECT_EQ(parse_atrace("S|5|op|-3")->number, -3);
  EXPECT_EQ(parse_atrace("C|5|size|7|more")->number, 7);
  EXPECT_EQ(parse_atrace("G|5|track|op|2")->track, "track");
  EXPECT_EQ(parse_atrace("H|5|track|2")->number, 2);
  EXPECT_EQ(parse_atrace("H|5|track|op|2")->name, "op");
  EXPECT_EQ(parse_atrace("N|5|track|note")->name, "note");
  EXPECT_EQ(parse_atrace("I|5|now")->name, "now");
}

TEST(PerfettoAtraceTest, RefusesWhatIsNotWrittenWell) {
  for (const std::string_view text :
       {"", "X|5|a", "B|x|a", "B", "B|5", "B|-1|a", "S|5||1", "S|5|a", "S|5|a|x", "I|5|", "C|5|a|",
        "N|5|t", "G|5|t|n|", "H|5|t", "hello", "BB|5|a", "E|y"}) {
    EXPECT_FALSE(parse_atrace(text)) << text;
  }
}

}  // namespace
}  // namespace cinderscope::perfetto
