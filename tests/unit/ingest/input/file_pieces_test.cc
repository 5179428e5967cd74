// Bytes of files that cannot be mapped, as all of a page's.
#include "ingest/input/file_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kFileBytes = 5 * FilePieces::kPieceBytes / 2 + 7;

// Bytes that tell where they lie.
std::string content() {
  std::string text(kFileBytes, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = static_cast<char>((i * 2654435761u >> 11) & 0x7f);
  }
  return text;
}

class FilePiecesTest : public testing::Test {
 protected:
  FilePieces pieces() const {
    std::error_code error;
    return {open_to_read(path_, error), kFileBytes};
  }
  std::string_view wanted(std::uint64_t offset, std::uint64_t length) const {
    return std::string_view(content_).substr(offset, length);
  }

  const std::string content_ = content();
  TempDir folder_;
  const std::filesystem::path path_ = folder_.write("trace", content_);
};

TEST_F(FilePiecesTest, BytesOfAnyLengthComeFromAnyPlace) {
  FilePieces file = pieces();
  constexpr std::uint64_t kPiece = FilePieces::kPieceBytes;
  for (const std::uint64_t offset : {std::uint64_t{0}, kPiece - 3, kPiece, kFileBytes - 9}) {
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{9}, kPiece, UINT64_MAX}) {
      const auto pin = file.pin(offset, length);
      ASSERT_TRUE(pin);
      EXPECT_EQ(pin->begin(), offset);
      EXPECT_EQ(pin->text(), wanted(offset, length)) << offset << " " << length;
    }
  }
  EXPECT_EQ(file.pin(kFileBytes + 5, 10)->size(), 0u);
  EXPECT_FALSE(file.is_lost());
}

TEST_F(FilePiecesTest, BytesBehindAPinAreReadableAndZerosAtTheEnd) {
  FilePieces file = pieces();
  for (const std::uint64_t length : {std::uint64_t{5}, FilePieces::kPieceBytes + 5}) {
    const auto pin = file.pin(FilePieces::kPieceBytes - 10, length);
    const std::string_view behind(pin->text().data() + pin->size(), kPaddingBytes);
    EXPECT_EQ(behind, wanted(pin->end(), kPaddingBytes));
    const auto last = file.pin(kFileBytes - length, length);
    EXPECT_EQ(std::string_view(last->text().data() + last->size(), kPaddingBytes),
              std::string(kPaddingBytes, '\0'));
  }
}

TEST_F(FilePiecesTest, BytesOfSeveralPiecesAreReadOnce) {
  FilePieces file = pieces();
  constexpr std::uint64_t kPiece = FilePieces::kPieceBytes;
  ASSERT_TRUE(file.pin(kPiece - 8, kPiece));
  std::filesystem::resize_file(path_, 10);
  EXPECT_EQ(file.pin(3, kPiece)->text(), wanted(3, kPiece));
  EXPECT_EQ(file.pin(kPiece - 3, 9)->text(), wanted(kPiece - 3, 9));
  EXPECT_FALSE(file.is_lost());
}

TEST_F(FilePiecesTest, PinsStayWhenTheirPieceIsForgotten) {
  const std::uint64_t bytes = (FilePieces::kKeptPieces + 4) * FilePieces::kPieceBytes;
  const std::filesystem::path path = folder_.write("long", content_);
  std::filesystem::resize_file(path, bytes);
  std::error_code error;
  FilePieces file(open_to_read(path, error), bytes);
  const auto pin = file.pin(10, 20);
  for (std::uint64_t at = 0; at < bytes; at += FilePieces::kPieceBytes) file.pin(at, 1);
  EXPECT_EQ(pin->text(), wanted(10, 20));
  EXPECT_EQ(file.pin(10, 20)->text(), wanted(10, 20));
}

TEST_F(FilePiecesTest, PinsOfAllShareTheirBytes) {
  FilePieces file = pieces();
  const auto one = file.pin(0, UINT64_MAX), two = file.pin(0, kFileBytes);
  EXPECT_EQ(one->bytes().data(), two->bytes().data());
  EXPECT_EQ(one->text(), content_);
}

TEST_F(FilePiecesTest, ThreadsReadAtTheSameTime) {
  FilePieces file = pieces();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (std::uint64_t at = i; at < kFileBytes; at += 90'001) {
        EXPECT_EQ(file.pin(at, 100)->text(), wanted(at, 100));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(FilePiecesTest, WhatTheFileLostReadsAsZeros) {
  FilePieces file = pieces();
  std::filesystem::resize_file(path_, 100);
  const auto pin = file.pin(95, 10);
  EXPECT_EQ(pin->text(), std::string(wanted(95, 5)) + std::string(5, '\0'));
  EXPECT_TRUE(file.is_lost());
}

// Nobody can have them: on 64 bits more than there are addresses.
TEST_F(FilePiecesTest, TooManyBytesAreNoPin) {
  std::error_code error;
  FilePieces file(open_to_read(path_, error), UINT64_MAX);
  EXPECT_FALSE(file.pin(0, UINT64_MAX));
}

}  // namespace
}  // namespace cinderscope
