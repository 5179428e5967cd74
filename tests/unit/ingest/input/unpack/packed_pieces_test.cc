#include "ingest/input/unpack/packed_pieces.h"

#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/input/unpack/unpacker.h"
#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::string numbers(std::size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i) text += std::to_string(i * 2654435761u) + ' ';
  return text;
}

std::vector<std::byte> gzip_of(std::string_view text) {
  return gzipped(std::as_bytes(std::span(text)));
}

std::vector<std::byte> zstd_of(std::string_view text) {
  std::vector<std::byte> out(ZSTD_compressBound(text.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// In members of so many plain bytes each.
template <class Pack>
std::vector<std::byte> members(const std::string& text, std::size_t each, Pack pack) {
  std::vector<std::byte> all;
  for (std::size_t at = 0; at < text.size(); at += each) {
    const std::vector<std::byte> member = pack(std::string_view(text).substr(at, each));
    all.insert(all.end(), member.begin(), member.end());
  }
  return all;
}

// A packed file, unpacked once.
struct UnpackedOnce {
  TempDir dir;
  std::filesystem::path path;
  Checkpoints checkpoints;
  std::string text;
  std::unique_ptr<PackedPieces> pieces;

  UnpackedOnce(const std::vector<std::byte>& packed, std::uint64_t step_bytes,
               std::size_t before = 0)
      : checkpoints(step_bytes) {
    std::vector<std::byte> file(before, std::byte{'x'});
    file.insert(file.end(), packed.begin(), packed.end());
    path = dir.write("packed", file);
    Unpacker unpacker(
        [&](std::span<const std::byte> bytes) {
          text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
          return true;
        },
        kMostPackings, &checkpoints);
    for (std::size_t at = 0; at < packed.size(); at += 1000) {
      unpacker.feed(std::span(packed).subspan(at, std::min<std::size_t>(1000, packed.size() - at)));
    }
    unpacker.finish();
    EXPECT_TRUE(unpacker.is_packed_once());
    std::error_code error;
    pieces = std::make_unique<PackedPieces>(open_to_read(path, error), before, checkpoints);
  }

  std::string at(std::uint64_t offset, std::uint64_t length) {
    const std::optional<Pin> pin = pieces->pin(offset, length);
    return pin ? std::string(pin->text()) : "(lost)";
  }
};

void expect_all_places(UnpackedOnce& once) {
  ASSERT_EQ(once.checkpoints.covered_to(), once.text.size());
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t offset = random() % once.text.size();
    const std::uint64_t length =
        std::min<std::uint64_t>(random() % 300'000, once.text.size() - offset);
    ASSERT_TRUE(once.at(offset, length) == once.text.substr(offset, length)) << offset;
  }
  EXPECT_TRUE(once.at(0, once.text.size()) == once.text);
  EXPECT_EQ(once.at(once.text.size(), 0), "");
  EXPECT_FALSE(once.pieces->is_lost());
}

// Some libraries cannot go on within a member.
class ResumedGzipTest : public testing::Test {
 protected:
  void SetUp() override {
    if (make_decoder(Packing::gzip)->saved().empty()) GTEST_SKIP() << "built without ISA-L";
  }
};

TEST_F(ResumedGzipTest, AGzipMemberIsTakenUpAtAnyCheckpoint) {
  UnpackedOnce once(gzip_of(numbers(3'000'000)), 64u << 10);
  EXPECT_GT(once.checkpoints.count(), 10u);
  expect_all_places(once);
}

TEST_F(ResumedGzipTest, WhatIsPackedVeryWellComesOutAtTheEndToo) {
  UnpackedOnce once(gzip_of(std::string(5'000'000, 'a')), 64u << 10);
  expect_all_places(once);
}

TEST_F(ResumedGzipTest, ACutStreamGivesWhatItHeld) {
  std::vector<std::byte> packed = gzip_of(numbers(1'000'000));
  packed.resize(packed.size() / 2);
  UnpackedOnce once(packed, 64u << 10);
  EXPECT_GT(once.text.size(), 300'000u);
  expect_all_places(once);
}

TEST_F(ResumedGzipTest, DamagedAndCutStreamsGiveWhatTheyHeld) {
  const std::vector<std::byte> whole = gzip_of(numbers(300'000));
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    std::vector<std::byte> packed = whole;
    const std::size_t place = 20 + random() % (packed.size() - 20);
    if (i % 2 == 0) {
      packed.resize(place);
    } else {
      packed[place] ^= static_cast<std::byte>(1 + random() % 255);
    }
    UnpackedOnce once(packed, 64u << 10);
    ASSERT_EQ(once.checkpoints.covered_to(), once.text.size());
    ASSERT_TRUE(once.at(0, once.text.size()) == once.text) << i;
  }
}

TEST_F(ResumedGzipTest, APartOfAFileIsReadWhereItLies) {
  UnpackedOnce once(gzip_of(numbers(500'000)), 64u << 10, 12'345);
  expect_all_places(once);
}

TEST_F(ResumedGzipTest, OtherBytesAreNeverTakenForThoseOfTheTrace) {
  const std::string text = numbers(1'000'000);
  UnpackedOnce once(gzip_of(text), 64u << 10);
  std::string other = text;
  other[700'000] ^= 1;
  once.dir.write("packed", gzip_of(other));
  const std::string found = once.at(690'000, 20'000);
  EXPECT_EQ(found, "(lost)");
  EXPECT_TRUE(once.pieces->is_lost());
}

TEST(PackedPiecesTest, MembersAreTakenUpAtTheirBegin) {
  const std::string text = numbers(2'000'000);
  UnpackedOnce once(members(text, 100'000, gzip_of), 64u << 10);
  EXPECT_GE(once.checkpoints.count(), 15u);
  expect_all_places(once);
}

TEST(PackedPiecesTest, FramesOfZstdAreTakenUpAtTheirBegin) {
  const std::string text = numbers(2'000'000);
  UnpackedOnce once(members(text, 100'000, zstd_of), 64u << 10);
  EXPECT_GE(once.checkpoints.count(), 15u);
  expect_all_places(once);
}

class BlocksOfLz4Test : public testing::TestWithParam<std::tuple<bool, bool, bool>> {};

TEST_P(BlocksOfLz4Test, AreTakenUpAtTheirBegin) {
  const auto [linked, block_sums, sum] = GetParam();
  LZ4F_preferences_t how{};
  how.frameInfo.blockSizeID = LZ4F_max64KB;
  how.frameInfo.blockMode = linked ? LZ4F_blockLinked : LZ4F_blockIndependent;
  how.frameInfo.blockChecksumFlag = block_sums ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
  how.frameInfo.contentChecksumFlag = sum ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
  std::mt19937 random(3);
  std::string text = numbers(1'500'000);
  for (std::size_t i = 400'000; i < 700'000; ++i)
    text[i] = static_cast<char>(random());  // plain blocks
  text += text;
  const auto pack = [&](std::string_view part) {
    how.frameInfo.contentSize = part.size();
    std::vector<std::byte> out(LZ4F_compressFrameBound(part.size(), &how));
    out.resize(LZ4F_compressFrame(out.data(), out.size(), part.data(), part.size(), &how));
    return out;
  };
  UnpackedOnce one(pack(text), 100u << 10);
  EXPECT_GT(one.checkpoints.count(), 15u);
  expect_all_places(one);
  UnpackedOnce several(members(text, 700'000, pack), 100u << 10);
  expect_all_places(several);
}
INSTANTIATE_TEST_SUITE_P(All, BlocksOfLz4Test,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()));

TEST(PackedPiecesTest, ALongFrameIsNotCovered) {
  UnpackedOnce once(zstd_of(std::string((33u << 20), 'a')), 64u << 10);
  EXPECT_EQ(once.checkpoints.covered_to(), 0u);
}

TEST(PackedPiecesTest, WhatIsPackedTwiceIsNotCovered) {
  Checkpoints checkpoints;
  Unpacker unpacker([](std::span<const std::byte>) { return true; }, kMostPackings, &checkpoints);
  const std::vector<std::byte> inner = gzip_of(numbers(10'000));
  unpacker.feed(gzipped(inner));
  EXPECT_FALSE(unpacker.is_packed_once());
}

}  // namespace
}  // namespace cinderscope
