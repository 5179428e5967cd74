// A grouping of slices that is added up natively: what a statement with GROUP BY asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/slice_column.h"

namespace cinderscope {

// What slices are grouped by; the names are those of the columns.
enum class GroupKey : std::uint8_t {
  name,
  name_id,
  depth,
  track_id,
  thread_id,
  process_id,
  trace_id,
  thread_name,  // these are columns of thread_slice alone
  tid,
  process_name,
  pid,
  trace_name,
};
inline constexpr std::size_t kGroupKeys = 12;
std::string_view column_of(GroupKey key);
bool is_text(GroupKey key);

// What is added up.
enum class GroupedMeasure : std::uint8_t { dur, self_dur, ts, ts_end };
inline constexpr std::size_t kMeasures = 4;

enum class AggregateKind : std::uint8_t { count, sum, total, min, max, avg, percentile, covered };

struct GroupedAggregate {
  AggregateKind kind = AggregateKind::count;
  GroupedMeasure of = GroupedMeasure::dur;
  std::uint32_t constant = 0;  // of a percentile: its second argument
  bool operator==(const GroupedAggregate&) const = default;
};

enum class TestKind : std::uint8_t {
  equal,
  less,
  less_equal,
  greater,
  greater_equal,
  between,
  in,
  like,
  glob,
  regexp,
};

struct GroupedTest {
  SliceColumn column{};
  TestKind kind{};
  bool negated = false;
  std::vector<std::uint32_t> constants;
  bool operator==(const GroupedTest&) const = default;
};

// Constants are numbered; what they are is known once the statement runs.
struct GroupedQuery {
  std::vector<GroupKey> keys;  // none: all slices are one group, and there is always one row
  std::vector<GroupedAggregate> aggregates;
  std::vector<GroupedTest> tests;  // all of them hold
};

}  // namespace cinderscope
