// What the room of each system owes to its headers, by these alone; .ci/windows runs it under Wine.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "ingest/base/path_text.h"
#include "ingest/base/text_bytes.h"
#include "ingest/base/time_units.h"
#include "ingest/base/time_zone.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/child_process.h"
#include "ingest/os/file.h"
#include "ingest/os/folder.h"
#include "ingest/os/mapped_file.h"
#include "ingest/os/memory.h"
#include "ingest/os/program_start.h"
#include "ingest/os/stoppable_reader.h"
#include "ingest/os/temporary_file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class RoomsTest : public testing::Test {
 protected:
  // In any script.
  fs::path path(const char* name = "gr\xc3\xbc\xc3\x9f-\xe6\x97\xa5\xe6\x9c\xac.json") const {
    return scratch_.path() / path_of(name);
  }
  std::string text_in(const fs::path& file) {
    const UniqueFd opened = open_to_read(file, error_);
    std::string text(1000, '\0');
    text.resize(read_all(opened, std::as_writable_bytes(std::span(text)), error_));
    return text;
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(scratch_.path()), fs::directory_iterator());
  }

  ScratchFolder scratch_;
  std::error_code error_;
};

TEST_F(RoomsTest, APathMayBeLong) {
  std::string text = utf8_of(scratch_.path());
  while (text.size() < 300) {
    text += "/" + std::string(50, 'f');
    make_private_folders(path_of(text));
  }
  text += "/trace.json";
  ASSERT_TRUE(replace_file(path_of(text), "text\n"));
  EXPECT_EQ(text_in(path_of(text)), "text\n");
  EXPECT_EQ(utf8_of(path_of(text)), text);
  EXPECT_TRUE(is_absolute_path(text));
  EXPECT_EQ(utf8_of(path_of(text).filename()), "trace.json");
  EXPECT_EQ(utf8_of(path_of(text).parent_path()), text.substr(0, text.size() - 11));
  const std::string server = "//server/share/" + text.substr(20);
  EXPECT_EQ(utf8_of(path_of(server)), server);
}

TEST_F(RoomsTest, AFileAppearsAsAWholeUnderAnyName) {
  ASSERT_FALSE(scratch_.path().empty());
  ASSERT_TRUE(replace_file(path(), "old text\n"));
  auto file = AtomicFile::create(path());
  ASSERT_TRUE(file);
  file->append("new\n");
  EXPECT_EQ(text_in(path()), "old text\n");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(text_in(path()), "new\n");
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(utf8_of(path().filename()), "gr\xc3\xbc\xc3\x9f-\xe6\x97\xa5\xe6\x9c\xac.json");
  { const auto left = AtomicFile::create(path("b")); }
  EXPECT_EQ(files(), 1);
  EXPECT_FALSE(replace_file(path("none/a"), "text"));
}

TEST_F(RoomsTest, AnOpenFileIsReplacedAndItsOldBytesStay) {
  ASSERT_TRUE(replace_file(path(), "old"));
  const UniqueFd open = open_to_read(path(), error_);
  ASSERT_TRUE(open);
  ASSERT_TRUE(replace_file(path(), "newer"));
  std::array<std::byte, 8> bytes{};
  EXPECT_EQ(read_at(open, 1, bytes, error_), 2u);
  EXPECT_EQ(bytes[0], std::byte{'l'});
  EXPECT_EQ(text_in(path()), "newer");
}

