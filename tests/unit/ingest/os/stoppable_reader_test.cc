#include "ingest/os/stoppable_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "ingest/os/file.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

class StoppableReaderTest : public testing::Test {
 protected:
  StoppableReaderTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    to_write_ = UniqueFd(ends[1]);
    reader_ = StoppableReader::create(UniqueFd(ends[0]), error_);
  }

  UniqueFd to_write_;
  std::error_code error_;
  std::unique_ptr<StoppableReader> reader_;
  std::array<std::byte, 16> bytes_{};
};

TEST_F(StoppableReaderTest, ReadsWhatComesUntilTheEnd) {
  ASSERT_EQ(write(to_write_.get(), "abc", 3), 3);
  EXPECT_EQ(reader_->read(bytes_, error_), 3u);
  EXPECT_EQ(bytes_[2], std::byte{'c'});
  to_write_ = UniqueFd();
  EXPECT_EQ(reader_->read(bytes_, error_), 0u);
  EXPECT_FALSE(error_);
}

TEST_F(StoppableReaderTest, StopEndsAReadThatWaits) {
  std::thread stopper([this] { reader_->stop(); });
  EXPECT_EQ(reader_->read(bytes_, error_), 0u);
  stopper.join();
  ASSERT_EQ(write(to_write_.get(), "abc", 3), 3);
  EXPECT_EQ(reader_->read(bytes_, error_), 0u);  // and all that follow
  EXPECT_FALSE(error_);
}

TEST_F(StoppableReaderTest, SaysWhyItCannotRead) {
  const auto reader = StoppableReader::create(UniqueFd(dup(to_write_.get())), error_);
  reader_.reset();  // without a reader its end for writing is ready, with an error
  EXPECT_EQ(reader->read(bytes_, error_), 0u);
  EXPECT_EQ(error_, std::errc::bad_file_descriptor);
}

TEST_F(StoppableReaderTest, ReadsAPartOfAFile) {
  const TempDir folder;
  const auto path = folder.path() / "digits";
  std::ofstream(path) << "0123456789";
  const auto part = StoppableReader::of_part(open_to_read(path, error_), 2, 5, error_);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->read(bytes_, error_), 5u);
  EXPECT_EQ(bytes_[0], std::byte{'2'});
  EXPECT_EQ(part->read(bytes_, error_), 0u);
  EXPECT_FALSE(error_);
}

TEST_F(StoppableReaderTest, APipeHasNoParts) {
  EXPECT_EQ(StoppableReader::of_part(UniqueFd(dup(to_write_.get())), 2, 5, error_), nullptr);
  EXPECT_EQ(error_, std::errc::invalid_seek);
}

}  // namespace
}  // namespace cinderscope
