// Flows of a trace against the rule, id by id.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "formats/all_formats.h"
#include "tests/support/load.h"
#include "tests/unit/formats/perfetto/wire_text.h"

namespace cinderscope {
namespace {

using perfetto::message_text, perfetto::number_text;

struct ToldPoint {
  std::int64_t time_ns = 0;
  std::size_t packet = 0;
  bool ends = false;
  auto operator<=>(const ToldPoint&) const = default;
};
using TimesOfFlow = std::vector<std::int64_t>;

// Of all points of one id; a flow has two points at least.
std::vector<TimesOfFlow> flows_of_id(std::vector<ToldPoint> points) {
  std::ranges::sort(points);
  std::vector<TimesOfFlow> flows;
  TimesOfFlow open;
  const auto close = [&] {
    if (open.size() > 1) flows.push_back(open);
    open.clear();
  };
  for (const ToldPoint& point : points) {
    if (point.ends && open.empty()) continue;
    open.push_back(point.time_ns);
    if (point.ends) close();
  }
  close();
  return flows;
}

// Instants at random times with ids from `ids`, some of which end there.
std::string instants_with_flows(const std::vector<std::uint64_t>& ids, std::mt19937_64& random,
                                std::map<std::uint64_t, std::vector<ToldPoint>>& told) {
  std::string bytes;
  for (std::size_t packet = 0; packet < 3000; ++packet) {
    const auto time_ns = static_cast<std::int64_t>(random() % 1000);
    std::string event = number_text(9, 3) + number_text(11, 1 + random() % 3);
    for (std::uint64_t flow = random() % 3; flow > 0; --flow) {
      const std::uint64_t id = ids[random() % ids.size()];
      const bool ends = random() % 4 == 0;
      event += number_text(ends ? 42 : 36, id);
      told[id].push_back({time_ns, packet, ends});
    }
    bytes += message_text(1, number_text(8, static_cast<std::uint64_t>(time_ns)) +
                                 message_text(11, event) + number_text(10, 1 + random() % 3));
  }
  return bytes;
}

void expect_flows_by_the_rule(const std::vector<std::uint64_t>& ids) {
  std::mt19937_64 random(ids.size());
  std::map<std::uint64_t, std::vector<ToldPoint>> told;
  const std::string bytes = instants_with_flows(ids, random, told);
  std::vector<TimesOfFlow> wanted;
  for (const auto& [id, points] : told) {
    for (TimesOfFlow& flow : flows_of_id(points)) wanted.push_back(std::move(flow));
  }
  for (const unsigned jobs : {1u, 3u}) {
    const LoadedTrace trace =
        load_trace(*format_named("perfetto"), Input::from_memory("trace", bytes_of(bytes)),
                   {.jobs = jobs, .window_bytes = 4096});
    const Flows& flows = *trace.timeline.flows;
    std::vector<TimesOfFlow> made;
    for (std::size_t flow = 0; flow < flows.flows.size(); ++flow) {
      made.emplace_back();
      const Flows::Range points = flows.points_of(flow);
      for (std::uint64_t i = points.first; i < points.end; ++i) {
        made.back().push_back(flow_point(trace.timeline, i).time_ns);
      }
    }
    EXPECT_EQ(made, wanted) << ids.size() << " ids, " << jobs << " jobs";
  }
}

TEST(PerfettoFlowChainsTest, AreThoseOfTheRuleHoweverIdsAreSpread) {
  expect_flows_by_the_rule({7});
  expect_flows_by_the_rule({0, UINT64_MAX});
  std::vector<std::uint64_t> counted, random_ids, clustered = {1, 2, UINT64_MAX - 1};
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < 500; ++i) {
    counted.push_back(1000 + i);
    random_ids.push_back(random());
    clustered.push_back((std::uint64_t{1} << 63) + i % 20);
  }
  expect_flows_by_the_rule(counted);
  expect_flows_by_the_rule(random_ids);
  expect_flows_by_the_rule(clustered);
}

}  // namespace
}  // namespace cinderscope
