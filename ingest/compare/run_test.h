// Welch's test over runs, and what goes with it.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace cinderscope {

struct WelchTest {
  double difference = 0;  // mean of b - mean of a
  double standard_error = 0;
  double degrees = 0;        // of freedom
  double low = 0, high = 0;  // interval of the difference
  double p = 1;              // two-sided
};
// Nothing with fewer than two values a side, or one that is not finite. Where no value differs from
// the others of its side the interval is the difference itself, and p is 1 or 0.
std::optional<WelchTest> welch_test(std::span<const double> a, std::span<const double> b,
                                    double level = 0.95);

// P(|T| > |t|) of Student's t; the t beyond which that is `p`.
double student_two_sided(double t, double degrees);
double student_quantile(double p_two_sided, double degrees);

// Benjamini and Hochberg: p values adjusted for how many were looked at, in the same order.
std::vector<double> adjusted_p(std::span<const double> p);

}  // namespace cinderscope
