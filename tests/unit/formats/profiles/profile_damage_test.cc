// Profiles that are cut or changed at any byte: they open or are refused, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

// Short ones with all that their format holds.
class ProfileDamageTest : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  static std::vector<std::byte> whole() {
    const auto& [format, name] = GetParam();
    const std::string folder = test::source_dir() + "/tests/golden/" + format + "/" + name;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().stem() == "input") return read_file(entry.path().string());
    }
    return {};
  }
  static void open(std::vector<std::byte> bytes) {
    try {
      const LoadedTrace trace = load_trace(*format_named(GetParam().first),
                                           Input::from_memory("unknown", std::move(bytes)));
      dump(trace.timeline, trace.source.get());
    } catch (const std::runtime_error& refused) {
      EXPECT_NE(std::string(refused.what()), "");
    }
  }
};

TEST_P(ProfileDamageTest, MayBeCutAtAnyByte) {
  const std::vector<std::byte> bytes = whole();
  ASSERT_FALSE(bytes.empty());
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    open({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
  }
}

TEST_P(ProfileDamageTest, MayBeOtherAtAnyByte) {
  const std::vector<std::byte> bytes = whole();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    constexpr std::string_view kOthers = "9\"] ";
    std::vector<std::byte> changed = bytes;
    changed[at] = static_cast<std::byte>(kOthers[at % kOthers.size()]);
    open(std::move(changed));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ProfileDamageTest,
    testing::Values(std::pair("cpuprofile", "parents"), std::pair("cpuprofile", "old_form"),
                    std::pair("cpuprofile", "heap"), std::pair("perf_script", "inlined"),
                    std::pair("perf_script", "events"), std::pair("perf_script", "no_times"),
                    std::pair("firefox", "processed_0"), std::pair("firefox", "gecko_3"),
                    std::pair("firefox", "weights"), std::pair("speedscope", "sampled"),
                    std::pair("speedscope", "unbalanced"), std::pair("collapsed", "kinds"),
                    std::pair("collapsed", "two_counts"), std::pair("pprof", "drop_frames"),
                    std::pair("pprof", "labels"), std::pair("pprof", "negative")),
    [](const auto& tested) { return std::string(tested.param.first) + "_" + tested.param.second; });

}  // namespace
}  // namespace cinderscope
