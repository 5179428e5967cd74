#include "app/questions/chosen_scope.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

TEST(ChosenScopeTest, AThreadIsMeasuredOnUntilAnotherTimelineTakesItsPlace) {
  ChosenScope scope;
  TimelineState state;
  scope.note_timeline(1);
  EXPECT_FALSE(scope.choose("thread", state));
  state.selected = {TrackId{3}, BlockId{0}, 0, 0};
  EXPECT_TRUE(scope.choose("thread", state));
  EXPECT_EQ(scope.scope({}, state), Scope::of_track(TrackId{3}));
  state.selected = {};
  scope.note_timeline(1);
  EXPECT_EQ(scope.scope({}, state), Scope::of_track(TrackId{3}));
  scope.note_timeline(2);
  EXPECT_EQ(scope.scope({}, state), Scope{});
  EXPECT_EQ(scope.choice(state), ScopeChoice::trace);
}

TEST(ChosenScopeTest, TheRangeIsMeasuredWhereThereIsOneUnlessTheTraceIsChosen) {
  ChosenScope scope;
  TimelineState state;
  EXPECT_FALSE(scope.choose("range", state));
  EXPECT_EQ(scope.choice(state), ScopeChoice::trace);
  state.range = TimeRange{10, 20};
  EXPECT_EQ(scope.choice(state), ScopeChoice::range);
  EXPECT_EQ(scope.scope({}, state), (Scope{10, 20}));
  EXPECT_TRUE(scope.choose("trace", state));
  EXPECT_EQ(scope.scope({}, state), Scope{});
  EXPECT_TRUE(scope.choose("", state));
  EXPECT_EQ(scope.choice(state), ScopeChoice::range);
}

TEST(ChosenScopeTest, AThreadIsMeasuredWithinTheSelectedRange) {
  ChosenScope scope;
  TimelineState state;
  state.range = TimeRange{10, 20};
  state.selected = {TrackId{3}, BlockId{0}, 0, 0};
  EXPECT_TRUE(scope.choose("thread", state));
  EXPECT_EQ(scope.scope({}, state), (Scope{10, 20, {TrackId{3}}}));
}

TEST(ChosenScopeTest, WhatIsConnectedIsThatWithTheCallSelectedWhenItWasChosen) {
  ChosenScope scope;
  TimelineState state;
  scope.note_timeline(1);
  EXPECT_FALSE(scope.choose("connected", state));
  const SliceRef one{TrackId{3}, BlockId{0}, 0, 5}, other{TrackId{4}, BlockId{0}, 0, 6};
  state.selected = one;
  EXPECT_TRUE(scope.choose("connected", state));
  EXPECT_EQ(scope.scope({}, state), connected_scope(one));
  state.selected = other;
  EXPECT_EQ(scope.scope({}, state), connected_scope(one));
  EXPECT_TRUE(scope.choose("connected", state));
  EXPECT_EQ(scope.scope({}, state), connected_scope(other));
  state.range = TimeRange{10, 20};
  EXPECT_EQ(scope.scope({}, state), connected_scope(other, {10, 20}));
  scope.note_timeline(2);
  EXPECT_EQ(scope.choice(state), ScopeChoice::trace);
}

TEST(ChosenScopeTest, ThreadsSelectedInTheGutterAreMeasuredTogether) {
  ChosenScope scope;
  TimelineState state;
  state.selected = {TrackId{3}, BlockId{0}, 0, 0};
  state.selected_tracks = {7, 2};
  EXPECT_EQ(scope.thread_count(state), 2u);
  EXPECT_TRUE(scope.choose("thread", state));
  EXPECT_EQ(scope.scope({}, state).tracks, (std::vector{TrackId{2}, TrackId{7}}));
  state.selected_tracks.clear();
  EXPECT_EQ(scope.scope({}, state), Scope::of_track(TrackId{3}));
}

TEST(ChosenScopeTest, SaysWhatCanBeChosen) {
  ChosenScope scope;
  const Status status = scope.choose("nonsense", {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().text,
            "What is measured is the trace, the thread, the range or what is connected.");
}

TEST(ChosenScopeTest, SamplesAreMeasuredWhereThereAreNoCalls) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(0, 10, builder.intern("call"), 0);
  builder.sample_slices(thread, builder.intern("samples"))
      .complete(100, 50, builder.intern("sampled"), 1);
  builder.count_samples(1);
  const Timeline timeline = builder.finish();
  ChosenScope scope;
  TimelineState state;
  EXPECT_EQ(scope.scope(timeline, state).slices, SlicesOf::calls);
  state.range = TimeRange{50, 200};
  EXPECT_EQ(scope.scope(timeline, state).slices, SlicesOf::samples);
  ASSERT_TRUE(scope.choose_slices("both"));
  EXPECT_EQ(scope.scope(timeline, state).slices, SlicesOf::both);
  ASSERT_TRUE(scope.choose_slices(""));
  EXPECT_EQ(scope.scope(timeline, state).slices, SlicesOf::samples);
  EXPECT_FALSE(scope.choose_slices("everything"));
}

}  // namespace
}  // namespace cinderscope
