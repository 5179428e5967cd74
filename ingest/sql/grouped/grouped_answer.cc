#include "ingest/sql/grouped/grouped_answer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "ingest/sql/grouped/group_ranks.h"
#include "ingest/sql/grouped/group_slots.h"
#include "ingest/sql/grouped/interval_union.h"
#include "ingest/sql/grouped/value_rank.h"

namespace cinderscope {

namespace {

constexpr std::size_t kTs = static_cast<std::size_t>(GroupedMeasure::ts);
constexpr std::size_t kTsEnd = static_cast<std::size_t>(GroupedMeasure::ts_end);

// Which measures are read, and which of these are added up, in what order.
struct UsedMeasures {
  std::array<bool, kMeasures> read{};
  std::vector<std::size_t> added;
  bool covered = false;
  bool sums_alone = true;  // no least, largest and percentile

  std::size_t stride() const { return std::max<std::size_t>(1, added.size()); }
  std::size_t place(GroupedMeasure measure) const {
    const auto found = std::ranges::find(added, static_cast<std::size_t>(measure));
    return static_cast<std::size_t>(found - added.begin());
  }
};

UsedMeasures used_measures(const GroupedQuery& query) {
  UsedMeasures used;
  std::array<bool, kMeasures> added{};
  for (const GroupedAggregate& aggregate : query.aggregates) {
    if (aggregate.kind == AggregateKind::covered) used.covered = true;
    const bool has_measure =
        aggregate.kind != AggregateKind::covered && aggregate.kind != AggregateKind::count;
    used.sums_alone &=
        aggregate.kind == AggregateKind::count || aggregate.kind == AggregateKind::sum ||
        aggregate.kind == AggregateKind::total || aggregate.kind == AggregateKind::avg ||
        aggregate.kind == AggregateKind::covered;
    if (has_measure) added[static_cast<std::size_t>(aggregate.of)] = true;
  }
  for (std::size_t m = 0; m < kMeasures; ++m) {
    if (added[m]) used.added.push_back(m);
  }
  used.read = added;
  if (used.covered) used.read[kTs] = used.read[kTsEnd] = true;
  return used;
}

// What the groups of all threads take, about.
struct GroupMemory {
  std::uint64_t most_bytes, of_group;
  std::atomic<std::uint64_t> bytes = 0;

  bool exceeded() const { return bytes.load(std::memory_order_relaxed) > most_bytes; }
};

// What one thread adds up.
class GroupAdder {
 public:
  GroupAdder(const GroupedScan& scan, const UsedMeasures& used)
      : used_(used), slots_(scan.name_key_count()) {}

  void add(const ScannedSlices& slices, GroupMemory& memory) {
    if (memory.exceeded()) return;
    const std::size_t groups = places().size();
    add_all(slices, memory);
    memory.bytes += (places().size() - groups) * memory.of_group;
  }

  const std::vector<GroupPlace>& places() const { return slots_.places(); }
  std::span<const MeasureSums> sums(std::size_t slot) const {
    return std::span(sums_).subspan(slot * used_.stride(), used_.stride());
  }
  const IntervalUnion& covered(std::size_t slot) const { return covered_[slot]; }

 private:
  void add_all(const ScannedSlices& slices, GroupMemory& memory) {
    if (slices.name_keys.empty()) {
      const std::uint32_t slot = slot_of({slices.row_keys, 0});
      add_columns(
          slices, [slot](std::size_t) { return slot; }, memory);
      return;
    }
    for (std::size_t k = 0; k < slices.count; ++k) {
      found_[k] = slot_of({slices.row_keys, slices.name_keys[k]});
    }
    add_columns(
        slices, [this](std::size_t k) { return found_[k]; }, memory);
  }

  std::uint32_t slot_of(GroupPlace place) {
    const std::uint32_t slot = slots_.slot(place);
    if (const std::size_t count = slots_.places().size(); sums_.size() < count * used_.stride()) {
      sums_.resize(count * used_.stride());
      if (used_.covered) covered_.resize(count);
    }
    return slot;
  }

