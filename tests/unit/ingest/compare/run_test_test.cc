#include "ingest/compare/run_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace cinderscope {
namespace {

struct Reference {
  std::vector<double> a, b;
  double p, degrees, low, high;
};

// Worked out with 40 digits by mpmath, from the incomplete beta function.
const std::vector<Reference> kReferences = {
    {{1, 2, 3}, {2, 3, 4}, 0.287864134726691, 4.0, -1.26695793552752, 3.26695793552752},
    {{10.1, 10.3, 9.9},
     {10.2, 10.4, 10.0, 10.6},
     0.300802707255176,
     4.95918367346939,
     -0.246342296267758,
     0.646342296267758},
    {{5, 5.01, 4.99, 5.02, 5},
     {5.5, 5.4, 5.7, 5.6, 5.5},
     0.000425838672764389,
     4.07999200079992,
     0.394815818986946,
     0.677184181013054},
    {{0.1, 0.2, 0.15},
     {12, 13, 11, 15},
     0.000668132662956446,
     3.00685517024293,
     9.88442028166692,
     15.3155797183331},
    {{1, 1, 1, 1.0001},
     {1, 2, 3, 4},
     0.102731710278461,
     3.000000009,
     -0.554285254814802,
     3.5542352548148},
    {{-0.0354, -0.0344, 0.0201},
     {-0.0688, -0.0043, -0.0677},
     0.342203792142977,
     3.91241203678689,
     -0.109132540317866,
     0.0483992069845324},
    {{0.033, 0.0061, 0.0407},
     {0.0849, 0.1119, 0.0914},
     0.00750352963245914,
     3.7671195527425,
     0.0316961243354803,
     0.107237208997853},
    {{-0.0221, 0.0044, -0.0377, -0.0106, 0.0209},
     {0.0517, 0.0377, 0.1157, 0.0517, 0.0324},
     0.00760748735189486,
     7.04923291058168,
     0.0241364154486411,
     0.109583584551359},
    {{0.0048, -0.0157, -0.0116, -0.0105, 0.0608},
     {0.5007, 0.5053, 0.5202, 0.5605, 0.4933},
     5.14042171842725e-9,
     7.76835176193556,
     0.467327874378709,
     0.553552125621291},
    {{-0.0187, 0.0742, -0.0438, -0.011, 0.02, 0.0685, -0.0285, -0.0728, 0.0198, -0.0156},
     {0.0384, 0.0638, 0.0567, 0.0587, 0.0371, 0.0887, 0.0951, 0.051, 0.0364, 0.072},
     0.00266545972393096,
     12.3880965539558,
     0.0254323915556345,
     0.0957276084443655},
    {{0.0143, -0.0312, -0.0138, 0.0315, -0.0029, -0.0099, 0.0064, -0.001, -0.0001, -0.0579,
      0.0525, 0.006,   -0.0263, 0.0294, 0.0093,  0.0005,  0.0314, 0.0678, 0.0166,  0.0476},
     {0.0647, -0.0306, -0.0157, 0.0233, -0.0512, -0.008, 0.0388,  0.0313, 0.0174,  -0.0569,
      0.0705, 0.0165,  0.023,   0.0148, -0.0515, -0.043, -0.0365, 0.0575, -0.0249, -0.0073},
     0.540455924479969,
     35.1810299840034,
     -0.0295564722938976,
     0.0157564722938976},
    {{-0.0255, 0.0571, 0.0501},
     {0.0468,  -0.1062, -0.2939, 0.0366, 0.0468, 0.1431, 0.0097, -0.0411, 0.061,   -0.1354,
      -0.0842, -0.0806, 0.0488,  0.2291, 0.0963, 0.1342, 0.0438, 0.0479,  -0.0249, -0.0081},
     0.62582647051766,
     6.82286206896027,
     -0.10605675662005,
     0.0685600899533836},
    {{-0.1215, -0.0601, -0.0644, 0.0419,  0.0332,  0.0571,  0.0778, -0.0153, 0.0528,  0.0978,
      -0.0004, 0.0543,  -0.0083, -0.0806, 0.006,   -0.0411, 0.0054, -0.0232, 0.016,   -0.1069,
      0.1042,  0.068,   -0.0175, -0.0455, 0.0002,  0.0338,  0.0212, 0.0201,  -0.0985, -0.0565,
      0.0672,  0.012,   -0.0761, -0.0434, -0.0724, -0.051,  0.0591, -0.0111, 0.0566,  0.0095},
     {-0.046,  -0.0028, 0.1461,  -0.0088, -0.0233, 0.0928, 0.0346,  0.0297,  0.1046,  -0.0596,
      0.0513,  -0.0237, -0.0415, -0.0115, 0.0887,  0.0228, -0.0636, -0.0266, 0.1078,  0.0822,
      -0.0257, 0.1538,  0.0113,  -0.031,  0.023,   0.0778, 0.1123,  0.0826,  0.0082,  0.0013,
      -0.0444, 0.0262,  -0.0005, 0.0425,  -0.0347, 0.0036, -0.0151, -0.0315, -0.0306, -0.0221},
     0.100927824382107,
     77.9991777610376,
     -0.00428391615286314,
     0.0472739161528631},
    {{-0.0121, 0.0058, 0.001, -0.0135, 0.0052},
     {3.0029, 3.0149, 2.998, 2.9979, 2.993},
     2.85347642582464e-19,
     7.8904384763,
     2.99106360325856,
     3.01705639674144},
    {{0.0254, 0.1009, 0.0357, -0.052, 0.1154, 0.0188, 0.0505, -0.191},
     {-0.1577, -0.4039, -0.3726, -0.167},
     0.0128106947251835,
     4.72346960707069,
     -0.481927884634988,
     -0.0945971153650117},
};

TEST(RunTest, AgreesWithTheReferenceTable) {
  for (const Reference& of : kReferences) {
    const auto test = welch_test(of.a, of.b);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->p, of.p, 1e-6 * of.p + 1e-15);
    EXPECT_NEAR(test->degrees, of.degrees, 1e-6 * of.degrees);
    EXPECT_NEAR(test->low, of.low, 1e-6 * std::abs(of.low) + 1e-9);
    EXPECT_NEAR(test->high, of.high, 1e-6 * std::abs(of.high) + 1e-9);
  }
}

