#include "ingest/base/fields.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

enum class Fruit : std::uint8_t { apple, pear };

TEST(FieldsTest, ComeBackAsTheyWereWritten) {
  FieldWriter out;
  out.add(std::int64_t{-5});
  out.add(true);
  out.add_text("words");
  out.add(Fruit::pear);
  out.add(0.25);
  FieldReader in(out.bytes());
  EXPECT_EQ(in.take<std::int64_t>(), -5);
  EXPECT_TRUE(in.take<bool>());
  EXPECT_EQ(in.take_text(), "words");
  EXPECT_EQ(in.take_enum(Fruit::pear), Fruit::pear);
  EXPECT_FALSE(in.done());
  EXPECT_EQ(in.take<double>(), 0.25);
  EXPECT_TRUE(in.done());
}

TEST(FieldsTest, NothingIsReadBeyondTheEnd) {
  FieldWriter out;
  out.add_text("words");
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    FieldReader in(out.bytes().substr(0, length));
    EXPECT_EQ(in.take_text(), "");
    EXPECT_FALSE(in.ok());
    EXPECT_EQ(in.take<std::uint32_t>(), 0u);
  }
}

TEST(FieldsTest, CountsAndEnumerationsThatCannotBeFail) {
  FieldWriter out;
  out.add(std::uint64_t{1} << 60);
  FieldReader counts(out.bytes());
  EXPECT_EQ(counts.take_count(1), 0u);
  EXPECT_FALSE(counts.ok());
  FieldWriter more;
  more.add(std::uint8_t{2});
  FieldReader fruit(more.bytes());
  EXPECT_EQ(fruit.take_enum(Fruit::pear), Fruit::apple);
  EXPECT_FALSE(fruit.ok());
}

}  // namespace
}  // namespace cinderscope
