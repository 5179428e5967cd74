#include "ingest/part/output/zip_writer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "ingest/input/archive.h"
#include "ingest/input/input.h"
#include "ingest/input/stored_bytes.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_at(const std::filesystem::path& path) {
  const Result<Input> input = Input::from_path(path);
  if (!input) return input.error().text;
  return std::string(input->pin_all()->text());
}

void write_sample(const std::filesystem::path& path) {
  Result<ZipWriter> zip = ZipWriter::create(path);
  ASSERT_TRUE(zip.operator bool());
  zip->reserve("first", 100);
  zip->begin("a/long", std::uint64_t{1} << 40);  // has room for sizes of 64 bits
  zip->append(bytes_of("some "));
  zip->append(bytes_of("bytes"));
  EXPECT_EQ(zip->end(), 10u);
  zip->begin("empty", 0);
  EXPECT_EQ(zip->end(), 0u);
  EXPECT_TRUE(zip->fill("known last"));
  EXPECT_TRUE(zip->commit().operator bool());
}

TEST(ZipWriter, WhatIsWrittenIsRead) {
  const TempDir folder;
  write_sample(folder.path() / "a.zip");
  const auto archive = Archive::open(folder.path() / "a.zip");
  ASSERT_TRUE(archive.operator bool());
  EXPECT_TRUE((*archive)->problems().empty());
  EXPECT_EQ((*archive)->files_in("", true), (std::vector<std::string>{"a/long", "empty", "first"}));
  EXPECT_EQ(text_at(folder.path() / "a.zip/first"), "known last");
  EXPECT_EQ(text_at(folder.path() / "a.zip/a/long"), "some bytes");
  EXPECT_EQ(text_at(folder.path() / "a.zip/empty"), "");
  std::array<std::byte, 5> end{};
  std::error_code error;
  const Result<StoredBytes> stored = StoredBytes::open(folder.path() / "a.zip/a/long");
  ASSERT_TRUE(stored.operator bool());
  EXPECT_EQ(stored->size(), 10u);
  EXPECT_EQ(stored->read(5, end, error), 5u);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(end.data()), 5), "bytes");
}

TEST(ZipWriter, TheSameEntriesGiveTheSameBytes) {
  const TempDir folder;
  write_sample(folder.path() / "a.zip");
  write_sample(folder.path() / "b.zip");
  EXPECT_EQ(content_of(folder.path() / "a.zip"), content_of(folder.path() / "b.zip"));
}

TEST(ZipWriter, WithoutCommitThereIsNothing) {
  const TempDir folder;
  {
    Result<ZipWriter> zip = ZipWriter::create(folder.path() / "a.zip");
    zip->begin("a", 1);
    zip->append(bytes_of("a"));
    zip->end();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ZipWriter, WhatDoesNotFitIntoItsRoomIsRefused) {
  const TempDir folder;
  Result<ZipWriter> zip = ZipWriter::create(folder.path() / "a.zip");
  zip->reserve("first", 3);
  EXPECT_FALSE(zip->fill("four"));
  EXPECT_TRUE(zip->fill("abc"));
}

}  // namespace
}  // namespace cinderscope
