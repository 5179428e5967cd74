// Packed content of which the reader in order lets go.
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "ingest/input/input.h"
#include "ingest/input/receiver.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kMiB = 1u << 20;

// Lines of 16 bytes, each with its number.
std::string lines(std::size_t size) {
  std::string text;
  text.reserve(size);
  for (std::size_t i = 0; text.size() < size; ++i) {
    std::string line = std::to_string(i);
    line.resize(15, ' ');
    text += line + '\n';
  }
  return text;
}

// Frames of 1 MB.
std::vector<std::byte> packed_lines(const std::string& text) {
  std::vector<std::byte> all;
  for (std::size_t at = 0; at < text.size(); at += kMiB) {
    const std::size_t size = std::min<std::size_t>(kMiB, text.size() - at);
    std::vector<std::byte> frame(ZSTD_compressBound(size));
    frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data() + at, size, 1));
    all.insert(all.end(), frame.begin(), frame.end());
  }
  return all;
}

std::string at(const Input& input, std::uint64_t offset, std::uint64_t length) {
  const Result<Pin> pin = input.pin(offset, length);
  return pin ? std::string(pin->text()) : pin.error().text;
}

// As in a page, as on Windows, as elsewhere.
class LetGoTest : public testing::TestWithParam<Receiver::Keeping> {
 protected:
  LetGoTest() { Receiver::keep_in(GetParam()); }
  ~LetGoTest() override { Receiver::keep_in(Receiver::usual_keeping()); }
};
constexpr std::array kNames{"InMemory", "InAFile", "InARing"};
INSTANTIATE_TEST_SUITE_P(Kept, LetGoTest,
                         testing::Values(Receiver::Keeping::blocks, Receiver::Keeping::file,
                                         Receiver::Keeping::ring),
                         [](const auto& kept) {
                           return kNames.at(static_cast<std::size_t>(kept.param));
                         });

TEST_P(LetGoTest, WhatWasLetGoTakesNoSpaceAndIsUnpackedAgain) {
  const std::string text = lines(24 * kMiB);
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(text)));
  EXPECT_EQ(input.size_bytes(), text.size());
  EXPECT_EQ(input.unpacked_bytes(), text.size());
  input.let_go(13 * kMiB);
  EXPECT_EQ(input.unpacked_bytes(), 12 * kMiB);
  for (const std::uint64_t offset : {std::uint64_t{0}, 5 * kMiB - 7, 12 * kMiB - 8, 20 * kMiB}) {
    EXPECT_EQ(at(input, offset, 100), text.substr(offset, 100)) << offset;
  }
  EXPECT_TRUE(at(input, 3 * kMiB, 15 * kMiB) ==
              text.substr(3 * kMiB, 15 * kMiB));  // across the border
  EXPECT_TRUE(at(input, 0, UINT64_MAX) == text);
  input.let_go(UINT64_MAX);
  EXPECT_EQ(input.unpacked_bytes(), 0u);
  EXPECT_TRUE(at(input, 0, UINT64_MAX) == text);
  EXPECT_EQ(text.substr(0, 4096),
            std::string(reinterpret_cast<const char*>(input.head().data()), 4096));
  EXPECT_EQ(input.bytes_change(), FileChange::none);
}

TEST_P(LetGoTest, PinsStayGood) {
  const std::string text = lines(24 * kMiB);
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(text)));
  EXPECT_EQ(input.size_bytes(), text.size());
  {
    const Result<Pin> pin = input.pin(9 * kMiB, 100);
    ASSERT_TRUE(pin);
    input.let_go(UINT64_MAX);
    // In memory a pin keeps its own block alone.
    EXPECT_EQ(input.unpacked_bytes(), GetParam() == Receiver::Keeping::blocks ? 0 : 16 * kMiB);
    EXPECT_EQ(pin->text(), std::string_view(text).substr(9 * kMiB, 100));
  }
  EXPECT_EQ(input.unpacked_bytes(), 0u);
}

TEST_P(LetGoTest, UnpackingStaysNearTheReader) {
  const std::string text = lines(72 * kMiB);
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(text)));
  input.let_go(0);
  std::uint64_t most = 0;
  for (std::uint64_t offset = 0; offset < text.size(); offset += kMiB) {
    ASSERT_EQ(at(input, offset, 16), text.substr(offset, 16));
    input.let_go(offset);
    most = std::max(most, input.unpacked_bytes());
  }
  EXPECT_LT(most, 56 * kMiB);
  EXPECT_EQ(input.size_bytes(), text.size());  // who waits for the end gets it
}

TEST_P(LetGoTest, WhoNeedsMoreThanThatGetsIt) {
  const std::string text = lines(72 * kMiB);
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(text)));
  input.let_go(0);
  EXPECT_TRUE(at(input, 0, 64 * kMiB) == text.substr(0, 64 * kMiB));
}

TEST_P(LetGoTest, AWriterThatWaitsIsStopped) {
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(lines(72 * kMiB))));
  input.let_go(0);
  EXPECT_EQ(at(input, 0, 1), "0");
  input.stop();
  EXPECT_TRUE(input.complete());
}

TEST_P(LetGoTest, WhatMayNotGoIsThereAsAWhole) {
  const std::string text = lines(9 * kMiB);
  const TempDir dir;
  const std::vector<std::byte> twice = packed_lines(std::string(
      reinterpret_cast<const char*>(packed_lines(text).data()), packed_lines(text).size()));
  const Input input = opened(dir.write("lines.zst.zst", twice));
  const Result<Pin> before = input.pin(5 * kMiB, 100);
  ASSERT_TRUE(before);
  input.let_go(UINT64_MAX);
  EXPECT_TRUE(at(input, 0, UINT64_MAX) == text);
  EXPECT_EQ(before->text(), std::string_view(text).substr(5 * kMiB, 100));
  EXPECT_EQ(at(input, 4 * kMiB - 50, 100), text.substr(4 * kMiB - 50, 100));
  EXPECT_EQ(at(input, text.size() - 3, 100), text.substr(text.size() - 3));
  EXPECT_EQ(at(input, text.size(), 100), "");
}

TEST_P(LetGoTest, AFileThatWasWrittenAnewIsNoticed) {
  const std::string text = lines(24 * kMiB);
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(text)));
  EXPECT_EQ(input.size_bytes(), text.size());
  input.let_go(UINT64_MAX);
  std::string other = text;
  other[20] = 'x';
  dir.write("lines.zst", packed_lines(other));
  EXPECT_EQ(at(input, 16, 16), "The packed file has other bytes than when it was opened.");
  EXPECT_EQ(input.bytes_change(), FileChange::overwritten);
}

TEST_P(LetGoTest, ManyThreadsReadWhatWasLetGo) {
  const std::string text = lines(24 * kMiB);
  const TempDir dir;
  const Input input = opened(dir.write("lines.zst", packed_lines(text)));
  std::vector<std::jthread> readers;
  std::atomic<int> wrong = 0;
  for (unsigned i = 0; i < 4; ++i) {
    readers.emplace_back([&, i] {
      for (std::uint64_t n = 0; n < 400; ++n) {
        const std::uint64_t offset = (n * 7919 + i * 104'729) * 61 % (text.size() - 5000);
        if (at(input, offset, 5000) != text.substr(offset, 5000)) ++wrong;
        if (i == 0) input.let_go(text.size() / 400 * n);
      }
    });
  }
  readers.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace cinderscope