TEST(RunTest, SwappedSidesAreMirrored) {
  for (const Reference& of : kReferences) {
    const auto one = welch_test(of.a, of.b), other = welch_test(of.b, of.a);
    EXPECT_DOUBLE_EQ(one->p, other->p);
    EXPECT_DOUBLE_EQ(one->low, -other->high);
    EXPECT_DOUBLE_EQ(one->high, -other->low);
  }
}

TEST(RunTest, QuantilesOfStudent) {
  // As tables have them.
  EXPECT_NEAR(student_quantile(0.05, 1), 12.7062047362, 1e-8);
  EXPECT_NEAR(student_quantile(0.05, 2), 4.30265272991, 1e-9);
  EXPECT_NEAR(student_quantile(0.05, 4), 2.77644510520, 1e-9);
  EXPECT_NEAR(student_quantile(0.05, 30), 2.04227245630, 1e-9);
  EXPECT_NEAR(student_quantile(0.01, 10), 3.16927267261, 1e-9);
  EXPECT_NEAR(student_quantile(0.5, 5), 0.72668684380, 1e-9);
  EXPECT_NEAR(student_quantile(0.05, 1e6), 1.95996635682, 1e-8);
}

TEST(RunTest, WhatCannotBeTested) {
  EXPECT_FALSE(welch_test(std::vector<double>{1}, std::vector<double>{1, 2}));
  EXPECT_FALSE(welch_test(std::vector<double>{1, NAN}, std::vector<double>{1, 2}));
  EXPECT_FALSE(welch_test(std::vector<double>{1, -INFINITY}, std::vector<double>{1, 2}));
}

TEST(RunTest, EqualValuesLeaveNoDoubt) {
  const std::vector<double> ones = {0.1, 0.1, 0.1}, twos = {0.2, 0.2, 0.2};
  EXPECT_EQ(welch_test(ones, ones)->p, 1);
  EXPECT_EQ(welch_test(ones, ones)->low, 0);
  EXPECT_EQ(welch_test(ones, twos)->p, 0);
  EXPECT_NEAR(welch_test(ones, twos)->high, 0.1, 1e-12);
}

TEST(RunTest, BenjaminiAndHochberg) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.5};
  const std::vector<double> adjusted = adjusted_p(p);
  const std::vector<double> expected = {0.025, 0.05, 0.05, 0.025, 0.5};
  ASSERT_EQ(adjusted.size(), expected.size());
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12);
  EXPECT_TRUE(adjusted_p({}).empty());
}

// Equal runs, each of whose calls drift and which differ by 3 % among themselves.
TEST(RunTest, EqualRunsAreSeldomFlagged) {
  constexpr std::size_t kComparisons = 1000, kNames = 200, kRuns = 5, kCalls = 50;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::size_t flagged = 0, with_finding = 0;
  const auto sum_of_run = [&] {
    const double run = std::exp(0.03 * normal(random));
    double drift = 0, sum = 0;
    for (std::size_t i = 0; i < kCalls; ++i) {
      drift = 0.98 * drift + 0.05 * normal(random);
      sum += std::exp(drift + 0.3 * normal(random));
    }
    return std::log(run * sum);
  };
  // Sums are drawn once and dealt to names: drawing all calls anew would take minutes.
  std::vector<double> sums(20'000);
  for (double& sum : sums) sum = sum_of_run();
  std::uniform_int_distribution<std::size_t> any(0, sums.size() - 1);
  for (std::size_t c = 0; c < kComparisons; ++c) {
    std::vector<double> p;
    for (std::size_t n = 0; n < kNames; ++n) {
      std::vector<double> a, b;
      for (std::size_t r = 0; r < kRuns; ++r) {
        a.push_back(sums[any(random)]);
        b.push_back(sums[any(random)]);
      }
      p.push_back(welch_test(a, b)->p);
      if (p.back() <= 0.05) ++flagged;
    }
    bool found = false;
    for (const double each : adjusted_p(p)) found = found || each <= 0.05;
    if (found) ++with_finding;
  }
  EXPECT_LE(static_cast<double>(flagged) / (kComparisons * kNames), 0.06);
  EXPECT_GE(static_cast<double>(flagged) / (kComparisons * kNames), 0.03);
  EXPECT_LE(static_cast<double>(with_finding) / kComparisons, 0.05);
}

}  // namespace
}  // namespace cinderscope
