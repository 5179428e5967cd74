#include "ingest/sql/grouped/group_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/sql/query_data.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

// Calls of three names one after the other: durations of all sizes, of few values, all the same.
Timeline long_trace(std::uint32_t count) {
  std::mt19937_64 random(5);
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  std::int64_t now_ns = -1'000'000'000'000;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto any = static_cast<std::int64_t>(random() >> (24 + random() % 40));
    const std::int64_t lengths[] = {any, static_cast<std::int64_t>(1000 * (random() % 5)), 7};
    const char* const names[] = {"any", "few", "same"};
    writer.complete(now_ns, lengths[i % 3], builder.intern(names[i % 3]), i);
    now_ns += lengths[i % 3] + 1;
  }
  return builder.finish();
}

TEST(GroupRanksTest, AreThoseOfSortedValues) {
  const QueryInput input = test::input_of(long_trace(90'000));
  const QueryData data({input}, {});
  const GroupedQuery query{.keys = {GroupKey::name}, .aggregates = {}, .tests = {}};
  const GroupedFilter filter;
  const GroupedScan scan(data, query, filter, {true, false, true, false});
  const std::atomic<bool> stop = false;
  GroupNumbers groups;
  std::map<std::pair<std::uint32_t, GroupedMeasure>, std::vector<std::int64_t>> values;
  scan.run(1, stop, [&](std::size_t, const ScannedSlices& slices) {
    for (std::size_t k = 0; k < slices.count; ++k) {
      const auto group = groups
                             .try_emplace({slices.row_keys, slices.name_keys[k]},
                                          static_cast<std::uint32_t>(groups.size()))
                             .first->second;
      values[{group, GroupedMeasure::dur}].push_back(slices.measures[0][k]);
      values[{group, GroupedMeasure::ts}].push_back(slices.measures[2][k]);
    }
  });
  ASSERT_EQ(groups.size(), 3u);
  // With little memory values are counted again and again, in ever smaller buckets.
  for (const std::uint64_t most : {kMostGroupValues, std::uint64_t{20'000}, std::uint64_t{10}}) {
    std::vector<WantedRank> wanted;
    std::vector<std::int64_t> expected;
    for (auto& [of, all] : values) {
      std::ranges::sort(all);
      for (const std::uint64_t rank : {std::uint64_t{0}, all.size() / 2, all.size() * 9 / 10,
                                       all.size() / 2, all.size() - 1}) {
        wanted.push_back({of.first, of.second, rank, all.size(), all.front(), all.back()});
        expected.push_back(all[rank]);
      }
    }
    find_group_ranks(scan, groups, wanted, 2, stop, most);
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(wanted[i].value, expected[i]) << i;
  }
}

}  // namespace
}  // namespace cinderscope
