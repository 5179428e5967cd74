#include "ingest/compare/side_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ingest/compare/run_test.h"
#include "ingest/totals/durations/duration_buckets.h"

namespace cinderscope {

namespace {

// Calls of all runs of a side by bucket, of one name after the other.
class PooledDurations {
 public:
  PooledDurations(const ComparedSides& sides, Side side) : names_(sides.names.names.size()) {
    for (std::uint32_t r = 0; r < sides.runs[side].size(); ++r) {
      const ComparedRun& run = sides.runs[side][r];
      runs_.push_back(run.run.get());
      for (std::uint32_t i = 0; i < run.compared_of.size(); ++i) {
        names_[run.compared_of[i]].push_back({r, i});
      }
    }
  }

  // Adds to `counts`, which has kBuckets; returns how many calls there are, and widens the range of
  // buckets that have any.
  std::uint64_t add(std::uint32_t name, std::span<std::uint64_t> counts, std::uint32_t& first,
                    std::uint32_t& end) const {
    std::uint64_t all = 0;
    for (const auto& [run, in_run] : names_[name]) {
      for (const std::uint32_t entry : runs_[run]->durations.of(in_run)) {
        const std::uint32_t bucket = DurationIndex::bucket(entry);
        first = std::min(first, bucket);
        end = std::max(end, bucket + 1);
        counts[bucket] += DurationIndex::count(entry);
        all += DurationIndex::count(entry);
      }
    }
    return all;
  }

 private:
  std::vector<const MeasuredRun*> runs_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> names_;
};

// ln of the mean durations of spans; those of few calls join the next, the last one the one before.
// Empty where there are not enough of them.
std::vector<double> span_logs(std::span<const SpanDurations::Span> spans) {
  constexpr std::uint32_t kLeastCalls = 5;
  std::vector<SpanDurations::Span> joined(1);
  for (const SpanDurations::Span& span : spans) {
    if (joined.back().count >= kLeastCalls) joined.emplace_back();
    joined.back().count += span.count;
    joined.back().sum_ns += span.sum_ns;
  }
  if (joined.size() > 1 && joined.back().count < kLeastCalls) {
    const SpanDurations::Span rest = joined.back();
    joined.pop_back();
    joined.back().count += rest.count;
    joined.back().sum_ns += rest.sum_ns;
  }
  std::vector<double> logs;
  for (const SpanDurations::Span& span : joined) {
    if (span.count < kLeastCalls || !(span.sum_ns > 0)) return {};
    logs.push_back(std::log(span.sum_ns / span.count));
  }
  return logs;
}

// Of all runs of a side, by compared name.
std::vector<std::vector<double>> span_logs_of(const ComparedSides& sides, Side side) {
  std::vector<std::vector<double>> out(sides.names.names.size());
  std::vector<SpanDurations::Span> sums;
  std::vector<std::uint32_t> place_of;
  for (const ComparedRun& run : sides.runs[side]) {
    constexpr std::uint32_t kNone = UINT32_MAX, kSpans = SpanDurations::kSpans;
    place_of.assign(out.size(), kNone);
    sums.clear();
    const SpanDurations& of = run.run->spans;
    std::uint32_t places = 0;
    for (std::size_t i = 0; i < of.names.size(); ++i) {
      std::uint32_t& place = place_of[run.compared_of[of.names[i]]];
      if (place == kNone) {
        place = places++;
        sums.resize(std::size_t{places} * kSpans);
      }
      for (std::uint32_t s = 0; s < kSpans; ++s) {
        sums[place * kSpans + s].count += of.spans[i * kSpans + s].count;
        sums[place * kSpans + s].sum_ns += of.spans[i * kSpans + s].sum_ns;
      }
    }
    for (std::uint32_t name = 0; name < out.size(); ++name) {
      if (place_of[name] == kNone) continue;
      const auto logs =
          span_logs(std::span(sums).subspan(std::size_t{place_of[name]} * kSpans, kSpans));
      out[name].insert(out[name].end(), logs.begin(), logs.end());
    }
  }
  return out;
}

}  // namespace

void find_chances(ComparedSides& sides, const std::atomic<bool>& cancelled) {
  if (sides.axes_differ()) return;
  for (const Side side : {side_a, side_b}) {
    for (const ComparedRun& run : sides.runs[side]) {
      if (!run.run->ranks_known) return;
    }
  }
  sides.chance.assign(sides.names.names.size(), std::numeric_limits<double>::quiet_NaN());
  const PooledDurations a(sides, side_a), b(sides, side_b);
  std::vector<std::uint64_t> of_a(kBuckets), of_b(kBuckets);
  for (std::uint32_t name = 0; name < sides.names.names.size(); ++name) {
    if (cancelled.load(std::memory_order_relaxed)) return;
    if (!sides.names.names[name].in_both()) continue;
    std::uint32_t first = kBuckets, end = 0;
    const std::uint64_t calls_a = a.add(name, of_a, first, end);
    const std::uint64_t calls_b = b.add(name, of_b, first, end);
    double below = 0, longer = 0;  // of A: shorter ones; pairs in which B takes longer
    for (std::uint32_t i = first; i < end; ++i) {
      const auto here = static_cast<double>(of_a[i]);
      longer += static_cast<double>(of_b[i]) * (below + here / 2);
      below += here;
      of_a[i] = of_b[i] = 0;
    }
    if (calls_a == 0 || calls_b == 0) continue;
    sides.chance[name] = longer / static_cast<double>(calls_a) / static_cast<double>(calls_b);
  }
}

void find_spreads(ComparedSides& sides, const std::atomic<bool>& cancelled) {
  if (sides.axes_differ()) return;
  constexpr std::size_t kLeastSpans = 8;
  const bool measured = std::ranges::any_of(sides.runs, [](const auto& runs) {
    return std::ranges::any_of(
        runs, [](const ComparedRun& run) { return !run.run->spans.names.empty(); });
  });
  if (sides.testable() || !measured) return;
  sides.spread.assign(sides.names.names.size(), std::numeric_limits<double>::quiet_NaN());
  const auto of_a = span_logs_of(sides, side_a), of_b = span_logs_of(sides, side_b);
  for (std::uint32_t name = 0; name < of_a.size(); ++name) {
    if (cancelled.load(std::memory_order_relaxed)) return;
    if (of_a[name].size() < kLeastSpans || of_b[name].size() < kLeastSpans) continue;
    if (const auto test = welch_test(of_a[name], of_b[name])) {
      sides.spread[name] = test->high - test->difference;
    }
  }
}

}  // namespace cinderscope
