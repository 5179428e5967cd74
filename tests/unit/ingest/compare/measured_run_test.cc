#include "ingest/compare/measured_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "ingest/compare/measured_groups.h"
#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/precomputed/precompute.h"
#include "tests/support/compared_runs.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// Calls at random places, nested or partly overlapping; `name_of` makes names of numbers 0 to 4:
// nested calls of an empty name are not written.
template <class NameOf>
Timeline random_trace(unsigned seed, bool overlapping, const NameOf& name_of) {
  std::mt19937 random(seed);
  const auto upto = [&random](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most + 1));
  };
  TimelineBuilder builder;
  RecordOffset record = 0;
  for (int t = 0; t < 3; ++t) {
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), std::to_string(t)));
    std::vector<StringId> open;
    int now = upto(5);
    for (int i = 0; i < 200; ++i, now += upto(6)) {
      const StringId name = builder.intern(name_of(upto(4)));
      if (overlapping) {
        writer.complete(upto(300), upto(4) == 0 ? 0 : upto(60), name, record++);
      } else if (open.empty() || (upto(1) == 0 && open.size() < 8)) {
        open.push_back(name);
        if (name != kEmptyString) writer.begin(now, name, record++);
      } else {
        if (open.back() != kEmptyString) writer.end(now, open.back(), record++);
        open.pop_back();
      }
    }
  }
  return builder.finish();
}

std::string plain_name(int number) {
  return "n" + std::to_string(number);
}

TEST(MeasuredRun, IgnoredCallsAreAsIfTheyWereNotThere) {
  const Timeline all = random_trace(3, false, plain_name);
  const Timeline without = random_trace(3, false, [](int number) {
    return number == 1 || number == 3 ? std::string() : plain_name(number);
  });
  for (const StatisticsQuery& query : {StatisticsQuery{}, StatisticsQuery{{40, 300}}}) {
    const MeasuredRun run =
        measure_run(*slice_set_of(all), {.query = query, .ignored = {"n1", "n3", "nobody"}},
                    run_facts(all, "run", "test"), kGoOn);
    const auto wanted = measured(without, query);
    ASSERT_EQ(run.names.size(), wanted->names.size());
    EXPECT_EQ(run.calls, wanted->calls);
    EXPECT_EQ(run.self_ns, wanted->self_ns);
    std::map<std::string, const NameStatistics*> by_name;
    for (std::size_t i = 0; i < run.names.size(); ++i) {
      by_name[run.names[i].text] = &run.numbers[i];
    }
    for (std::size_t i = 0; i < wanted->names.size(); ++i) {
      ASSERT_TRUE(by_name.contains(wanted->names[i].text));
      const NameStatistics& is = *by_name[wanted->names[i].text];
      EXPECT_EQ(is.self_ns, wanted->numbers[i].self_ns) << wanted->names[i].text;
      EXPECT_EQ(is.total_ns, wanted->numbers[i].total_ns);
      EXPECT_EQ(is.count, wanted->numbers[i].count);
      EXPECT_EQ(is.p99_ns, wanted->numbers[i].p99_ns);
    }
  }
}

TEST(MeasuredRun, HasTheNumbersOfStatistics) {
  const Timeline timeline = random_trace(1, false, plain_name);
  const auto set = slice_set_of(timeline);
  for (const StatisticsQuery& query :
       {StatisticsQuery{}, StatisticsQuery{{40, 300}}, StatisticsQuery{{40, 300}, true}}) {
    const SliceStatistics statistics = slice_statistics(*set, query);
    const auto run = measured(timeline, query);
    ASSERT_EQ(run->numbers.size(), statistics.names.size());
    EXPECT_EQ(run->calls, statistics.call_count);
    EXPECT_EQ(run->self_ns, statistics.self_ns);
    EXPECT_TRUE(run->ranks_known);
    for (std::size_t i = 0; i < run->numbers.size(); ++i) {
      EXPECT_EQ(run->names[i].text, timeline.text(statistics.names[i].name));
      EXPECT_EQ(run->numbers[i].p90_ns, statistics.names[i].p90_ns);
      EXPECT_EQ(run->numbers[i].total_ns, statistics.names[i].total_ns);
      std::uint64_t calls = 0;
      for (const std::uint32_t entry : run->durations.of(static_cast<std::uint32_t>(i))) {
        calls += DurationIndex::count(entry);
      }
      EXPECT_EQ(calls, statistics.names[i].count);
    }
  }
}

