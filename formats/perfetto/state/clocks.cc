#include "formats/perfetto/state/clocks.h"

#include <algorithm>
#include <deque>

#include "formats/perfetto/wire/fields.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kMostClocks = 1024;  // of one snapshot; more are no clocks of anything
constexpr unsigned kMostTables = 32;       // from one clock to another

std::int64_t scaled_ns(std::int64_t value, std::uint64_t unit_ns) {
  if (unit_ns == 1) return value;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * unit_ns);
}

}  // namespace

ClockSnapshot read_clock_snapshot(std::string_view body) {
  ClockSnapshot snapshot;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(2)) snapshot.primary = field.number();
    if (field.key() != bytes_field(1) || snapshot.readings.size() == kMostClocks) continue;
    ClockReading reading;
    std::int64_t value = 0;
    FieldReader part(field.bytes());
    while (part.next()) {
      switch (part.key()) {
        case number_field(1):
          reading.clock = part.number();
          break;
        case number_field(2):
          value = part.signed_number();
          break;
        case number_field(3):
          reading.incremental = part.number() != 0;
          break;
        case number_field(4):
          reading.unit_ns = std::max<std::uint64_t>(part.number(), 1);
          break;
        default:
          break;
      }
    }
    reading.ns = scaled_ns(value, reading.unit_ns);
    reading.incremental = reading.incremental && is_sequence_clock(reading.clock);
    if (reading.clock != 0) snapshot.readings.push_back(reading);
  }
  return snapshot;
}

void Clocks::add(const ClockSnapshot& snapshot, std::uint32_t sequence) {
  std::vector<std::pair<ClockKey, std::int64_t>> readings;
  std::uint64_t lowest = UINT64_MAX;
  for (const ClockReading& reading : snapshot.readings) {
    readings.emplace_back(clock_key(reading.clock, sequence), reading.ns);
    lowest = std::min(lowest, reading.clock);
    has_boot_ = has_boot_ || reading.clock == kBootClock;
    has_monotonic_ = has_monotonic_ || reading.clock == kMonotonicClock;
  }
  if (primary_ == 0) primary_ = snapshot.primary;
  if (readings.empty()) return;
  if (!any_) lowest_of_first_ = clock_key(lowest, sequence);
  any_ = true;
  std::stable_sort(readings.begin(), readings.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  readings.erase(std::unique(readings.begin(), readings.end(),
                             [](const auto& a, const auto& b) { return a.first == b.first; }),
                 readings.end());
  std::vector<ClockKey> clocks;
  for (const auto& [clock, ns] : readings) clocks.push_back(clock);
  const auto [found, fresh] = table_of_.try_emplace(clocks, tables_.size());
  if (fresh) tables_.push_back({clocks, std::vector<std::vector<std::int64_t>>(clocks.size())});
  Table& table = tables_[found->second];
  // Where all clocks step back together another recording begins; one that does so alone was set.
  bool any_forth = false, all_back = true;
  for (std::size_t i = 0; i < clocks.size() && !table.ns[i].empty(); ++i) {
    any_forth = any_forth || readings[i].second > table.ns[i].back();
    all_back = all_back && readings[i].second < table.ns[i].back();
  }
  restarted_ = restarted_ || (all_back && !table.ns.front().empty());
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    if (any_forth && readings[i].second < table.ns[i].back()) went_back_[clocks[i]] = true;
    table.ns[i].push_back(readings[i].second);
  }
}

ClockKey Clocks::primary_clock() const {
  if (primary_ != 0) return primary_;
  if (has_boot_) return kBootClock;
  return has_monotonic_ ? kMonotonicClock : lowest_of_first_;
}

// From the shown clock outwards, so that the first way to a clock is a shortest one.
void Clocks::find_ways() {
  shown_ = primary_clock();
  std::unordered_map<ClockKey, std::vector<std::pair<std::size_t, std::size_t>>> places;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    for (std::size_t i = 0; i < tables_[t].clocks.size(); ++i) {
      places[tables_[t].clocks[i]].emplace_back(t, i);
    }
  }
  std::vector<bool> used(tables_.size());
  struct Reached {
    ClockKey clock = 0;
    unsigned tables = 0;  // on the way from it
  };
  std::deque<Reached> reached{{shown_, 0}};
  while (!reached.empty()) {
    const auto [to, tables] = reached.front();
    reached.pop_front();
    if (tables == kMostTables) continue;
    for (const auto& [t, column] : places[to]) {
      if (used[t]) continue;
      used[t] = true;
      const Table& table = tables_[t];
      for (std::size_t i = 0; i < table.clocks.size(); ++i) {
        const ClockKey clock = table.clocks[i];
        if (clock == shown_ || went_back_.contains(clock) || ways_.contains(clock)) continue;
        ways_[clock] = {t, i, column, {}};
        reached.push_back({clock, tables + 1});
      }
    }
  }
  for (auto& entry : ways_) {
    Way& way = entry.second;
    const Table& table = tables_[way.table];
    std::vector<std::size_t> order(table.ns[way.from].size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return table.ns[way.from][a] < table.ns[way.from][b];
    });
    for (const std::size_t i : order) {
      const std::int64_t from = table.ns[way.from][i];
      const std::int64_t add = saturating_difference(table.ns[way.to][i], from);
      if (!way.steps.empty() && way.steps.back().first == from) way.steps.pop_back();
      if (way.steps.empty() || way.steps.back().second != add) way.steps.emplace_back(from, add);
    }
  }
}

ClockOffset Clocks::offset(ClockKey clock, std::int64_t ns) const {
  ClockOffset whole{INT64_MIN, INT64_MAX, 0};
  while (clock != shown_) {
    const auto found = ways_.find(clock);
    if (found == ways_.end()) break;
    const Way& way = found->second;
    const std::int64_t here = saturating_sum(ns, whole.add_ns);
    auto after =
        std::upper_bound(way.steps.begin(), way.steps.end(), here,
                         [](std::int64_t at, const auto& step) { return at < step.first; });
    const bool is_first = after == way.steps.begin();
    if (is_first) ++after;
    const auto step = after - 1;
    // The range of times, as the first clock tells them.
    if (!is_first && step != way.steps.begin()) {
      whole.from_ns = std::max(whole.from_ns, saturating_difference(step->first, whole.add_ns));
    }
    if (after != way.steps.end()) {
      whole.to_ns = std::min(whole.to_ns, saturating_difference(after->first, whole.add_ns));
    }
    whole.add_ns = saturating_sum(whole.add_ns, step->second);
    clock = tables_[way.table].clocks[way.to];
  }
  return whole;
}

}  // namespace cinderscope::perfetto
