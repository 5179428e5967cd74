// Every byte of small recordings flipped and every length of them: no crash, and what is good
// stays.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

const std::string kGolden = test::source_dir() + "/tests/golden/qubership/";

const Format& format() {
  return *format_named("qubership");
}

// Loads and describes all; empty if it is refused with a text.
std::string dump_of(Input input) {
  auto source = format().open(std::move(input));
  if (!source) return source.error().text.empty() ? "no text" : "";
  LoadContext context({.jobs = 1});
  const Result<Timeline> timeline = read_timeline(**source, context);
  if (!timeline) return timeline.error().text.empty() ? "no text" : "";
  return dump(*timeline, source->get());
}

TEST(QubershipDamageTest, SurvivesEveryFlippedByteOfASession) {
  const std::vector<std::byte> whole = read_file(kGolden + "session_v2/input.protocol");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int bit : {0x01, 0x80, 0xff}) {
      std::vector<std::byte> bytes = whole;
      bytes[i] ^= static_cast<std::byte>(bit);
      EXPECT_NE(dump_of(Input::from_memory("x", std::move(bytes))), "no text") << "byte " << i;
    }
  }
}

TEST(QubershipDamageTest, KeepsWhatCameBeforeTheEndOfASession) {
  const std::vector<std::byte> whole = read_file(kGolden + "session_v2/input.protocol");
  std::uint64_t last = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::vector<std::byte> bytes(whole.begin(),
                                       whole.begin() + static_cast<std::ptrdiff_t>(size));
    auto source = format().open(Input::from_memory("x", bytes));
    ASSERT_TRUE(source);
    LoadContext context({.jobs = 1});
    const Result<Timeline> timeline = read_timeline(**source, context);
    if (!timeline) continue;
    const std::uint64_t slices = timeline->slice_count;
    EXPECT_GE(slices, last) << size;
    last = slices;
  }
  EXPECT_EQ(last, 6u);
}

// One stream's file at a time, in a folder with all others.
class DumpDamageTest : public testing::TestWithParam<const char*> {
 protected:
  DumpDamageTest() {
    for (const auto& entry : fs::recursive_directory_iterator(kGolden + "cut/input")) {
      if (!entry.is_regular_file()) continue;
      const fs::path relative = fs::relative(entry.path(), kGolden + "cut/input");
      fs::create_directories((folder_.path() / relative).parent_path());
      folder_.write(relative.string(), read_file(entry.path().string()));
    }
  }
  std::string load_with(std::span<const std::byte> bytes) {
    folder_.write(GetParam(), bytes);
    Result<Input> input = Input::from_path(folder_.path());
    return input ? dump_of(std::move(*input)) : "no text";
  }
  TempDir folder_;
};

TEST_P(DumpDamageTest, SurvivesEveryFlippedByteAndEveryCut) {
  const std::vector<std::byte> whole = read_file((folder_.path() / GetParam()).string());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::byte> bytes = whole;
    bytes[i] ^= std::byte{0xff};
    EXPECT_NE(load_with(bytes), "") << "flipped " << i;
    EXPECT_NE(load_with(std::span(whole).first(i)), "") << "cut at " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Streams, DumpDamageTest,
                         testing::Values("trace/000001", "calls/000001", "dictionary/000001",
                                         "params/000001", "suspend/000001", "sql/000001",
                                         "xml/000001"));

}  // namespace
}  // namespace cinderscope