TEST(MeasuredRun, DurationsAreThoseOfTheCallsWhateverWasPrecomputed) {
  std::mt19937_64 random(3);
  NamedCalls calls = {{"many", {}}, {"few", {}}, {"same", {}}};
  std::map<std::uint32_t, std::uint64_t> wanted;
  for (int i = 0; i < 20'000; ++i) {
    calls[0].second.push_back(static_cast<std::int64_t>(random() >> (20 + random() % 40)));
    ++wanted[duration_bucket(static_cast<std::uint64_t>(calls[0].second.back()))];
  }
  calls[1].second = {1, 5, 5, 900};
  calls[2].second = {7, 7, 7};
  const Timeline timeline = timeline_of(calls);
  const auto set = slice_set_of(timeline);
  const auto known =
      precomputed_totals_of(*set, 1, nullptr, std::uint64_t{1} << 30, {.slices = 1 << 12});
  for (const PrecomputedTotals* precomputed :
       std::vector<const PrecomputedTotals*>{known.get(), nullptr}) {
    const MeasuredRun run =
        measure_run(*set, {.jobs = 2}, run_facts(timeline, "", ""), kGoOn, {}, precomputed);
    for (std::uint32_t i = 0; i < run.names.size(); ++i) {
      std::map<std::uint32_t, std::uint64_t> found;
      for (const std::uint32_t entry : run.durations.of(i)) {
        found[DurationIndex::bucket(entry)] += DurationIndex::count(entry);
      }
      if (run.names[i].text == "many") {
        EXPECT_EQ(found, wanted);
      }
      if (run.names[i].text == "few") {
        EXPECT_EQ(found, (std::map<std::uint32_t, std::uint64_t>{{duration_bucket(1), 1},
                                                                 {duration_bucket(5), 2},
                                                                 {duration_bucket(900), 1}}));
      }
      if (run.names[i].text == "same") {
        EXPECT_EQ(found, (std::map<std::uint32_t, std::uint64_t>{{duration_bucket(7), 3}}));
      }
    }
  }
}

TEST(MeasuredRun, BucketsHoldTheirRanges) {
  for (std::uint32_t bucket = 0; bucket + 1 < 63 * kFineBuckets; ++bucket) {
    const BucketRange range = bucket_range(bucket);
    EXPECT_EQ(range.longest_ns + 1, bucket_range(bucket + 1).shortest_ns);
    if (range.shortest_ns > range.longest_ns) continue;
    EXPECT_EQ(duration_bucket(static_cast<std::uint64_t>(range.shortest_ns)), bucket);
    EXPECT_EQ(duration_bucket(static_cast<std::uint64_t>(range.longest_ns)), bucket);
  }
  EXPECT_EQ(bucket_range(duration_bucket(INT64_MAX)).longest_ns, INT64_MAX);
}

