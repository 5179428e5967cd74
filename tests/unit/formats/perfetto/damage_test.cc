// Damaged traces: whatever is wrong, loading ends, keeps what is whole, and says what is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

struct Loaded {
  std::uint64_t slices = 0, async_slices = 0;
};

// Records are read again, too: their text is part of the dump.
Loaded load(std::vector<std::byte> bytes) {
  auto source = format_named("perfetto")->open(Input::from_memory("trace", std::move(bytes)));
  EXPECT_TRUE(source);
  if (!source) return {};
  LoadContext context({.jobs = 1});
  const Result<Timeline> timeline = read_timeline(**source, context);
  EXPECT_TRUE(timeline);
  if (!timeline) return {};
  EXPECT_FALSE(dump(*timeline, source->get()).empty());
  return {timeline->slice_count, timeline->async_slice_count};
}

std::vector<std::pair<std::string, std::vector<std::byte>>> small_inputs() {
  std::vector<std::pair<std::string, std::vector<std::byte>>> inputs;
  const std::filesystem::path cases(test::source_dir() + "/tests/golden/perfetto");
  for (const auto& entry : std::filesystem::directory_iterator(cases)) {
    const std::filesystem::path input = entry.path() / "input.pftrace";
    if (!std::filesystem::exists(input) || std::filesystem::file_size(input) > 1500) continue;
    inputs.emplace_back(entry.path().filename().string(), read_file(input.string()));
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

TEST(PerfettoDamageTest, CutTracesShowAllThatIsWhole) {
  for (const char* name : {"example", "pairing", "flows", "tracks"}) {
    const auto whole =
        read_file(test::source_dir() + "/tests/golden/perfetto/" + name + "/input.pftrace");
    std::uint64_t last = 0;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const Loaded cut = load({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      EXPECT_GE(cut.slices + cut.async_slices, last) << name << " cut at " << size;
      last = cut.slices + cut.async_slices;
    }
    EXPECT_GT(last, 0u) << name;
  }
}

TEST(PerfettoDamageTest, ACutIsSurvivedWhereverItIs) {
  for (const auto& [name, whole] : small_inputs()) {
    SCOPED_TRACE(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      load({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    }
  }
}

TEST(PerfettoDamageTest, AnyFlippedByteIsSurvived) {
  const auto inputs = small_inputs();
  EXPECT_GT(inputs.size(), 20u);
  for (auto [name, bytes] : inputs) {
    SCOPED_TRACE(name);
    for (std::byte& byte : bytes) {
      for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}}) {
        byte ^= flip;
        load(bytes);
        byte ^= flip;
      }
    }
  }
}

}  // namespace
}  // namespace cinderscope
