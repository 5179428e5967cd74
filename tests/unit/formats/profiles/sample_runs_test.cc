// Which profiles count runs of samples, and which calls.
#include "ingest/model/measure/sample_runs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

bool golden_counts_runs(const std::string& format, const std::string& name) {
  const std::string folder = test::source_dir() + "/tests/golden/" + format + "/" + name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().stem() != "input") continue;
    const std::vector<std::byte> bytes = read_file(entry.path().string());
    return counts_runs(
        load_trace(*format_named(format), Input::from_memory("unknown", bytes)).timeline);
  }
  ADD_FAILURE() << "no input in " << folder;
  return false;
}

TEST(SampleRuns, AreCountedWhereSamplesHaveTimes) {
  EXPECT_TRUE(golden_counts_runs("cpuprofile", "collector"));
  EXPECT_TRUE(golden_counts_runs("firefox", "processed_70"));
  EXPECT_TRUE(golden_counts_runs("firefox", "gecko_34"));
  EXPECT_TRUE(golden_counts_runs("perf_script", "events"));
  EXPECT_TRUE(golden_counts_runs("speedscope", "sampled"));
}

TEST(SampleRuns, AreNotWhatIsLaidOutByWeightOrRecorded) {
  EXPECT_FALSE(golden_counts_runs("cpuprofile", "hits"));
  EXPECT_FALSE(golden_counts_runs("cpuprofile", "heap"));
  EXPECT_FALSE(golden_counts_runs("collapsed", "two_counts"));
  EXPECT_FALSE(golden_counts_runs("perf_script", "no_times"));
  EXPECT_FALSE(golden_counts_runs("pprof", "plain"));
  EXPECT_FALSE(golden_counts_runs("speedscope", "evented"));
}

}  // namespace
}  // namespace cinderscope