  template <class SlotOf>
  void add_columns(const ScannedSlices& slices, const SlotOf& slot_of, GroupMemory& memory) {
    const std::size_t stride = used_.stride();
    if (used_.added.empty() && slices.name_keys.empty()) {
      sums_[slot_of(0)].count += slices.count;
    } else if (used_.added.empty()) {
      for (std::size_t k = 0; k < slices.count; ++k) ++sums_[slot_of(k)].count;
    }
    for (std::size_t m = 0; m < used_.added.size(); ++m) {
      const std::int64_t* values = slices.measures[used_.added[m]].data();
      MeasureSums* sums = sums_.data() + m;
      if (used_.sums_alone) {
        for (std::size_t k = 0; k < slices.count; ++k) {
          MeasureSums& to = sums[slot_of(k) * stride];
          ++to.count;
          to.sum += values[k];
        }
      } else {
        for (std::size_t k = 0; k < slices.count; ++k) sums[slot_of(k) * stride].add(values[k]);
      }
    }
    if (!used_.covered) return;
    std::size_t grown = 0;
    for (std::size_t k = 0; k < slices.count; ++k) {
      IntervalUnion& covered = covered_[slot_of(k)];
      const std::size_t before = covered.kept_bytes();
      covered.add(slices.measures[kTs][k], slices.measures[kTsEnd][k]);
      grown += covered.kept_bytes() - before;
    }
    memory.bytes += grown;
  }

  const UsedMeasures& used_;
  GroupSlots slots_;
  std::vector<MeasureSums> sums_;  // by slot and added measure
  std::vector<IntervalUnion> covered_;
  std::array<std::uint32_t, kChunkSlices> found_;
};

// All groups, put together from what the threads added up.
struct Groups {
  GroupNumbers numbers;
  std::vector<GroupPlace> places;
  std::vector<MeasureSums> sums;
  std::vector<IntervalUnion> covered;