TEST(MeasuredRun, GroupsAreMeasuredAsIfTheyHadOneName) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const bool overlapping = seed % 2 == 1;
    const Timeline timeline = random_trace(seed, overlapping, plain_name);
    const Timeline merged = random_trace(seed, overlapping, [](int number) {
      return number < 3 ? std::string("g") : plain_name(number);
    });
    for (const StatisticsQuery& query :
         {StatisticsQuery{}, StatisticsQuery{{40, 300}}, StatisticsQuery{{40, 300}, true}}) {
      SCOPED_TRACE(testing::Message() << seed << " " << query.scope.begin_ns);
      const auto run = measured(timeline, query), wanted = measured(merged, query);
      NameGroup group;
      for (std::uint32_t i = 0; i < run->names.size(); ++i) {
        if (run->names[i].text < "n3") group.names.push_back(i);
      }
      const auto found = measure_groups(*slice_set_of(timeline), {.query = query, .jobs = 2}, *run,
                                        {&group, 1}, kGoOn);
      const auto place = std::ranges::find(wanted->names, "g", &MeasuredRun::Name::text);
      const NameStatistics& one =
          wanted->numbers[static_cast<std::size_t>(place - wanted->names.begin())];
      EXPECT_EQ(found[0].count, one.count);
      EXPECT_EQ(found[0].total_ns, one.total_ns);
      EXPECT_EQ(found[0].self_ns, one.self_ns);
      EXPECT_EQ(found[0].median_ns, one.median_ns);
      EXPECT_EQ(found[0].p90_ns, one.p90_ns);
      EXPECT_EQ(found[0].p99_ns, one.p99_ns);
      EXPECT_EQ(found[0].min_ns, one.min_ns);
      EXPECT_EQ(found[0].max_ns, one.max_ns);
      // Without the slices percentiles are those of buckets; these durations have one value each.
      const NameStatistics estimated = estimated_group(*run, group);
      EXPECT_EQ(estimated.median_ns, one.median_ns);
      EXPECT_EQ(estimated.self_ns, one.self_ns);
      EXPECT_GE(estimated.total_ns, one.total_ns);
    }
  }
}

TEST(MeasuredRun, ThreadsAreBusyWhileAnyCallGoesOn) {
  for (const bool overlapping : {false, true}) {
    const Timeline timeline = random_trace(4, overlapping, plain_name);
    const auto run = measured(timeline);
    std::int64_t all_ns = 0;
    for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
      std::vector<bool> busy(1000);
      for (const SliceRow& row : timeline.tracks[t].root().rows) {
        for (std::uint64_t i = 0; i < row.count(); ++i) {
          for (std::int64_t at = row.begin_ns(i); at < row.end_ns(i); ++at) {
            busy[static_cast<std::size_t>(at)] = true;
          }
        }
      }
      const auto wanted = std::count(busy.begin(), busy.end(), true);
      const auto thread = std::ranges::find(run->threads, TrackId{t}, &RunThread::track);
      EXPECT_EQ(thread->busy_ns, wanted);
      all_ns += wanted;
    }
    EXPECT_EQ(run->busy_ns, all_ns);
    EXPECT_TRUE(std::ranges::is_sorted(run->threads, {}, &RunThread::first_ns));
  }
}

TEST(MeasuredRun, SpansHoldAllCallsOfNamesWithEnough) {
  NamedCalls calls = {{"often", {}}, {"seldom", {3, 3}}};
  for (int i = 0; i < 400; ++i) calls[0].second.push_back(10 + i % 3);
  const auto run = run_of(calls);
  std::uint64_t count = 0;
  double sum = 0;
  for (std::uint32_t i = 0; i < run->names.size(); ++i) {
    EXPECT_EQ(run->spans.of(i).empty(), run->names[i].text == "seldom");
    for (const SpanDurations::Span& span : run->spans.of(i)) {
      count += span.count;
      sum += span.sum_ns;
      EXPECT_NEAR(static_cast<double>(span.count), 20, 3);
    }
  }
  EXPECT_EQ(count, 400u);
  EXPECT_EQ(sum, static_cast<double>(400 * 11 - 1));
}

TEST(MeasuredRun, NothingAtAll) {
  const auto run = measured(Timeline());
  EXPECT_TRUE(run->names.empty());
  EXPECT_TRUE(run->threads.empty());
  EXPECT_EQ(run->self_ns, 0);
  const auto cut = measured(random_trace(1, false, plain_name), {{5000, 6000}});
  EXPECT_EQ(cut->calls, 0u);
}

TEST(MeasuredRun, EndsOnceCancelled) {
  const std::atomic<bool> cancelled{true};
  const Timeline timeline = random_trace(1, false, plain_name);
  EXPECT_FALSE(measure_run(*slice_set_of(timeline), {}, {}, cancelled).ranks_known);
}

}  // namespace
}  // namespace cinderscope
