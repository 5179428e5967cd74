// Smallest, largest and mean value of a counter over any range of time, fast enough to follow a
// view that moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// What a series did within a range. Values that are no numbers are left out.
struct CounterMeasure {
  std::uint64_t points = 0;  // that hold within the range; 0: it has no value there
  double min = 0, max = 0;
  double mean = 0;  // weighted by time
};

// Index of the point that holds at `time_ns`; time_ns.size() before the first one.
std::size_t point_at(const CounterSeries& series, std::int64_t time_ns);

// Sums of blocks of one series' points. The series must stay as it is.
class CounterSums {
 public:
  // The last value holds until `end_ns`, the trace's end.
  CounterSums(const CounterSeries& series, std::int64_t end_ns);

  // Over [begin_ns, end_ns). O(points / 256).
  CounterMeasure over(std::int64_t begin_ns, std::int64_t end_ns) const;

 private:
  struct Block {
    std::uint64_t points = 0;
    double min = 0, max = 0, sum = 0;  // sum: of value x ns
    double time_ns = 0;
    void add(double value, double for_ns);
    void add(const Block& other);
  };
  Block block_of(std::size_t first, std::size_t end, std::int64_t from_ns,
                 std::int64_t until_ns) const;

  const CounterSeries* series_;
  std::int64_t end_ns_;
  std::vector<Block> blocks_;
};

}  // namespace cinderscope
