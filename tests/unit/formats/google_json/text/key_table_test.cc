#include "formats/google_json/text/key_table.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope::google_json {
namespace {

std::uint32_t number(KeyTable& table, std::string_view text, std::uint32_t part = 0) {
  return table.number_of(text, hash_bytes(text), part);
}

TEST(KeyTableTest, NumbersTextsInTheOrderOfTheirFirstAppearance) {
  KeyTable table;
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 5000; ++i) {
      ASSERT_EQ(number(table, "key " + std::to_string(i)), i);
    }
  }
  EXPECT_EQ(table.size(), 5000u);
}

TEST(KeyTableTest, TellsEqualTextsApartByTheirPart) {
  KeyTable table;
  EXPECT_EQ(number(table, "a", 1), 0u);
  EXPECT_EQ(number(table, "a", 2), 1u);
  EXPECT_EQ(number(table, "", 1), 2u);
  EXPECT_EQ(number(table, "a", 1), 0u);
}

TEST(KeyTableTest, ComparesTextsWhoseHashesAreEqual) {
  KeyTable table;
  EXPECT_EQ(table.number_of("a", 7, 0), 0u);
  EXPECT_EQ(table.number_of("b", 7, 0), 1u);
  EXPECT_EQ(table.number_of("a", 7, 0), 0u);
}

}  // namespace
}  // namespace cinderscope::google_json
