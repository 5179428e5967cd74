#include "ingest/input/archive.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "ingest/input/input.h"
#include "tests/support/temp_dir.h"
#include "tests/support/zip_file.h"

namespace cinderscope {
namespace {

std::string unpacked_text(const Input& input) {
  const Result<Pin> pin = input.pin_all();
  return pin ? std::string(pin->text()) : "?";
}

ZipEntry stored(std::string name, std::uint64_t header_at, std::uint64_t bytes) {
  return {.name = std::move(name),
          .header_at = header_at,
          .data_at = header_at + 40,
          .packed_bytes = bytes,
          .bytes = bytes,
          .sizes_known = true};
}

std::string problem_of(const ZipEntry& entry) {
  const auto archive = Archive::of_entries({entry}, 1 << 20, false);
  EXPECT_FALSE(archive->file(entry.name).operator bool());
  return archive->problems().empty() ? "" : archive->problems().front();
}

TEST(Archive, APathLeadsThroughIt) {
  const TempDir folder;
  const std::string large(10'000, 'x');
  const auto pack = folder.write(
      "a.zip", std::span<const std::byte>(zip_of(
                   {{"session.cinder", "{}"}, {"traces/a.json", large}, {"traces/b/c", "C"}})));
  const Result<Input> trace = Input::from_path(pack / "traces/a.json");
  ASSERT_TRUE(trace.operator bool());
  EXPECT_EQ(trace->name(), "a.json");
  EXPECT_EQ(unpacked_text(*trace), large);
  EXPECT_EQ(trace->stored_bytes(), large.size());
  // What follows in the archive is not seen by readers that look ahead.
  const Result<Pin> pin = trace->pin_all();
  EXPECT_EQ(pin->bytes().data()[large.size()], std::byte{0});
  EXPECT_EQ(pin->bytes().data()[large.size() + 63], std::byte{0});

  const Result<Input> beside = trace->companion("b");
  ASSERT_TRUE(beside.operator bool());
  EXPECT_TRUE(beside->is_folder());
  EXPECT_EQ(beside->files(), std::vector<std::string>{"c"});
  const Result<Input> inner = beside->companion("c");
  ASSERT_TRUE(inner.operator bool());
  EXPECT_EQ(unpacked_text(*inner), "C");
  EXPECT_FALSE(Input::from_path(pack / "traces/z").operator bool());
  EXPECT_FALSE(Input::from_path(pack / "../a.zip/traces/../../x").operator bool());
}

TEST(Archive, WhatIsPackedInItIsUnpacked) {
  const TempDir folder;
  const std::string gzip("\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x04\0\x43\xbe\xb7\xe8\x01\0\0\0", 21);
  const auto pack = folder.write("a.zip", std::span<const std::byte>(zip_of({{"a.gz", gzip}})));
  const Result<Input> input = Input::from_path(pack / "a.gz");
  ASSERT_TRUE(input.operator bool());
  EXPECT_EQ(unpacked_text(*input), "a");
}

TEST(Archive, ACutOneHasWhatIsThere) {
  const TempDir folder;
  auto bytes = zip_of({{"a", "whole"}, {"b", std::string(1000, 'b')}});
  bytes.resize(500);
  const auto pack = folder.write("a.zip", std::span<const std::byte>(bytes));
  EXPECT_EQ(unpacked_text(*Input::from_path(pack / "a")), "whole");
  const Result<Input> cut = Input::from_path(pack / "b");
  ASSERT_TRUE(cut.operator bool());
  EXPECT_LT(cut->size_bytes(), 500u);
  EXPECT_TRUE(cut->damage().has(diagnostic::kTruncatedCompression));
  const auto archive = Archive::open(pack);
  ASSERT_EQ((*archive)->problems().size(), 2u);
  EXPECT_EQ((*archive)->problems().back(), "\"b\" is cut short.");
}

TEST(Archive, RefusesByNameWhatWouldDoHarm) {
  for (const char* name : {"../a", "/etc/passwd", "a/../../b", "C:\\a", "..\\a", "a//b", "."}) {
    EXPECT_NE(problem_of(stored(name, 0, 1)).find("leads outside"), std::string::npos) << name;
  }
  ZipEntry link = stored("link", 0, 1);
  link.is_link = true;
  EXPECT_EQ(problem_of(link), "\"link\" is a link.");
  ZipEntry bomb = stored("bomb", 0, 1000);
  bomb.method = 8;
  bomb.bytes = std::uint64_t{2} << 30;
  EXPECT_EQ(problem_of(bomb), "\"bomb\" would unpack to more than 1000 times its size.");
  ZipEntry other = stored("other", 0, 1);
  other.method = 12;
  EXPECT_NE(problem_of(other).find("method 12"), std::string::npos);
}

TEST(Archive, EntriesOverEachOtherAreRefused) {
  const auto archive = Archive::of_entries(
      {stored("a", 0, 1000), stored("b", 500, 1000), stored("c", 2000, 10)}, 1 << 20, false);
  EXPECT_TRUE(archive->file("a").operator bool());
  EXPECT_FALSE(archive->file("b").operator bool());
  EXPECT_TRUE(archive->file("c").operator bool());
  EXPECT_EQ(archive->problems(), std::vector<std::string>{"\"b\" lies over another entry."});
}

TEST(Archive, OneNameTwiceIsRefused) {
  const auto archive =
      Archive::of_entries({stored("a", 0, 10), stored("a", 100, 10)}, 1 << 20, false);
  EXPECT_FALSE(archive->file("a").operator bool());
}

}  // namespace
}  // namespace cinderscope
