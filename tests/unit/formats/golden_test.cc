// Every tests/golden/FORMAT/CASE/input* is loaded in several ways and compared with expected.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/all_formats.h"
#include "ingest/input/unpack/decoders.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

struct GoldenCase {
  std::string format;
  fs::path input, expected;
};

// What a test is called in listings, in place of the bytes of the case.
void PrintTo(const GoldenCase& golden,
             std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << golden.input.parent_path().filename().string();
}

std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases;
  for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() + "/tests/golden")) {
    const fs::path relative = fs::relative(entry.path(), test::source_dir() + "/tests/golden");
    if (std::distance(relative.begin(), relative.end()) != 3) continue;
    if (!entry.path().filename().string().starts_with("input")) continue;
    cases.push_back(
        {relative.begin()->string(), entry.path(), entry.path().parent_path() / "expected.txt"});
  }
  std::sort(cases.begin(), cases.end(),
            [](const GoldenCase& a, const GoldenCase& b) { return a.input < b.input; });
  return cases;
}

std::string test_name(const testing::TestParamInfo<GoldenCase>& info) {
  std::string name = info.param.format + "_" + info.param.input.parent_path().filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// Under a name that says nothing, so that only the content counts.
Input input_of(const GoldenCase& golden) {
  if (!fs::is_directory(golden.input)) {
    return Input::from_memory("unknown", read_file(golden.input.string()));
  }
  auto folder = Input::from_path(golden.input);
  if (!folder) throw std::runtime_error(folder.error().text);
  return std::move(*folder);
}

std::string text_of_load(const GoldenCase& golden, Input input, LoadOptions options) {
  const Format* format = format_named(golden.format);
  if (format == nullptr) return "no such format: " + golden.format;
  const LoadedTrace trace = load_trace(*format, std::move(input), options);
  return dump(trace.timeline, trace.source.get());
}

class GoldenTest : public testing::TestWithParam<GoldenCase> {
 protected:
  static std::string expected() {
    std::ifstream file(GetParam().expected, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_P(GoldenTest, LoadsAsExpected) {
  const std::string text = text_of_load(GetParam(), input_of(GetParam()), {.jobs = 1});
  if (std::getenv("CINDERSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(GetParam().expected, std::ios::binary) << text;
  }
  EXPECT_EQ(text, expected());
}

TEST_P(GoldenTest, IsRecognisedUnderAMeaninglessName) {
  const auto format = detect(all_formats(), input_of(GetParam()));
  ASSERT_TRUE(format) << format.error().text;
  EXPECT_EQ((*format)->name(), GetParam().format);
}

TEST_P(GoldenTest, HasOneFormatThatIsCertain) {
  const Input input = input_of(GetParam());
  std::string certain;
  for (const Format* format : all_formats()) {
    if (format->probe(input) == Match::certain) certain += std::string(format->name()) + " ";
  }
  EXPECT_EQ(certain, GetParam().format + " ");
}

TEST_P(GoldenTest, LoadsTheSameInTinyWindowsByOneAndThreeJobs) {
  for (const unsigned jobs : {1u, 3u}) {
    for (const std::uint64_t window_bytes : {64u, 1000u}) {
      EXPECT_EQ(text_of_load(GetParam(), input_of(GetParam()), {jobs, window_bytes}), expected())
          << jobs << " jobs, windows of " << window_bytes << " bytes";
    }
  }
}

TEST_P(GoldenTest, LoadsTheSameWithColumnsOnDisk) {
  const LoadOptions options{.jobs = 2, .window_bytes = 1000, .memory_limit_bytes = 1};
  EXPECT_EQ(text_of_load(GetParam(), input_of(GetParam()), options), expected());
}

// Of cases that are files.
class GoldenFileTest : public GoldenTest {};

TEST_P(GoldenFileTest, LoadsTheSameCompressed) {
  const std::vector<std::byte> bytes = read_file(GetParam().input.string());
  for (const auto& packed : {gzipped(bytes), packed_by_zstd(bytes), packed_by_lz4(bytes)}) {
    EXPECT_EQ(text_of_load(GetParam(), Input::from_memory("unknown", packed), {.jobs = 2}),
              expected());
  }
}

// Bytes of others lie before and behind it, and the section is all that keeps its own.
TEST_P(GoldenFileTest, LoadsTheSameFromAPack) {
  const std::vector<std::byte> bytes = read_file(GetParam().input.string());
  if (packing_of(bytes) != Packing::none) GTEST_SKIP() << "a section is not unpacked";
  std::vector<std::byte> pack(100, std::byte{'['});
  pack.insert(pack.end(), bytes.begin(), bytes.end());
  pack.insert(pack.end(), 100, std::byte{'}'});
  const auto section = [&] {
    return Input::from_memory("pack", pack).section("unknown", 100, bytes.size());
  };
  EXPECT_EQ(text_of_load(GetParam(), section(), {.jobs = 1}), expected());
  EXPECT_EQ(text_of_load(GetParam(), section(), {.jobs = 3, .window_bytes = 64}), expected());
}

// Without what only reading all of it tells.
std::string model_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string kept, line;
  while (std::getline(lines, line)) {
    if (line.starts_with("diagnostic ")) continue;
    kept += line.substr(0, line.find(" records=")) + "\n";
  }
  return kept;
}

TEST_P(GoldenTest, LoadsTheSamePieceByPiece) {
  for (const std::uint64_t piece : {1u, 3u, 1000u}) {
    const LoadedTrace trace = load_in_pieces(*format_named(GetParam().format), input_of(GetParam()),
                                             {.jobs = 1, .window_bytes = 64}, piece);
    EXPECT_EQ(model_lines(dump(trace.timeline, trace.source.get())), model_lines(expected()))
        << "pieces of " << piece;
  }
}

std::vector<GoldenCase> golden_files() {
  std::vector<GoldenCase> cases = golden_cases();
  std::erase_if(cases, [](const GoldenCase& golden) { return fs::is_directory(golden.input); });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTest, testing::ValuesIn(golden_cases()), test_name);
INSTANTIATE_TEST_SUITE_P(Cases, GoldenFileTest, testing::ValuesIn(golden_files()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenFileTest);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenTest);

}  // namespace
}  // namespace cinderscope
