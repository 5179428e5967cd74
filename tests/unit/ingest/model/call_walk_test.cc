#include "ingest/model/call_walk.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Calls as "caller/name" in the order of the walk.
std::vector<std::string> walked(const Timeline& timeline, const Scope& scope) {
  const std::atomic<bool> goes_on = false;
  std::vector<std::string> calls;
  const auto set = slice_set_of(timeline);
  walk_call_tree<std::string>(
      set->tracks.front(), scope, goes_on,
      [&](const WalkedCall& call, const std::string* caller) {
        const std::string name(timeline.text(call.name));
        calls.push_back((caller == nullptr ? "" : *caller + "/") + name);
        return name;
      },
      [](const std::string&, std::int64_t) {});
  return calls;
}

TEST(CallWalk, ACallWithoutLengthWhereItsCallerAndTheRangeMeetIsInsideOfNone) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.begin(3, builder.intern("before"), 0);
  slices.begin(7, builder.intern("mark"), 1);
  slices.end(7, kNoName, 2);
  slices.end(7, kNoName, 3);
  slices.begin(9, builder.intern("after"), 4);
  slices.begin(10, builder.intern("inside"), 5);
  slices.end(12, kNoName, 6);
  slices.end(20, kNoName, 7);
  const Timeline timeline = builder.finish();
  EXPECT_EQ(walked(timeline, {}),
            (std::vector<std::string>{"before", "mark", "after", "after/inside"}));
  EXPECT_EQ(walked(timeline, {.begin_ns = 7, .end_ns = 30}),
            (std::vector<std::string>{"mark", "after", "after/inside"}));
}

}  // namespace
}  // namespace cinderscope