  void take(const GroupAdder& from, const UsedMeasures& used) {
    for (std::size_t slot = 0; slot < from.places().size(); ++slot) {
      const GroupPlace place = from.places()[slot];
      const auto [found, is_new] =
          numbers.try_emplace(place, static_cast<std::uint32_t>(places.size()));
      if (is_new) add(place, used);
      MeasureSums* to = sums.data() + found->second * used.stride();
      for (const MeasureSums& each : from.sums(slot)) (to++)->add(each);
      if (used.covered) covered[found->second].add(from.covered(slot));
    }
  }
  void add(GroupPlace place, const UsedMeasures& used) {
    places.push_back(place);
    sums.resize(places.size() * used.stride());
    if (used.covered) covered.emplace_back();
  }
};

QueryCell integer(WideSum sum) {
  return static_cast<std::int64_t>(sum);
}

// An Error: it is beyond 64 bits.
Result<QueryCell> cell_of(AggregateKind kind, const MeasureSums& sums) {
  if (kind == AggregateKind::count) return QueryCell{static_cast<std::int64_t>(sums.count)};
  if (kind == AggregateKind::total) return QueryCell{static_cast<double>(sums.sum)};
  if (sums.count == 0) return QueryCell{};
  switch (kind) {
    case AggregateKind::sum:
      if (sums.sum != WideSum{clamped(sums.sum)}) return refused("integer overflow");
      return integer(sums.sum);
    case AggregateKind::min:
      return QueryCell{sums.min};
    case AggregateKind::max:
      return QueryCell{sums.max};
    default:
      return QueryCell{static_cast<double>(sums.sum) / static_cast<double>(sums.count)};
  }
}

// Percentiles of all groups; `out` has a place for each aggregate and group.
void add_percentiles(const GroupedScan& scan, const GroupedQuery& query, const Groups& groups,
                     const UsedMeasures& used, std::span<const double> shares, unsigned jobs,
                     const std::atomic<bool>& stop, std::vector<std::vector<QueryCell>>& out) {
  std::vector<WantedRank> wanted;
  std::vector<QueryCell*> cells;
  for (std::size_t a = 0; a < query.aggregates.size(); ++a) {
    const GroupedAggregate& aggregate = query.aggregates[a];
    if (aggregate.kind != AggregateKind::percentile || std::isnan(shares[a])) continue;
    for (std::uint32_t group = 0; group < groups.places.size(); ++group) {
      const MeasureSums& sums = groups.sums[group * used.stride() + used.place(aggregate.of)];
      if (sums.count == 0) continue;
      wanted.push_back({group, aggregate.of, rank_of_percent(sums.count, shares[a]), sums.count,
                        sums.min, sums.max});
      cells.push_back(&out[a][group]);
    }
  }
  if (wanted.empty()) return;
  find_group_ranks(scan, groups.numbers, wanted, jobs, stop);
  for (std::size_t i = 0; i < wanted.size(); ++i) *cells[i] = wanted[i].value;
}

}  // namespace

Result<GroupedAnswer> group_slices(const QueryData& data, const GroupedQuery& query,
                                   const GroupedFilter& filter, std::span<const double> shares,
                                   unsigned jobs, std::uint64_t most_bytes,
                                   const std::atomic<bool>& stop) {
  const UsedMeasures used = used_measures(query);
  const GroupedScan scan(data, query, filter, used.read);
  std::vector<std::unique_ptr<GroupAdder>> adders(std::max(1u, jobs));
  // In a thread's map and in that of all, with sums in both and a cell of each column.
  constexpr std::uint64_t kOfMaps = 160;
  const std::uint64_t of_group =
      kOfMaps + 2 * used.stride() * sizeof(MeasureSums) +
      2 * (query.keys.size() + query.aggregates.size()) * sizeof(QueryCell);
  GroupMemory memory{most_bytes, of_group};
  scan.run(jobs, stop, [&](std::size_t worker, const ScannedSlices& slices) {
    if (adders[worker] == nullptr) adders[worker] = std::make_unique<GroupAdder>(scan, used);
    adders[worker]->add(slices, memory);
  });
  if (memory.exceeded()) {
    return Error{.code = ErrorCode::no_memory,
                 .text = "out of memory for grouping: " + std::to_string(most_bytes >> 20) + " MB",
                 .expected = {}};
  }
  Groups groups;
  for (std::unique_ptr<GroupAdder>& adder : adders) {
    if (adder == nullptr) continue;
    groups.take(*adder, used);
    adder.reset();
  }
  const bool any_slices = !groups.places.empty();
  if (query.keys.empty() && !any_slices) groups.add({}, used);
  const std::size_t count = groups.places.size();
  std::vector<std::vector<QueryCell>> aggregates(query.aggregates.size());
  for (std::size_t a = 0; a < aggregates.size(); ++a) {
    const GroupedAggregate& aggregate = query.aggregates[a];
    aggregates[a].resize(count);
    if (aggregate.kind == AggregateKind::percentile) continue;
    for (std::size_t group = 0; group < count; ++group) {
      if (aggregate.kind == AggregateKind::covered) {
        aggregates[a][group] = groups.covered[group].length();
        continue;
      }
      const std::size_t place =
          aggregate.kind == AggregateKind::count ? 0 : used.place(aggregate.of);
      const Result<QueryCell> cell =
          cell_of(aggregate.kind, groups.sums[group * used.stride() + place]);
      if (!cell) return cell.error();
      aggregates[a][group] = *cell;
    }
  }
  add_percentiles(scan, query, groups, used, shares, jobs, stop, aggregates);

  std::vector<std::vector<QueryCell>> keys(query.keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) {
    for (const GroupPlace& place : groups.places) keys[k].push_back(scan.value(k, place));
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    for (const std::vector<QueryCell>& of : keys) {
      if (of[a] != of[b]) return of[a] < of[b];
    }
    return false;
  });
  GroupedAnswer answer{.group_count = count, .any_slices = any_slices};
  const auto in_order = [&](const std::vector<QueryCell>& cells) {
    std::vector<QueryCell> out;
    out.reserve(count);
    for (const std::uint32_t group : order) out.push_back(cells[group]);
    return out;
  };
  for (const std::vector<QueryCell>& of : keys) answer.keys.push_back(in_order(of));
  for (const std::vector<QueryCell>& of : aggregates) answer.aggregates.push_back(in_order(of));
  return answer;
}

}  // namespace cinderscope
