// The values of names in a comparison: as measured, per call of a name, or as shares.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/compare/comparison.h"

namespace cinderscope {

class ComparisonValues {
 public:
  // Keeps both; of `comparison` only options, tested and per are read.
  ComparisonValues(const ComparedSides& sides, const Comparison& comparison);

  // What the larger side must reach: as chosen, else the default, of which the comment is in
  // default_minimum().
  ComparedValue minimum(Measure measure) const;
  // Of the whole part: busy time for totals, calls for counts, else self time.
  ComparedRow part(Measure measure) const;
  // In each run; NaN: a duration of a name that does not occur there.
  std::vector<double> of_runs(Side side, std::uint32_t name, Measure measure) const;
  // Values, change and interval, which is left out below `min`; without adjusted p and verdict.
  ComparedRow row(std::uint32_t name, Measure measure, double min) const;

 private:
  void find_change(ComparedRow& row, Measure measure) const;
  static void test(ComparedRow& row, OfSides<std::vector<double>> runs);
  ComparedValue of_side(Side side, std::uint32_t name, Measure measure) const;
  double default_minimum(Measure measure) const;
  bool is_whole(Measure measure) const;
  // What a number of the run is divided by.
  double divisor(Side side, std::size_t run, Measure measure) const;
  double mean_divisor(Measure measure) const;

  const ComparedSides& sides_;
  const Comparison& comparison_;
};

}  // namespace cinderscope
