#include "formats/collapsed/stack_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cinderscope::collapsed {
namespace {

TEST(StackTextTest, FindsEndsOfFramesWhereverTheyLie) {
  std::mt19937 random(3);
  // Bytes next to `;`, with and without the highest bit, next to each other.
  constexpr std::string_view kBytes = ":;<\xbb\xba\x80";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    const std::size_t size = random() % 40;
    while (text.size() < size) text += random() % 4 == 0 ? kBytes[random() % kBytes.size()] : 'x';
    for (std::size_t begin = 0; begin <= text.size(); ++begin) {
      ASSERT_EQ(frame_end(text, begin), std::min(text.find(';', begin), text.size())) << text;
    }
  }
}

TEST(StackTextTest, FindsHowFarTextsAreEqual) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string a(size, 'x');
    EXPECT_EQ(shared_length(a, a), size);
    EXPECT_EQ(shared_length(a, a + "more"), size);
    for (std::size_t at = 0; at < size; ++at) {
      std::string b = a + "more";
      b[at] = 'y';
      EXPECT_EQ(shared_length(a, b), at);
      EXPECT_EQ(shared_length(b, a), at);
    }
  }
}

}  // namespace
}  // namespace cinderscope::collapsed
