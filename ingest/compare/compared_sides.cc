#include "ingest/compare/compared_sides.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "ingest/compare/side_spread.h"
#include "ingest/compare/side_warnings.h"
#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/durations/duration_histogram.h"

namespace cinderscope {

namespace {

constexpr double kTornShare = 0.01;  // of a name's time

struct SideIndex {
  SideNames names;
  std::vector<std::vector<std::uint32_t>> of_run;  // by run and name of the run
};

SideIndex index_names(const SideRuns& side) {
  SideIndex out;
  std::unordered_map<std::string_view, std::uint32_t> found;
  for (const auto& run : side.runs) {
    std::vector<std::uint32_t>& of_run = out.of_run.emplace_back();
    of_run.reserve(run->names.size());
    for (const MeasuredRun::Name& name : run->names) {
      const auto next = static_cast<std::uint32_t>(out.names.size());
      const auto [at, is_new] = found.try_emplace(name.text, next);
      if (is_new) out.names.push_back(name.text);
      of_run.push_back(at->second);
    }
  }
  return out;
}

// Numbers of a run by compared name; names that became one are measured together.
ComparedRun compared_run(Side side, std::size_t number, std::shared_ptr<const MeasuredRun> run,
                         std::vector<std::uint32_t> compared_of, std::size_t name_count,
                         const MeasureGroups& groups_of) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  ComparedRun out{.run = std::move(run), .compared_of = std::move(compared_of)};
  out.numbers.resize(name_count);
  std::vector<std::uint32_t> group_of(name_count, kNone), first_of(name_count, kNone);
  std::vector<NameGroup> groups;
  std::vector<std::uint32_t> grouped;  // compared names
  for (std::uint32_t i = 0; i < out.compared_of.size(); ++i) {
    const std::uint32_t name = out.compared_of[i];
    if (first_of[name] == kNone) {
      first_of[name] = i;
      out.numbers[name] = out.run->numbers[i];
      continue;
    }
    if (group_of[name] == kNone) {
      group_of[name] = static_cast<std::uint32_t>(groups.size());
      groups.push_back({{first_of[name]}});
      grouped.push_back(name);
    }
    groups[group_of[name]].names.push_back(i);
  }
  if (groups.empty()) return out;
  std::optional<std::vector<NameStatistics>> measured;
  if (groups_of) measured = groups_of(side, number, groups);
  out.estimated = !measured;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    out.numbers[grouped[g]] = measured ? (*measured)[g] : estimated_group(*out.run, groups[g]);
  }
  return out;
}

