#include "formats/google_json/events/keyed_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace cinderscope::google_json {
namespace {

struct Event {
  std::uint32_t operation, time;
  bool operator==(const Event&) const = default;
};

bool before(const Event& a, const Event& b) {
  return std::tie(a.operation, a.time) < std::tie(b.operation, b.time);
}

std::uint32_t operation_of(const Event& event) {
  return event.operation;
}

// Few and many events and operations, the largest number among them.
TEST(KeyedRunsTest, SortsByOperationAsTheLibraryDoes) {
  std::mt19937 random(7);
  for (const std::uint32_t operations : {3u, 1024u, 1025u, 200'000u, UINT32_MAX}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{100}, std::size_t{300'000}}) {
      std::vector<Event> events(count);
      for (Event& event : events) {
        event = {static_cast<std::uint32_t>(random() % operations),
                 static_cast<std::uint32_t>(random() % 1000)};
      }
      if (count > 0) events[count / 2].operation = operations - 1;
      std::vector<Event> expected = events;
      std::sort(expected.begin(), expected.end(), before);
      sort_by_operation(std::span(events), 2, operation_of, before);
      ASSERT_EQ(events, expected) << operations << " " << count;
      sort_by_operation(std::span(events), 2, operation_of, before);  // sorted already
      ASSERT_EQ(events, expected);
    }
  }
}

}  // namespace
}  // namespace cinderscope::google_json
