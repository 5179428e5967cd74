#include "formats/perfetto/wire/fields.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/formats/perfetto/wire_text.h"

namespace cinderscope::perfetto {
namespace {

using namespace std::string_view_literals;

std::vector<std::uint64_t> numbers_of(std::string_view message, bool& damaged) {
  std::vector<std::uint64_t> out;
  FieldReader field(message);
  while (field.next()) out.push_back(field.is_bytes() ? field.bytes().size() : field.number());
  damaged = field.damaged();
  return out;
}

TEST(PerfettoFieldsTest, ReadsEveryWireType) {
  bool damaged = true;
  const auto numbers =
      numbers_of("\x08\x96\x01\x11\1\0\0\0\0\0\0\0\x1a\3abc\x25\2\0\0\0"sv, damaged);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{150, 1, 3, 2}));
  EXPECT_FALSE(damaged);
}

TEST(PerfettoFieldsTest, TakesNumbersOfTenBytesAndOverlongOnes) {
  bool damaged = true;
  const auto numbers =
      numbers_of("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x08\x81\x80\x00"sv, damaged);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{UINT64_MAX, 1}));
  EXPECT_FALSE(damaged);
}

// Those of one and two bytes, of three to eight, and longer ones are each read in their own way,
// and otherwise where fewer than eight bytes are left.
TEST(PerfettoFieldsTest, ReadsNumbersOfEveryLengthWhereverTheyLie) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const std::uint64_t most = bits == 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
    for (const std::uint64_t value : {most, most / 3, most ^ (most >> 1)}) {
      for (std::size_t behind = 0; behind < 12; ++behind) {
        const std::string bytes = varint_text(value) + std::string(behind, '\xff');
        const char* at = bytes.data();
        std::uint64_t read = 0;
        ASSERT_TRUE(read_varint(at, bytes.data() + bytes.size(), read)) << value;
        EXPECT_EQ(read, value) << behind;
        EXPECT_EQ(at, bytes.data() + bytes.size() - behind) << value;
      }
    }
  }
}

TEST(PerfettoFieldsTest, EndsAtTheFirstByteThatIsNoField) {
  for (const std::string_view message : {"\x00\x01"sv, "\x0b"sv, "\x0c"sv, "\x0e"sv, "\x0f"sv,
                                         "\x0a\x05"
                                         "abc"sv,
                                         "\x09\x01"sv, "\x0d\x01"sv, "\x08"sv, "\x08\x80"sv,
                                         "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv}) {
    bool damaged = false;
    EXPECT_TRUE(numbers_of(message, damaged).empty());
    EXPECT_TRUE(damaged);
  }
}

// protozero's own reader cuts lengths to 32 bits and would find five bytes here.
TEST(PerfettoFieldsTest, KeepsLengthsOf64Bits) {
  bool damaged = false;
  EXPECT_TRUE(numbers_of("\x0a\x85\x80\x80\x80\x10hello"sv, damaged).empty());
  EXPECT_TRUE(damaged);
}

TEST(PerfettoFieldsTest, TakesRepeatedNumbersPackedAndOneByOne) {
  std::vector<std::uint64_t> out;
  FieldReader field("\x08\x05\x0a\x03\x01\xac\x02"sv);
  while (field.next()) each_number(field, [&](std::uint64_t number) { out.push_back(number); });
  EXPECT_EQ(out, (std::vector<std::uint64_t>{5, 1, 300}));
}

}  // namespace
}  // namespace cinderscope::perfetto
