#include "ingest/base/decimal_time.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cinderscope {
namespace {

std::int64_t ns(std::string_view text) {
  const auto time = time_from_decimal(text);
  return time ? time->ns : INT64_MIN;
}

TEST(DecimalTimeTest, KeepsNanosecondsOfTimesThatNoDoubleHolds) {
  EXPECT_EQ(ns("1700000000000000.123"), 1700000000000000123);
  EXPECT_EQ(ns("4503599627370497.001"), 4503599627370497001);
}

TEST(DecimalTimeTest, ReadsTimesOfEveryLengthExactly) {
  const std::string digits = "1234567890123456";
  for (std::size_t whole = 1; whole <= digits.size(); ++whole) {
    for (std::size_t decimals = 0; decimals <= 3; ++decimals) {
      std::string text = digits.substr(0, whole);
      if (decimals > 0) text += '.' + std::string("987").substr(0, decimals);
      const std::string thousandths =
          std::string("987").substr(0, decimals) + std::string(3 - decimals, '0');
      const std::int64_t expected =
          std::stoll(digits.substr(0, whole)) * 1000 + std::stoll(thousandths);
      EXPECT_EQ(ns(text), expected) << text;
      EXPECT_EQ(time_from_decimal(text)->decimals, static_cast<int>(decimals)) << text;
      for (std::size_t i = 0; i < text.size(); ++i) {
        std::string damaged = text;
        for (const char c : {'/', ':', ' ', '\0', '\xb0', '\x10'}) {
          damaged[i] = c;
          EXPECT_FALSE(time_from_decimal(damaged)) << damaged;
        }
      }
    }
  }
}

// Whatever lies behind the text, and whether it takes the number or leaves it to the general way.
TEST(DecimalTimeTest, ReadsUsualTimesAsTheGeneralWayDoes) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "0123456789012345678901234567890123456789..-+e\"";
  int read = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string text(random() % 24, '0');
    for (char& c : text) c = kBytes[random() % kBytes.size()];
    std::string padded = text;
    while (padded.size() < text.size() + kTimePadding) {
      padded += kBytes[random() % kBytes.size()];
    }
    DecimalTime usual;
    if (!usual_time(std::string_view(padded).substr(0, text.size()), usual)) continue;
    ++read;
    const auto general = time_from_decimal(text);
    ASSERT_TRUE(general) << text;
    ASSERT_EQ(usual.ns, general->ns) << text;
    ASSERT_EQ(usual.decimals, general->decimals) << text;
    ASSERT_EQ(usual.clamped, general->clamped) << text;
  }
  EXPECT_GT(read, 20'000);
  DecimalTime usual;
  const std::string longest = "4611686018427386.999" + std::string(kTimePadding, '5');
  ASSERT_TRUE(usual_time(std::string_view(longest).substr(0, 20), usual));
  EXPECT_EQ(usual.ns, 4611686018427386999);
}

TEST(DecimalTimeTest, RoundsHalfToEven) {
  EXPECT_EQ(ns("0.0005"), 0);
  EXPECT_EQ(ns("0.0015"), 2);
  EXPECT_EQ(ns("0.0025"), 2);
  EXPECT_EQ(ns("0.00250000000000000000000001"), 3);
  EXPECT_EQ(ns("1529640.5019999999"), 1529640502);
  EXPECT_EQ(ns("-0.0015"), -2);
  EXPECT_EQ(ns("0.0004999999"), 0);
  EXPECT_EQ(ns("0.9999"), 1000);
}

TEST(DecimalTimeTest, ReadsEveryFormOfANumber) {
  EXPECT_EQ(ns("1e3"), 1000000);
  EXPECT_EQ(ns("12.5E-1"), 1250);
  EXPECT_EQ(ns("1E+2"), 100000);
  EXPECT_EQ(ns("+7"), 7000);
  EXPECT_EQ(ns("007.5"), 7500);
  EXPECT_EQ(ns("-0"), 0);
  EXPECT_EQ(ns("5."), 5000);
  EXPECT_EQ(ns(".5"), 500);
  EXPECT_EQ(ns("0e999999999999999999999"), 0);
  EXPECT_EQ(ns("1e-999999999999999999999"), 0);
}

TEST(DecimalTimeTest, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", ".", "e5", "1e", "NaN", "Infinity", "-Infinity", "1x", "0x10",
                           "1.2.3", "null", "1 2", "--1"}) {
    EXPECT_FALSE(time_from_decimal(text)) << text;
  }
}

TEST(DecimalTimeTest, ClampsBeyondTheLimit) {
  for (const char* text : {"1e20", "4611686018427388", "99999999999999999999", "1e400"}) {
    ASSERT_TRUE(time_from_decimal(text)) << text;
    EXPECT_EQ(time_from_decimal(text)->ns, kMaxTimeNs) << text;
    EXPECT_TRUE(time_from_decimal(text)->clamped) << text;
  }
  EXPECT_EQ(ns("-1e20"), -kMaxTimeNs);
  EXPECT_FALSE(time_from_decimal("4611686018427387.904")->clamped);
}

TEST(DecimalTimeTest, CountsDecimals) {
  EXPECT_EQ(time_from_decimal("1")->decimals, 0);
  EXPECT_EQ(time_from_decimal("1.50")->decimals, 2);
  EXPECT_EQ(time_from_decimal("1.5e1")->decimals, 0);
  EXPECT_EQ(time_from_decimal("1e-3")->decimals, 3);
  EXPECT_EQ(time_from_decimal("1529640.5019999999")->decimals, 10);
}

TEST(DecimalTimeTest, TakesLinearTimeForLongNumbers) {
  EXPECT_EQ(ns("0." + std::string(1'000'000, '0') + "1e1000001"), 1000);
  EXPECT_EQ(ns(std::string(1'000'000, '0') + "2"), 2000);
}

// An exponent of 0 changes nothing, but is not among what short numbers may have.
TEST(DecimalTimeTest, ReadsShortNumbersAsTheGeneralWayDoes) {
  std::mt19937 random(11);
  constexpr std::string_view kBytes = "01234567890123456789.-";
  for (int round = 0; round < 200'000; ++round) {
    std::string text(random() % 23, '0');
    for (char& c : text) c = kBytes[random() % kBytes.size()];
    for (const int power : {0, 3, 6, 9}) {
      const auto quick = time_from_decimal(text, power);
      const auto general = time_from_decimal(text + "e0", power);
      ASSERT_EQ(quick.has_value(), general.has_value()) << text;
      if (!quick) continue;
      ASSERT_EQ(quick->ns, general->ns) << text << " " << power;
      ASSERT_EQ(quick->decimals, general->decimals) << text;
      ASSERT_EQ(quick->clamped, general->clamped) << text;
    }
  }
}

}  // namespace
}  // namespace cinderscope
