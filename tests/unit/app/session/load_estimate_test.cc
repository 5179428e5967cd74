#include "app/session/load_estimate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

// Calls one after another on one thread, about `size_bytes` of them.
std::string json_of(std::size_t size_bytes) {
  std::string text = "[";
  for (std::int64_t i = 0; text.size() < size_bytes; ++i) {
    text += text.size() == 1 ? "" : ",\n";
    text += R"({"ph":"X","pid":1,"tid":1,"name":"f)" + std::to_string(i % 7) +
            R"(","dur":5,"ts":)" + std::to_string(i * 10) + "}";
  }
  return text + "]";
}

Input input_of(const std::string& text) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  return Input::from_memory("trace", {bytes, bytes + text.size()});
}

TEST(LoadEstimateTest, IsCloseToWhatTheWholeKeeps) {
  const std::string text = json_of(20'000'000);
  const auto estimate = estimated_bytes(*format_named("google_json"), input_of(text));
  ASSERT_TRUE(estimate);
  const auto kept = static_cast<double>(
      kept_bytes(load_trace(*format_named("google_json"), input_of(text)).timeline).total());
  EXPECT_GT(static_cast<double>(*estimate), kept);
  EXPECT_LT(static_cast<double>(*estimate), kept * 1.5);
}

TEST(LoadEstimateTest, SaysWhatIsNeededBeforeLoading) {
  const Input input = input_of(json_of(2'000'000));
  const Format& json = *format_named("google_json");
  EXPECT_FALSE(too_large(json, input, {}, 1'000'000'000));
  const auto error = too_large(json, input, {}, 10'000);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::too_large);
  EXPECT_NE(error->text.find("GB"), std::string::npos);
  EXPECT_NE(error->expected.find("--keep-from"), std::string::npos);
}

TEST(LoadEstimateTest, LeavesAloneWhatIsAskedForExpressly) {
  const Input input = input_of(json_of(2'000'000));
  const Format& json = *format_named("google_json");
  EXPECT_FALSE(too_large(json, input, {.beyond_memory = true}, 10'000));
  EXPECT_FALSE(too_large(json, input, {.keep = {.from = 0, .to = 10}}, 10'000));
}

TEST(LoadEstimateTest, DoesNotJudgeWhatAHeadTellsNothingOf) {
  EXPECT_FALSE(estimated_bytes(*format_named("lincheck"), input_of("no trace at all")));
  EXPECT_FALSE(estimated_bytes(*format_named("spall"), input_of("")));
}

TEST(LoadEstimateTest, CountsAFolderByTheBeginningsOfItsFiles) {
  const TempDir folder;
  std::filesystem::create_directories(folder.path() / "dump/dictionary");
  std::filesystem::create_directories(folder.path() / "dump/suspend");
  // Pauses of 0 ms, two bytes each, which become millions of slices.
  folder.write("dump/suspend/000001.gz", gzipped(std::vector<std::byte>(60'000'000)));
  folder.write("dump/dictionary/000001.gz", gzipped(std::vector<std::byte>(1000)));
  const Input input = opened(folder.path() / "dump");
  const Format& qubership = *format_named("qubership");
  const auto estimate = estimated_bytes(qubership, input);
  ASSERT_TRUE(estimate);
  EXPECT_GT(*estimate, 50'000'000u);
  EXPECT_LT(*estimate, 20'000'000'000u);
  EXPECT_TRUE(too_large(qubership, input, {}, 50'000'000));
  EXPECT_FALSE(too_large(qubership, input, {}, 100'000'000'000));
}

}  // namespace
}  // namespace cinderscope
