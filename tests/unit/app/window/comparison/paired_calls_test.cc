#include "app/window/comparison/paired_calls.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// Calls of "f" on two threads, each {begin, length}.
using Calls = std::vector<std::pair<std::int64_t, std::int64_t>>;

class PairedCallsTest : public testing::Test {
 protected:
  static Timeline trace(const Calls& first, const Calls& second) {
    TimelineBuilder builder;
    const auto process = builder.process("1");
    std::uint64_t record = 0;
    for (const auto& [tid, calls] : {std::pair("1", first), std::pair("2", second)}) {
      TrackWriter& slices = builder.slices(builder.thread(process, tid));
      for (const auto& [begin, length] : calls) {
        slices.complete(begin, length, builder.intern("f"), ++record);
      }
      slices.complete(10'000, 5, builder.intern("g"), ++record);
    }
    return builder.finish();
  }
  static OfSides<std::vector<StringId>> names(const Timeline& a, const Timeline& b) {
    return {std::vector{*a.strings->find("f")}, std::vector{*b.strings->find("f")}};
  }
  static PairedCalls paired(const Timeline& a, const Timeline& b,
                            const std::vector<TrackPair>& threads) {
    return paired_calls(*slice_set_of(a), *slice_set_of(b), names(a, b), threads, kGoOn);
  }
  static std::string text(const PairedCalls& calls) {
    std::string text;
    for (const CallPair& pair : calls.pairs) {
      text += std::to_string(pair.a.begin_ns) + "-" + std::to_string(pair.b.begin_ns) + " ";
    }
    return text;
  }
};

TEST_F(PairedCallsTest, PairsTheKthOfAThreadWithTheKthOfItsPartner) {
  const Timeline a = trace({{0, 10}, {100, 10}}, {{50, 10}});
  const Timeline b = trace({{5, 12}, {120, 8}, {300, 1}}, {{70, 20}});
  const PairedCalls calls = paired(a, b, {{TrackId{0}, TrackId{0}}, {TrackId{1}, TrackId{1}}});
  EXPECT_EQ(text(calls), "0-5 50-70 100-120 ");
  EXPECT_EQ(calls.count[side_a], 3u);
  EXPECT_EQ(calls.count[side_b], 4u);
  EXPECT_TRUE(calls.whole);
  EXPECT_FALSE(calls.left_out);
  EXPECT_EQ(calls.pair_of(side_b, calls.pairs[1].b.slice), 1u);
  EXPECT_FALSE(calls.pair_of(side_b, SliceRef{TrackId{1}, BlockId{}, 5, 9}));
}

TEST_F(PairedCallsTest, OnlyCallsOfThePartsHaveNumbers) {
  const Timeline a = trace({{0, 10}, {100, 10}, {200, 10}}, {{50, 10}});
  const std::vector<TrackPair> threads = {{TrackId{0}, TrackId{0}}, {TrackId{1}, TrackId{1}}};
  const OfSides<Scope> parts = {Scope{.begin_ns = 0, .end_ns = 100},
                                Scope{.begin_ns = 105, .end_ns = 300}};
  const auto set = slice_set_of(a);
  const PairedCalls calls = paired_calls(*set, *set, names(a, a), threads, kGoOn, {}, parts);
  EXPECT_EQ(text(calls), "0-100 ");
  EXPECT_EQ(calls.count[side_a], 2u);
  EXPECT_EQ(calls.count[side_b], 2u);
  const OfSides<Scope> tracks = {Scope::of_track(TrackId{0}), Scope::of_track(TrackId{1})};
  EXPECT_EQ(text(paired_calls(*set, *set, names(a, a), {}, kGoOn, {}, tracks)), "0-50 ");
}

TEST_F(PairedCallsTest, WithoutPairedThreadsAllCallsArePairedByTime) {
  const Timeline a = trace({{100, 10}}, {{50, 10}});
  const Timeline b = trace({{5, 12}, {120, 8}}, {});
  EXPECT_EQ(text(paired(a, b, {{TrackId{1}, TrackId{1}}})), "50-5 100-120 ");
  EXPECT_EQ(text(paired(a, b, {})), "50-5 100-120 ");
}

// The argument "id" of a record is what stands here at its number.
struct Records : RecordReader {
  explicit Records(std::vector<std::string> of_record) : ids(std::move(of_record)) {}
  RecordText describe(RecordOffset record, RecordOffset /*end_record*/) const override {
    RecordText text;
    text.args.nodes.push_back({.kind = ArgsKind::object, .child_count = 1, .key = {}, .value = {}});
    if (record < ids.size() && !ids[record].empty()) {
      text.args.nodes.push_back(
          {.depth = 1, .kind = ArgsKind::string, .key = "id", .value = ids[record]});
    }
    return text;
  }
  std::vector<std::string> ids;
};

TEST_F(PairedCallsTest, PairsCallsWithEqualValuesOfAnArgument) {
  const Timeline a = trace({{0, 10}, {100, 10}, {200, 10}, {300, 10}}, {});
  const Timeline b = trace({{5, 10}, {105, 10}, {205, 10}}, {});
  // Records count from 1; the first request of A is missing in B, the last has no id.
  const PairedBy by{
      .key = "id",
      .readers = {std::make_shared<Records>(std::vector<std::string>{"", "7", "8", "9", ""}),
                  std::make_shared<Records>(std::vector<std::string>{"", "9", "8", "9"})}};
  const std::vector<TrackPair> threads = {{TrackId{0}, TrackId{0}}};
  const auto pairs_by = [&](const PairedBy& how) {
    return text(paired_calls(*slice_set_of(a), *slice_set_of(b), names(a, b), threads, kGoOn, how));
  };
  EXPECT_EQ(pairs_by(by), "100-105 200-5 ");
  EXPECT_EQ(pairs_by({.key = "other", .readers = by.readers}), "");
  EXPECT_EQ(pairs_by({.key = "id", .readers = {}}), "0-5 100-105 200-205 ");
}

TEST_F(PairedCallsTest, TellsRecursiveCallsFromOutermostOnes) {
  const Timeline a = trace({{0, 100}, {10, 20}, {200, 10}}, {});
  const PairedCalls calls = paired(a, a, {{TrackId{0}, TrackId{0}}});
  ASSERT_EQ(calls.pairs.size(), 3u);
  EXPECT_TRUE(calls.pairs[0].a.outermost);
  EXPECT_FALSE(calls.pairs[1].a.outermost);
  EXPECT_TRUE(calls.pairs[2].a.outermost);
  ASSERT_EQ(calls.spans.size(), 1u);
  EXPECT_EQ(calls.spans[0].longest_ns, 100);
  EXPECT_EQ(calls.spans[0].a_end_ns, 210);
}

TEST_F(PairedCallsTest, FindsTheFirstCallOfADuration) {
  const Timeline a = trace({{0, 10}, {100, 30}}, {{50, 10}});
  const std::vector<StringId> f = {*a.strings->find("f")};
  const auto set = slice_set_of(a);
  EXPECT_EQ(call_of_duration(*set, f, 10, {}, kGoOn)->begin_ns, 0);
  EXPECT_EQ(call_of_duration(*set, f, 30, {}, kGoOn)->begin_ns, 100);
  EXPECT_FALSE(call_of_duration(*set, f, 11, {}, kGoOn));
  // Cut at the range's edge.
  EXPECT_EQ(call_of_duration(*set, f, 20, {.begin_ns = 110}, kGoOn)->begin_ns, 100);
  EXPECT_EQ(call_of_duration(*set, f, 10, Scope::of_track(TrackId{1}), kGoOn)->begin_ns, 50);
}

}  // namespace
}  // namespace cinderscope
