#include "ingest/build/profile/text_numbers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cinderscope {
namespace {

TEST(TextNumbersTest, NumbersTextsInTheOrderOfTheirFirstComing) {
  TextNumbers numbers;
  std::vector<std::string> texts = {""};
  // All lengths around those that are hashed in words, and texts that differ in one byte.
  for (int size = 1; size < 40; ++size) {
    for (const char last : {'a', 'b', '\0'}) {
      texts.push_back(std::string(static_cast<std::size_t>(size - 1), 'x') + last);
    }
  }
  for (int i = 0; i < 5000; ++i) texts.push_back("function " + std::to_string(i));
  for (std::uint32_t i = 0; i < texts.size(); ++i) ASSERT_EQ(numbers.number_of(texts[i]), i);
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    const std::string copy = texts[i];
    ASSERT_EQ(numbers.number_of(copy), i);
    ASSERT_EQ(numbers.text(i), texts[i]);
  }
  EXPECT_EQ(numbers.size(), texts.size());
}

}  // namespace
}  // namespace cinderscope
