// What is noticed of a file that changes while it is open. Times are set by the tests.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "ingest/input/file_pieces.h"
#include "ingest/input/input.h"
#include "ingest/input/file_content.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

class ChangedFileTest : public testing::Test {
 protected:
  // Opens a file that was written long ago, and reads it.
  void open(std::string_view text) {
    path_ = folder_.write("trace", text);
    written(std::chrono::hours(-2));
    input_.emplace(opened(path_));
    input_->note_read();
  }
  void written(std::chrono::hours from_now) {
    fs::last_write_time(path_, fs::file_time_type::clock::now() + from_now);
  }
  // As a program does that runs again.
  void overwrite(std::string_view text) { folder_.write("trace", text); }
  void append(std::string_view text) { std::ofstream(path_, std::ios::app) << text; }

  FileChange bytes() const { return input_->bytes_change(); }
  FileChange on_disk() const { return input_->change_on_disk(); }

  TempDir folder_;
  fs::path path_;
  std::optional<Input> input_;
};

TEST_F(ChangedFileTest, AFileThatStaysHasNotChanged) {
  open("as it was");
  EXPECT_EQ(bytes(), FileChange::none);
  EXPECT_EQ(on_disk(), FileChange::none);
}

TEST_F(ChangedFileTest, NoticesAFileThatIsOverwrittenInPlace) {
  open("as it was");
  overwrite("now other");
  EXPECT_EQ(bytes(), FileChange::overwritten);
  EXPECT_EQ(on_disk(), FileChange::overwritten);
}

TEST_F(ChangedFileTest, AnOldDateThatIsPutBackHidesNothing) {
  open("as it was");
  const fs::file_time_type before = fs::last_write_time(path_);
  overwrite("now other");
  fs::last_write_time(path_, before);
  EXPECT_EQ(bytes(), FileChange::overwritten);
}

TEST_F(ChangedFileTest, AFileWrittenTwiceInAMomentHidesNothing) {
  path_ = folder_.write("trace", "as it was");
  input_.emplace(opened(path_));
  input_->note_read();
  EXPECT_EQ(bytes(), FileChange::none);
  overwrite("now other");  // maybe with the same date
  EXPECT_EQ(bytes(), FileChange::overwritten);
}

TEST_F(ChangedFileTest, OnceOverwrittenItNeverBecomesWhatItWas) {
  open("as it was");
  overwrite("now other");
  EXPECT_EQ(bytes(), FileChange::overwritten);
  overwrite("as it was");
  EXPECT_EQ(bytes(), FileChange::overwritten);
}

TEST_F(ChangedFileTest, NoticesAFileThatBecameShorter) {
  open("as it was");
  fs::resize_file(path_, 3);
  EXPECT_EQ(bytes(), FileChange::shrunk);
  EXPECT_EQ(on_disk(), FileChange::shrunk);
}

TEST_F(ChangedFileTest, WhatIsAppendedLeavesTheOldBytes) {
  open("as it was");
  append(" and more");
  EXPECT_EQ(bytes(), FileChange::grown);
  EXPECT_EQ(on_disk(), FileChange::grown);
  append(" and more");
  EXPECT_EQ(bytes(), FileChange::grown);
  overwrite("another one, which is longer");
  EXPECT_EQ(bytes(), FileChange::overwritten);
}

TEST_F(ChangedFileTest, AnotherFileInItsPlaceLeavesTheOldBytes) {
  open("as it was");
  fs::rename(folder_.write("new", "now other"), path_);
  EXPECT_EQ(bytes(), FileChange::none);
  EXPECT_EQ(on_disk(), FileChange::replaced);
  fs::remove(path_);
  EXPECT_EQ(on_disk(), FileChange::none);  // nothing could be read instead
}

TEST_F(ChangedFileTest, RightsAndNamesAreNoContent) {
  open(std::string(3 << 20, 'x'));
  ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  fs::create_hard_link(path_, folder_.path() / "link");
  EXPECT_EQ(bytes(), FileChange::none);
  EXPECT_EQ(on_disk(), FileChange::none);
}

TEST_F(ChangedFileTest, UnpackedBytesStayWhateverHappensToTheFile) {
  path_ = folder_.write("trace", gzipped(bytes_of("as it was")));
  const Input input = opened(path_);
  static_cast<void>(input.size_bytes());
  input.note_read();
  overwrite("now other");
  EXPECT_EQ(input.bytes_change(), FileChange::none);
  EXPECT_NE(input.change_on_disk(), FileChange::none);
  EXPECT_EQ(input.pin_all()->text(), "as it was");
}

TEST_F(ChangedFileTest, ASectionChangesWithItsWhole) {
  open("as it was");
  const Input section = input_->section("part", 3, 2);
  overwrite("now other");
  EXPECT_EQ(section.bytes_change(), FileChange::overwritten);
}

// A file that is not mapped, as middling ones on Windows.
TEST_F(ChangedFileTest, WhatIsReadByPiecesIsLookedAtAgain) {
  path_ = folder_.write("trace", std::string(3 << 20, 'x'));
  written(std::chrono::hours(-2));
  std::error_code error;
  const FilePieces pieces(open_to_read(path_, error), 3 << 20);
  FileContent content(
      {[&] { return pieces.status(); },
       [&](std::uint64_t offset, std::span<std::byte> bytes) { pieces.read_now(offset, bytes); }},
      pieces.size_bytes(), *pieces.status());
  content.note_read();
  EXPECT_EQ(content.change(), FileChange::none);
  ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  EXPECT_EQ(content.change(), FileChange::none);
  append("y");
  EXPECT_EQ(content.change(), FileChange::grown);
  overwrite(std::string(4 << 20, 'y'));
  EXPECT_EQ(content.change(), FileChange::overwritten);
}

TEST_F(ChangedFileTest, TheGraverOfTwoIsTold) {
  const DiskChange grown{FileChange::grown, "a"}, replaced{FileChange::replaced, "b"};
  EXPECT_EQ(graver(grown, replaced), replaced);
  EXPECT_EQ(graver(replaced, grown), replaced);
  EXPECT_EQ(graver({}, {}), DiskChange());
  EXPECT_EQ(change_name(FileChange::replaced), "replaced");
}

}  // namespace
}  // namespace cinderscope
