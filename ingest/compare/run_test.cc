#include "ingest/compare/run_test.h"

#include <math.h>  // lgamma_r

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace cinderscope {

namespace {

// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kExact = 1e-15;
  constexpr int kMostSteps = 500;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double sum = d;
  for (int m = 1; m <= kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    sum *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    sum *= d * c;
    if (std::abs(d * c - 1) < kExact) break;
  }
  return sum;
}

// std::lgamma() writes to a variable that all threads share, though here nobody reads it.
template <class Number>
Number log_gamma(Number x) {
  int sign = 0;
  if constexpr (requires { lgamma_r(x, &sign); }) {
    return lgamma_r(x, &sign);
  } else {
    return std::lgamma(x);
  }
}

// The regularised incomplete beta function; y is 1 - x, which may be far more exact.
double beta_share(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front =
      std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log(y));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, y) / b;
}

struct Moments {
  double mean = 0, variance_of_mean = 0;
};

Moments moments_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  Moments of;
  of.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - of.mean) * (value - of.mean);
  of.variance_of_mean = squares / (count - 1) / count;
  return of;
}

}  // namespace

double student_two_sided(double t, double degrees) {
  const double square = t * t;
  return beta_share(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square));
}

double student_quantile(double p_two_sided, double degrees) {
  // The share beyond t falls ever more slowly, so that Newton's steps from the left never go beyond
  // what is looked for.
  constexpr double kNormal = 1.9599;  // of 0.05; of fewer degrees it is more
  double t = p_two_sided <= 0.05 ? kNormal : 0;
  const double density_at_0 = std::exp(log_gamma((degrees + 1) / 2) - log_gamma(degrees / 2)) /
                              std::sqrt(degrees * std::numbers::pi);
  for (int i = 0; i < 1000; ++i) {
    const double density =
        density_at_0 * std::exp(-(degrees + 1) / 2 * std::log1p(t * t / degrees));
    const double step = (student_two_sided(t, degrees) - p_two_sided) / (2 * density);
    t += step;
    if (!(step > 1e-13 * t)) break;
  }
  return t;
}

std::optional<WelchTest> welch_test(std::span<const double> a, std::span<const double> b,
                                    double level) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  if (!std::ranges::all_of(a, finite) || !std::ranges::all_of(b, finite)) return std::nullopt;
  const Moments of_a = moments_of(a), of_b = moments_of(b);
  WelchTest test;
  test.difference = of_b.mean - of_a.mean;
  const double variance = of_a.variance_of_mean + of_b.variance_of_mean;
  test.standard_error = std::sqrt(variance);
  // Sums of equal values differ from each other by rounding.
  const double rounding = 1e-14 * std::max({1.0, std::abs(of_a.mean), std::abs(of_b.mean)});
  if (test.standard_error <= rounding) {
    if (std::abs(test.difference) <= rounding) test.difference = 0;
    test.low = test.high = test.difference;
    test.p = test.difference == 0 ? 1 : 0;
    test.degrees = static_cast<double>(a.size() + b.size() - 2);
    return test;
  }
  const auto part = [](double of, std::size_t count) {
    return of * of / static_cast<double>(count - 1);
  };
  test.degrees = variance * variance /
                 (part(of_a.variance_of_mean, a.size()) + part(of_b.variance_of_mean, b.size()));
  test.p = student_two_sided(test.difference / test.standard_error, test.degrees);
  const double half = student_quantile(1 - level, test.degrees) * test.standard_error;
  test.low = test.difference - half;
  test.high = test.difference + half;
  return test;
}

std::vector<double> adjusted_p(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::vector<double> out(p.size());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {  // the largest first
    const auto rank = static_cast<double>(p.size() - i);
    least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / rank);
    out[order[i]] = least;
  }
  return out;
}

}  // namespace cinderscope