// What a single name that no rule changed is shown as, else what the rules made of it.
void find_labels(ComparedSides& sides) {
  sides.labels.assign(sides.names.names.size(), {});
  for (const Side side : {side_b, side_a}) {  // A's stay
    for (const ComparedRun& run : sides.runs[side]) {
      for (std::uint32_t i = 0; i < run.compared_of.size(); ++i) {
        const MeasuredRun::Name& name = run.run->names[i];
        const std::uint32_t compared = run.compared_of[i];
        if (!name.label.empty() && name.text == sides.names.names[compared].text) {
          sides.labels[compared] = name.label;
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < sides.labels.size(); ++i) {
    if (sides.labels[i].empty()) sides.labels[i] = sides.names.names[i].text;
    if (sides.labels[i].empty()) sides.labels[i] = "(no name)";
  }
}

std::int64_t rounded_mean(WideSum sum, std::size_t count) {
  if (count == 0) return 0;
  const auto divisor = 2 * static_cast<WideSum>(count);
  const WideSum twice = 2 * sum + static_cast<WideSum>(count);
  const WideSum whole = twice / divisor;
  return clamped(twice < 0 && twice % divisor != 0 ? whole - 1 : whole);
}

}  // namespace

bool ComparedSides::axes_differ() const {
  std::optional<TimeAxis> seen;
  for (const Side side : {side_a, side_b}) {
    for (const ComparedRun& run : runs[side]) {
      if (seen && *seen != run.run->axis) return true;
      seen = run.run->axis;
    }
  }
  return false;
}

bool ComparedSides::counts_calls(std::string_view weight) const {
  if (find_weight(usual_weights(), weight) != 1) return false;
  for (const auto& of_side : runs) {
    for (const ComparedRun& of : of_side) {
      if (!of.run->weight.empty()) return false;
    }
  }
  return true;
}

TimeAxis ComparedSides::axis() const {
  for (const Side side : {side_a, side_b}) {
    if (!runs[side].empty()) return runs[side].front().run->axis;
  }
  return TimeAxis::nanoseconds;
}

Result<ComparedSides> compare_runs(const OfSides<SideRuns>& sides, const NameRules& rules,
                                   const MeasureGroups& groups_of,
                                   const std::atomic<bool>& cancelled) {
  OfSides<SideIndex> indices = {index_names(sides[side_a]), index_names(sides[side_b])};
  ComparedSides out;
  Result<ComparedNames> names =
      compare_names({indices[side_a].names, indices[side_b].names}, rules, cancelled);
  if (!names) return names.error();
  out.names = std::move(*names);
  for (const Side side : {side_a, side_b}) {
    out.left_out[side] = sides[side].left_out;
    for (std::size_t r = 0; r < sides[side].runs.size(); ++r) {
      if (cancelled.load(std::memory_order_relaxed)) return out;
      std::vector<std::uint32_t> compared_of;
      compared_of.reserve(indices[side].of_run[r].size());
      for (const std::uint32_t name : indices[side].of_run[r]) {
        compared_of.push_back(out.names.compared_of[side][name]);
      }
      out.runs[side].push_back(compared_run(side, r, sides[side].runs[r], std::move(compared_of),
                                            out.names.names.size(), groups_of));
    }
    out.side_names[side] = std::move(indices[side].names);
  }
  find_labels(out);
  find_chances(out, cancelled);
  find_spreads(out, cancelled);
  find_warnings(out, cancelled);
  return out;
}

std::optional<std::uint32_t> find_name(const ComparedSides& sides, std::string_view name) {
  const auto& names = sides.names.names;
  const auto compared = std::ranges::find(names, name, &ComparedName::text);
  if (compared != names.end()) return static_cast<std::uint32_t>(compared - names.begin());
  for (const Side side : {side_a, side_b}) {
    const auto read = std::ranges::find(sides.side_names[side], name);
    if (read == sides.side_names[side].end()) continue;
    return sides.names
        .compared_of[side][static_cast<std::size_t>(read - sides.side_names[side].begin())];
  }
  const auto shown = std::ranges::find(sides.labels, name);
  if (shown != sides.labels.end()) return static_cast<std::uint32_t>(shown - sides.labels.begin());
  return std::nullopt;
}

std::int64_t mean_of_runs(std::span<const std::int64_t> values) {
  WideSum sum = 0;
  for (const std::int64_t value : values) sum += value;
  return rounded_mean(sum, values.size());
}

SideNumbers side_numbers(const ComparedSides& sides, Side side, std::uint32_t name) {
  SideNumbers out;
  WideSum count = 0, total = 0, self = 0, mean = 0, median = 0, p90 = 0, p99 = 0;
  WideSum all = 0, unfinished = 0;
  for (const ComparedRun& run : sides.runs[side]) {
    const NameStatistics& of = run.numbers[name];
    if (of.count == 0) continue;
    out.min_ns = out.runs == 0 ? of.min_ns : std::min(out.min_ns, of.min_ns);
    out.max_ns = out.runs == 0 ? of.max_ns : std::max(out.max_ns, of.max_ns);
    ++out.runs;
    count += of.count;
    total += of.total_ns;
    self += of.self_ns;
    mean += of.mean_ns();
    median += of.median_ns;
    p90 += of.p90_ns;
    p99 += of.p99_ns;
    all += of.sum_ns;
    unfinished += WideSum{of.sum_ns} - of.finished_sum_ns;
  }
  const std::size_t runs = sides.runs[side].size();
  out.count = static_cast<std::uint64_t>(rounded_mean(count, runs));
  out.total_ns = rounded_mean(total, runs);
  out.self_ns = rounded_mean(self, runs);
  out.mean_ns = rounded_mean(mean, out.runs);
  out.median_ns = rounded_mean(median, out.runs);
  out.p90_ns = rounded_mean(p90, out.runs);
  out.p99_ns = rounded_mean(p99, out.runs);
  out.unfinished =
      static_cast<double>(unfinished) > kTornShare * static_cast<double>(all) && unfinished > 0;
  return out;
}

ComparedHistogram compared_histogram(const ComparedSides& sides, std::uint32_t name) {
  ComparedHistogram out;
  OfSides<std::vector<std::uint64_t>> counts;
  std::uint32_t first = kBuckets, last = 0;
  for (const Side side : {side_a, side_b}) {
    counts[side].assign(kBuckets, 0);
    for (const ComparedRun& run : sides.runs[side]) {
      for (std::uint32_t i = 0; i < run.compared_of.size(); ++i) {
        if (run.compared_of[i] != name) continue;
        for (const std::uint32_t entry : run.run->durations.of(i)) {
          const std::uint32_t bucket = DurationIndex::bucket(entry);
          counts[side][bucket] += DurationIndex::count(entry);
          out.count[side] += DurationIndex::count(entry);
          first = std::min(first, bucket);
          last = std::max(last, bucket);
        }
      }
    }
  }
  if (first > last) return out;
  // Bars of equal width on a logarithmic axis: so many buckets each.
  const std::uint32_t width =
      (last - first + 1 + static_cast<std::uint32_t>(kMaxDurationBars) - 1) /
      static_cast<std::uint32_t>(kMaxDurationBars);
  for (std::uint32_t bucket = first; bucket <= last; bucket += width) {
    ComparedBar bar;
    bar.shortest_ns = bucket_range(bucket).shortest_ns;
    bar.longest_ns = bucket_range(std::min(bucket + width - 1, kBuckets - 1)).longest_ns;
    for (const Side side : {side_a, side_b}) {
      for (std::uint32_t i = bucket; i < std::min(bucket + width, kBuckets); ++i) {
        bar.count[side] += counts[side][i];
      }
    }
    // Short durations have fewer whole numbers than buckets.
    const bool holds_any = bar.shortest_ns <= bar.longest_ns;
    if (holds_any) out.bars.push_back(bar);
  }
  return out;
}

}  // namespace cinderscope
