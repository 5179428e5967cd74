#include "render/layout/nested_instants.h"

#include <gtest/gtest.h>

#include <string>

#include "ingest/build/row_writer.h"
#include "ingest/build/timeline_builder.h"
#include "render/text/selection_facts.h"

namespace cinderscope {
namespace {

// a [0, 100) holds b [10, 40); instants m at 5, 50, 60 in a, n at 20 in b.
Timeline nested() {
  TimelineBuilder builder(TimeAxis::events);
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  TrackWriter& slices = builder.slices(thread);
  slices.complete(0, 100, builder.intern("a"), 1);
  slices.complete(10, 30, builder.intern("b"), 2);
  std::int64_t record = 3;
  for (const std::int64_t time : {5, 50, 60}) {
    builder.nested_instant(thread, 1, time, builder.intern("m"),
                           static_cast<RecordOffset>(record++));
  }
  builder.nested_instant(thread, 2, 20, builder.intern("n"), 9);
  return builder.finish();
}

std::string times_of(const Timeline& timeline, const NestedInstants& instants) {
  std::string text;
  for (std::uint64_t i = 0; i < instants.count(); ++i) {
    const InstantRef ref = instants.at(i);
    const SliceRow* row = instants_of(timeline, ref);
    text += (row == nullptr ? "?" : std::to_string(row->begin_ns(ref.instant))) + " ";
  }
  return text;
}

TEST(NestedInstantsTest, ListsWhatLiesRightInsideACallInOrder) {
  const Timeline timeline = nested();
  const NestedInstants in_a(timeline, {TrackId{0}, BlockId{}, 0, 0});
  EXPECT_EQ(times_of(timeline, in_a), "5 50 60 ");
  EXPECT_TRUE(in_a.complete());
  EXPECT_EQ(times_of(timeline, NestedInstants(timeline, {TrackId{0}, BlockId{}, 1, 0})), "20 ");
  EXPECT_EQ(NestedInstants(timeline, {}).count(), 0u);
}

TEST(NestedInstantsTest, KnowsTheCallAroundAnInstant) {
  const Timeline timeline = nested();
  EXPECT_EQ(call_around(timeline, {TrackId{0}, 2, BlockId{}, 1}),
            (SliceRef{TrackId{0}, BlockId{}, 0, 0}));
  EXPECT_EQ(call_around(timeline, {TrackId{0}, 0, BlockId{}, 2}),
            (SliceRef{TrackId{0}, BlockId{}, 1, 0}));
  EXPECT_FALSE(call_around(timeline, {TrackId{0}, 0, BlockId{}, 5}));
  EXPECT_FALSE(call_around(timeline, {}));
  TimelineState state;
  state.selected_instant = {TrackId{0}, 0, BlockId{}, 2};
  const SelectionFacts facts = selection_facts(timeline, state, nullptr);
  ASSERT_EQ(facts.parents.size(), 2u);
  EXPECT_EQ(facts.parents[0].name, "b");
  EXPECT_EQ(facts.parents[1].name, "a");
}

TEST(NestedInstantsTest, PutsPiecesOfChildrenTogetherInTheirOrder) {
  Timeline timeline = nested();
  Track& track = timeline.tracks[0];
  auto root = std::make_shared<SliceBlock>(*track.blocks[0]);
  root->deferred.push_back({.row = 1, .slice = 0, .source_key = 0, .count = 4});
  track.blocks[0] = root;
  const SliceRef b{TrackId{0}, BlockId{}, 1, 0};
  EXPECT_FALSE(NestedInstants(timeline, b).complete());
  const auto piece = [&](std::uint64_t first, std::int64_t time) {
    RowWriter rows(*timeline.strings), instants(*timeline.strings);
    rows.append(0, {time, 1, timeline.strings->intern("c"), 20, kNoRecord, 0});
    instants.append(0, {time, 0, timeline.strings->intern("n"), 21, kNoRecord, 0});
    auto block = std::make_shared<SliceBlock>();
    block->rows = rows.take();
    block->nested_instants = instants.take();
    block->parent_row = 1;
    block->first_child = first;
    block->child_count = 2;
    return block;
  };
  track.blocks.push_back(piece(2, 30));  // read first
  EXPECT_FALSE(NestedInstants(timeline, b).complete());
  track.blocks.push_back(piece(0, 25));
  const NestedInstants instants(timeline, b);
  EXPECT_TRUE(instants.complete());
  EXPECT_EQ(times_of(timeline, instants), "20 25 30 ");
  EXPECT_EQ(call_around(timeline, instants.at(1)), b);
  track.blocks[1] = nullptr;  // forgotten
  EXPECT_FALSE(NestedInstants(timeline, b).complete());
  EXPECT_EQ(instants_of(timeline, instants.at(2)), nullptr);
}

}  // namespace
}  // namespace cinderscope
