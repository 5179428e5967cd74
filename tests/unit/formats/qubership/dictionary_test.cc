// What words cost in memory, and which word an id has.
#include "formats/qubership/dictionary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/load.h"

namespace cinderscope::qubership {
namespace {

std::string varint(std::uint32_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out += static_cast<char>(value);
}

std::string word(std::string_view text) {
  std::string out = varint(static_cast<std::uint32_t>(text.size()));
  for (const char c : text) (out += '\0') += c;
  return out;
}

std::string pair_of(std::uint32_t id, std::string_view text) {
  return varint(id) + word(text);
}

class QubershipDictionaryTest : public testing::Test {
 protected:
  bool add(
      Stream stream, std::string_view content, const GoOn& go_on = [] { return true; }) {
    store_->begin(stream, ++files_, "words");
    store_->append(bytes_of(content), problems_);
    ReadOn from;
    return words_.add(*store_, store_->files().back(), from, AtEnd::nothing, problems_, go_on);
  }
  void finish() { words_.finish(*store_); }
  std::string text(std::uint32_t id) const { return words_.text(*store_, id); }

  Result<StreamStore> store_ = StreamStore::create();
  Dictionary words_;
  Diagnostics problems_;
  std::uint32_t files_ = 0;
};

TEST_F(QubershipDictionaryTest, EmptyWordsCostNothingHoweverManyThereAre) {
  constexpr std::uint32_t kWords = 20'000'000;
  add(Stream::dictionary, word("first") + std::string(kWords, '\0') + word("last"));
  finish();
  EXPECT_EQ(words_.size(), kWords + 2);
  EXPECT_LT(words_.kept_bytes(), 1000u);
  EXPECT_EQ(text(0), "first");
  EXPECT_EQ(text(1), "(empty)");
  EXPECT_EQ(text(kWords), "(empty)");
  EXPECT_EQ(text(kWords + 1), "last");
  EXPECT_EQ(text(kWords + 2), "#20000002");
  EXPECT_EQ(words_.find(*store_, "last"), kWords + 1);
}

TEST_F(QubershipDictionaryTest, AWordCostsLessThanAByteWhereNumbersFollowEachOther) {
  std::string positions, numbers;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    positions += word("w" + std::to_string(i));
    numbers += pair_of(100'000 + i, "n" + std::to_string(i));
  }
  add(Stream::dictionary, positions);
  add(Stream::pos_dictionary, numbers);
  finish();
  EXPECT_EQ(words_.size(), 200'000u);
  EXPECT_LT(words_.kept_bytes(), 100'000u);
  for (std::uint32_t i = 0; i < 100'000; i += 7) {
    EXPECT_EQ(text(i), "w" + std::to_string(i));
    EXPECT_EQ(text(100'000 + i), "n" + std::to_string(i));
  }
}

TEST_F(QubershipDictionaryTest, RepeatedIdsAreKeptOnce) {
  std::string content;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) content += pair_of(i % 3 * 10, "x");
  add(Stream::pos_dictionary, content + pair_of(10, "last"));
  EXPECT_LT(words_.kept_bytes(), 4'000'000u);  // while growing, too
  finish();
  EXPECT_EQ(words_.size(), 3u);
  EXPECT_LT(words_.kept_bytes(), 100u);
  EXPECT_EQ(text(10), "last");
  EXPECT_EQ(text(20), "x");
}

TEST_F(QubershipDictionaryTest, TheLastWordOfAnIdCountsWhereverRunsOverlap) {
  std::vector<std::string> expected(3000, "");
  std::string content;
  std::uint32_t seed = 1;
  for (int round = 0; round < 400; ++round) {
    seed = seed * 1'103'515'245 + 12'345;
    const std::uint32_t first = seed / 65'536 % 2800, count = 1 + seed / 256 % 200;
    for (std::uint32_t id = first; id < first + count; ++id) {
      const std::string text =
          round % 5 == 0 ? "" : std::to_string(round) + ":" + std::to_string(id);
      content += pair_of(id, text);
      expected[id] = text.empty() ? "(empty)" : text;
    }
  }
  add(Stream::pos_dictionary, content);
  finish();
  std::uint64_t known = 0;
  for (std::uint32_t id = 0; id < expected.size(); ++id) {
    known += expected[id].empty() ? 0 : 1;
    EXPECT_EQ(text(id), expected[id].empty() ? "#" + std::to_string(id) : expected[id]);
  }
  EXPECT_EQ(words_.size(), known);
}

TEST_F(QubershipDictionaryTest, AsksOnTheWayWhetherToGoOn) {
  int asked = 0;
  const std::string content(10'000'000, '\0');
  EXPECT_FALSE(add(Stream::dictionary, content, [&] { return ++asked < 3; }));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace cinderscope::qubership
