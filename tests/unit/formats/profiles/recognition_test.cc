// Every golden input, and every sample beside the checkout if there are any, is taken by its own
// format and by no other.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "formats/all_formats.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

const std::string kProfileFormats[] = {"speedscope", "collapsed",   "cpuprofile",
                                       "pprof",      "perf_script", "firefox"};

// Each file below `folder` is tried by the profiles' formats alone: others have tests of their own.
void expect_own_format(const fs::path& folder, const std::string& own) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.ends_with(".py") || name.starts_with("expected")) continue;
    const auto input = Input::from_path(entry.path());
    if (!input) continue;
    for (const std::string& format : kProfileFormats) {
      const Format* reader = format_named(format);
      if (reader == nullptr) continue;
      EXPECT_EQ(reader->probe(*input) == Match::certain, format == own)
          << entry.path() << " by " << format;
    }
  }
}

void expect_own_formats(const fs::path& root) {
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name == "profiles") continue;
    if (format_named(name) == nullptr && name != "json" && name != "thread-stream") continue;
    expect_own_format(entry.path(), name);
  }
}

TEST(RecognitionTest, GoldenInputsAreTakenByTheirOwnFormat) {
  expect_own_formats(test::source_dir() + "/tests/golden");
}

TEST(RecognitionTest, SamplesAreTakenByTheirOwnFormat) {
  const fs::path traces = fs::path(test::source_dir()) / ".." / "shared" / "traces";
  if (!fs::exists(traces)) GTEST_SKIP() << "no samples beside the checkout";
  expect_own_formats(traces);
  if (fs::exists(traces / "profiles")) expect_own_formats(traces / "profiles");
}

}  // namespace
}  // namespace cinderscope