TEST_F(RoomsTest, SaysWhatAFileIs) {
  ASSERT_TRUE(replace_file(path(), "12345"));
  const auto status = file_status(path()), folder = file_status(scratch_.path());
  ASSERT_TRUE(status && folder);
  EXPECT_EQ(status->kind, FileKind::regular);
  EXPECT_EQ(status->size_bytes, 5u);
  EXPECT_GT(status->modified_ns, 1'500'000'000 * kSecondNs);
  EXPECT_EQ(folder->kind, FileKind::folder);
  EXPECT_NE(folder->inode, status->inode);
  EXPECT_EQ(*file_status(path()), *status);
  EXPECT_FALSE(file_status(path("none")));
  EXPECT_FALSE(open_to_read(path("none"), error_));
  EXPECT_EQ(error_, std::errc::no_such_file_or_directory);
  EXPECT_TRUE(open_to_read(scratch_.path(), error_));
}

TEST_F(RoomsTest, ReadsAtAPlaceDoNotMoveOthers) {
  ASSERT_TRUE(replace_file(path(), "0123456789"));
  const UniqueFd file = open_to_read(path(), error_);
  const UniqueFd second = second_descriptor(file, error_);
  std::array<std::byte, 4> bytes{};
  EXPECT_TRUE(stands_at_begin(file));
  EXPECT_EQ(read_at(second, 6, bytes, error_), 4u);
  EXPECT_EQ(bytes[3], std::byte{'9'});
  EXPECT_EQ(read_all(file, bytes, error_), 4u);
  EXPECT_EQ(bytes[0], std::byte{'0'});
  EXPECT_EQ(read_at(file, 8, bytes, error_), 2u);
  EXPECT_EQ(read_at(file, 80, bytes, error_), 0u);
  EXPECT_FALSE(error_);
}

TEST_F(RoomsTest, AMappedPartHasZerosBehindItsEnd) {
  ASSERT_TRUE(replace_file(path(), std::string(100'000, 'x') + "end"));
  for (const std::uint64_t offset : {0u, 5u, 70'000u}) {
    const MappedFile mapped(open_to_read(path(), error_), 100'003 - offset, offset);
    ASSERT_TRUE(mapped.ok());
    ASSERT_EQ(mapped.bytes().size(), 100'003 - offset);
    EXPECT_EQ(std::memcmp(mapped.bytes().data() + mapped.bytes().size() - 4, "xend\0\0\0", 8), 0);
    EXPECT_FALSE(mapped.shrunk_to());
  }
}

TEST_F(RoomsTest, ATemporaryFileGrowsInItsPlace) {
  const auto file = TemporaryFile::create();
  ASSERT_TRUE(file);
  const std::byte* const data = (*file)->data();
  for (const std::uint64_t size : {4096u, 20u << 20, 200u << 20}) {
    EXPECT_FALSE((*file)->lengthen(size));
    EXPECT_EQ((*file)->write(size - 4, bytes_of("text"), error_), 4u) << error_.message();
    EXPECT_EQ(std::memcmp(data + size - 4, "text", 4), 0);
    EXPECT_EQ(data[0], std::byte{0});
  }
  EXPECT_GT((*file)->free_bytes(), 0u);
}

TEST_F(RoomsTest, FoldersAreReachedOneByOne) {
  const FolderBelow folder(scratch_.path(), path_of("a/\xc3\xa4"), error_);
  ASSERT_FALSE(error_);
  folder.reserve("log", 10'000, error_);
  folder.append("log", bytes_of("one,"), error_);
  folder.append("log", bytes_of("two"), error_);
  EXPECT_FALSE(error_);
  EXPECT_EQ(text_in(path("a/\xc3\xa4/log")), "one,two");
  EXPECT_TRUE(folder.make("below", error_));
  EXPECT_FALSE(folder.make("below", error_));
  EXPECT_FALSE(error_);
  folder.remove("log");
  EXPECT_FALSE(file_status(path("a/\xc3\xa4/log")));
  { const FolderLock lock(path("locked")); }
  const FolderLock again(path("locked"));
}

TEST_F(RoomsTest, AReaderOfAPartEndsWithIt) {
  ASSERT_TRUE(replace_file(path(), "0123456789"));
  const auto reader = StoppableReader::of_part(open_to_read(path(), error_), 2, 5, error_);
  ASSERT_TRUE(reader);
  std::array<std::byte, 3> bytes{};
  EXPECT_EQ(reader->read(bytes, error_), 3u);
  EXPECT_EQ(bytes[0], std::byte{'2'});
  EXPECT_EQ(reader->read(bytes, error_), 2u);
  EXPECT_EQ(reader->read(bytes, error_), 0u);
  reader->stop();
  EXPECT_EQ(reader->read(bytes, error_), 0u);
  EXPECT_FALSE(error_);
}

TEST_F(RoomsTest, KnowsMemoryAndItself) {
  EXPECT_GT(machine_memory_bytes(), std::uint64_t{256} << 20);
  EXPECT_GT(free_memory_bytes(), 0u);
  const std::uint64_t before = own_memory_bytes();
  std::vector<char> held(64 << 20, 'x');
  EXPECT_GT(own_memory_bytes(), before + (32 << 20));
  EXPECT_TRUE(file_status(own_program_path()));
}

TEST_F(RoomsTest, AChildGetsItsWordsAndGivesItsStatus) {
  auto child =
      ChildProcess::start({.program = own_program(),
                           .arguments = {"rooms", "--child", "a b", "\"q\\\"", "\xc3\xa4", ""}});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->wait(), 7);
  EXPECT_FALSE(ChildProcess::start({.program = "no-such-program-here", .arguments = {"x"}}));
}

TEST(WallTimeTest, FieldsComeBackAsTheirTime) {
  for (const std::int64_t time_s : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1'700'000'000},
                                    std::int64_t{-9'000'000'000}, std::int64_t{9'000'000'000}}) {
    const auto wall = wall_time(time_s);
    ASSERT_TRUE(wall) << time_s;
    EXPECT_EQ(time_of_wall(wall->fields), time_s);
  }
  EXPECT_FALSE(wall_time(INT64_MAX));
  ASSERT_TRUE(use_wall_zone("UTC"));
  const WallTime then = wall_time(1'700'000'000).value();
  EXPECT_EQ(then.fields.tm_year, 123);
  EXPECT_EQ(then.fields.tm_mon, 10);
  EXPECT_EQ(then.fields.tm_mday, 14);
  EXPECT_EQ(then.fields.tm_hour, 22);
  EXPECT_EQ(then.fields.tm_yday, 317);
  EXPECT_EQ(then.ahead_s, 0);
  EXPECT_FALSE(use_wall_zone("No/Such"));
}

TEST(ContainsBytesTest, LooksAtAllOfThem) {
  EXPECT_TRUE(contains_bytes("abcab", "cab"));
  EXPECT_TRUE(contains_bytes("abc", ""));
  EXPECT_FALSE(contains_bytes("abc", "cab"));
  EXPECT_FALSE(contains_bytes("", "a"));
}

}  // namespace
}  // namespace cinderscope

int main(int argc, char** argv) {
  const std::vector<std::string> words = cinderscope::program_arguments(argc, argv);
  if (words.size() > 1 && words[1] == "--child") {
    return words == std::vector<std::string>{words[0], "--child", "a b", "\"q\\\"", "\xc3\xa4", ""}
               ? 7
               : 8;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
