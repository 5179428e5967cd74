// The clocks of a trace and how a time of one becomes a time of the clock that is shown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cinderscope::perfetto {

enum : std::uint64_t {
  kMonotonicClock = 3,
  kRawMonotonicClock = 5,
  kBootClock = 6,
  kFirstSequenceClock = 64,
  kFirstGlobalClock = 128,
};

// A clock as one number: those of a sequence are apart from each other.
using ClockKey = std::uint64_t;
constexpr bool is_sequence_clock(std::uint64_t clock) {
  return clock >= kFirstSequenceClock && clock < kFirstGlobalClock;
}
constexpr ClockKey clock_key(std::uint64_t clock, std::uint32_t sequence) {
  return is_sequence_clock(clock) ? (std::uint64_t{sequence} + 1) << 31 << 1 | clock : clock;
}

struct ClockReading {
  std::uint64_t clock = 0;
  std::int64_t ns = 0;  // value x unit
  std::uint64_t unit_ns = 1;
  bool incremental = false;
};
struct ClockSnapshot {
  std::vector<ClockReading> readings;
  std::uint64_t primary = 0;  // 0: not told
};
ClockSnapshot read_clock_snapshot(std::string_view body);

// What to add to the times of a clock within a range, [from_ns, to_ns).
struct ClockOffset {
  std::int64_t from_ns = 0, to_ns = 0;
  std::int64_t add_ns = 0;
  bool holds(std::int64_t ns) const { return ns >= from_ns && ns < to_ns; }
};

class Clocks {
 public:
  // In the order of the file; then find_ways(), and after that any thread may ask.
  void add(const ClockSnapshot& snapshot, std::uint32_t sequence);
  void find_ways();

  bool any() const { return any_; }
  // All clocks of a snapshot stepped back: one trace was put behind another one.
  bool restarted() const { return restarted_; }
  ClockKey shown() const { return shown_; }
  bool has_way(ClockKey clock) const { return clock == shown_ || ways_.contains(clock); }
  // Of a clock that has a way.
  ClockOffset offset(ClockKey clock, std::int64_t ns) const;

 private:
  // Snapshots that read the same clocks, a column for each clock.
  struct Table {
    std::vector<ClockKey> clocks;  // sorted
    std::vector<std::vector<std::int64_t>> ns;
  };
  struct Way {
    std::size_t table = 0;
    std::size_t from = 0, to = 0;                              // columns
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // since when, what to add
  };

  ClockKey primary_clock() const;

  bool any_ = false;
  bool restarted_ = false;
  ClockKey shown_ = 0;
  std::uint64_t primary_ = 0;
  std::uint64_t lowest_of_first_ = 0;
  bool has_boot_ = false, has_monotonic_ = false;
  std::vector<Table> tables_;
  std::map<std::vector<ClockKey>, std::size_t> table_of_;
  std::unordered_map<ClockKey, bool> went_back_;
  std::unordered_map<ClockKey, Way> ways_;
};

}  // namespace cinderscope::perfetto
