#include "app/session/merge_offset.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(MergeOffsetTest, ReadsSignsUnitsAndDecimalsExactly) {
  const auto ns = [](std::string_view text) { return merge_offset_from(text).value().ns; };
  EXPECT_EQ(ns("1500"), 1'500);
  EXPECT_EQ(ns("+12ms"), 12'000'000);
  EXPECT_EQ(ns("-3.000000001s"), -3'000'000'001);
  EXPECT_EQ(ns("0.5us"), 500);
  EXPECT_EQ(ns("2µs"), 2'000);
  EXPECT_EQ(ns("1.5h"), 5'400'000'000'000);
  EXPECT_EQ(ns("-2m"), -120'000'000'000);
  EXPECT_EQ(ns("-2min"), -120'000'000'000);
  EXPECT_EQ(ns("1762684073123456789"), 1'762'684'073'123'456'789);
  EXPECT_EQ(merge_offset_from("start")->how, Alignment::starts);
  EXPECT_EQ(merge_offset_from("same")->how, Alignment::same_clock);
  EXPECT_EQ(merge_offset_from("0")->how, Alignment::by_offset);
  EXPECT_EQ(ns("-1h2m"), -3'720'000'000'000);
}

TEST(MergeOffsetTest, RefusesWhatIsNoOffset) {
  for (const char* text : {"", "+", "ms", "1.2.3", "12 ms", "--3", "+start", ".", "1e3",
                           "99999999999999999999", "9223372036854775807h", "2562047.9h"}) {
    EXPECT_FALSE(merge_offset_from(text)) << text;
  }
}

TEST(MergeOffsetTest, AFileWhoseNameEndsLikeAnOffsetIsAFile) {
  const TempDir folder;
  const std::string odd = (folder.path() / "b.json@12ms").string();
  std::ofstream(odd) << "[]";
  EXPECT_EQ(merge_file_from(odd).path, odd);
  const MergeFile moved = merge_file_from(odd + "@+3s");
  EXPECT_EQ(moved.path, odd);
  EXPECT_EQ(moved.offset.ns, 3'000'000'000);
  EXPECT_EQ(merge_file_from("a@b.json").path, "a@b.json");
  EXPECT_EQ(merge_file_from("a.json@start").offset.how, Alignment::starts);
}

TEST(MergedTitleTest, NamesAFewFilesAndCountsMany) {
  EXPECT_EQ(merged_title({{"/x/a.json", {}}, {"b.spall", {}}}), "a.json + b.spall");
  EXPECT_EQ(merged_title({{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}}), "a + 3 more");
}

}  // namespace
}  // namespace cinderscope
