#include "ingest/part/part_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

class Lines final : public PartVisitor {
 public:
  void slice(const PartSlice& slice) override {
    text += fmt::format("{}{} {}..{}{}{}{} ", std::string(slice.depth, '>'), slice.name,
                        slice.begin_ns, slice.end_ns, slice.cut_begin ? " <" : "",
                        slice.cut_end ? " |" : "", slice.unfinished ? " ?" : "");
    if (slice.overlap_row > 0) text += fmt::format("row {} ", slice.overlap_row);
  }
  void instant(const PartInstant& instant) override {
    text += fmt::format("i:{} {} ", instant.name, instant.time_ns);
  }
  void counter(const PartCounter& counter) override {
    text += fmt::format("{}:", counter.time_ns);
    for (const auto& value : counter.values) {
      text += fmt::format("{}={} ", value.series, value.value);
    }
  }
  std::string text;
};

// main [0, 100) > work [10, 60) > leaf [20, 30); tick at 25; open from 95 on.
Timeline sample() {
  TimelineBuilder out;
  const ThreadId thread = out.thread(out.process("1"), "2");
  TrackWriter& slices = out.slices(thread);
  slices.begin(0, out.intern("main"), 0);
  slices.begin(10, out.intern("work"), 1);
  slices.begin(20, out.intern("leaf"), 2);
  slices.end(30, kNoName, 3);
  slices.end(60, kNoName, 4);
  slices.begin(95, out.intern("open"), 5);
  slices.reach(100);
  out.instant(thread, 25, out.intern("tick"), 6);
  const CounterId counter = out.counter(out.process("1"), out.intern("load"));
  out.counter_value(counter, out.intern("cpu"), 5, 1);
  out.counter_value(counter, out.intern("cpu"), 50, 2);
  return out.finish();
}

std::string text_of(const Timeline& timeline, PartOptions options) {
  LoadContext context;
  PartReader part(timeline, nullptr, std::move(options), context);
  Lines lines;
  for (const PartTrack& track : part.tracks()) {
    const Result<bool> whole = part.read(track, lines);
    EXPECT_TRUE(whole && *whole);
  }
  return lines.text;
}

TEST(PartReaderTest, HandsOutAllInTheOrderOfTime) {
  EXPECT_EQ(text_of(sample(), {}),
            "main 0..100 ? >work 10..60 >>leaf 20..30 i:tick 25 >open 95..100 ? 5:cpu=1 "
            "50:cpu=2 ");
}

TEST(PartReaderTest, CutsAtTheEdgesAndKeepsCallersAndWhatHolds) {
  EXPECT_EQ(text_of(sample(), {.from = 22, .to = 50}),
            "main 22..50 < ? >work 22..50 < | >>leaf 22..30 < i:tick 25 22:cpu=1 ");
}

TEST(PartReaderTest, OtherEdges) {
  EXPECT_EQ(text_of(sample(), {.from = 15, .to = 50, .edges = RangeEdges::whole}),
            "main 0..100 ? >work 10..60 >>leaf 20..30 i:tick 25 15:cpu=1 ");
  EXPECT_EQ(text_of(sample(), {.from = 15, .to = 50, .edges = RangeEdges::drop}),
            "leaf 20..30 i:tick 25 15:cpu=1 ");
}

TEST(PartReaderTest, DepthAndDurationAndTimesFromTheBegin) {
  EXPECT_EQ(text_of(sample(), {.depth = 1}), "main 0..100 ? i:tick 25 5:cpu=1 50:cpu=2 ");
  EXPECT_EQ(text_of(sample(), {.min_duration = 20}),
            "main 0..100 ? >work 10..60 i:tick 25 5:cpu=1 50:cpu=2 ");
  EXPECT_EQ(text_of(sample(), {.from = 22, .to = 50, .zero = true}),
            "main 0..28 < ? >work 0..28 < | >>leaf 0..8 < i:tick 3 0:cpu=1 ");
}

TEST(PartReaderTest, ARangeBesideEverythingHasNoTracks) {
  LoadContext context;
  const Timeline timeline = sample();
  PartReader part(timeline, nullptr, {.from = 200, .to = 300}, context);
  EXPECT_TRUE(part.tracks().empty());
}

TEST(PartReaderTest, OverlapsGoToRowsOfTheirOwn) {
  TimelineBuilder out;
  TrackWriter& slices = out.slices(out.thread(out.process("1"), "2"));
  slices.complete(0, 10, out.intern("a"), 0);
  slices.complete(5, 10, out.intern("b"), 1);
  EXPECT_EQ(text_of(out.finish(), {}), "a 0..10 b 5..15 row 1 ");
}

}  // namespace
}  // namespace cinderscope
