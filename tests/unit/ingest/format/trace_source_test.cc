#include "ingest/format/trace_source.h"

#include <gtest/gtest.h>

#include <functional>

namespace cinderscope {
namespace {

// What a format's author writes who knows nothing of times that step back.
class PlainSource final : public TraceSource {
 public:
  using Load = std::function<Status(TimelineBuilder&, LoadContext&)>;
  explicit PlainSource(Load load) : load_(std::move(load)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    ++load_count;
    return load_(out, context);
  }
  const Input& input() const override { return input_; }

  int load_count = 0;

 private:
  Load load_;
  Input input_ = Input::from_memory("plain", {});
};

// One of each kind of thing beside two threads, of which the second steps back in time.
Status load_unsorted(TimelineBuilder& out, LoadContext&) {
  const ProcessId process = out.process("1");
  const ThreadId sorted = out.thread(process, "sorted"), unsorted = out.thread(process, "unsorted");
  const StringId name = out.intern("f");
  out.slices(sorted).complete(0, 5, name, 0);
  out.slices(unsorted).begin(20, name, 1);
  out.slices(unsorted).end(30, name, 2);
  out.slices(unsorted).begin(10, name, 3);
  out.slices(unsorted).end(15, name, 4);
  out.instant(sorted, 3, name, 5);
  out.nested_instant(sorted, 1, 4, name, 6);
  out.counter_value(out.counter(process, name), name, 1, 7.0);
  out.async_group(out.async_track(process, name), {{{0, 9, name, 8, kNoRecord, 0}, 0}});
  out.flow(name, false, {{sorted, 1}, {sorted, 2}});
  out.pauses(process, {{.begin_ns = 1, .end_ns = 2}});
  out.note("key", "text");
  out.count_records(9);
  out.count_samples(2);
  out.diagnostics().count(diagnostic::kStrayEnd, 1);
  return ok();
}

TEST(ReadTimelineTest, GivesTheSlicesOfAThreadWhoseTimesStepBack) {
  PlainSource source(load_unsorted);
  LoadContext context;
  const Result<Timeline> timeline = read_timeline(source, context);
  ASSERT_TRUE(timeline);
  EXPECT_EQ(source.load_count, 2);
  ASSERT_EQ(timeline->threads.size(), 2u);
  ASSERT_NE(timeline->threads[1].track, kNoTrack);
  const SliceRow& row = timeline->tracks[index(timeline->threads[1].track)].root().rows.at(0);
  ASSERT_EQ(row.count(), 2u);
  EXPECT_EQ(row.begin_ns(0), 10);
  EXPECT_EQ(row.begin_ns(1), 20);
}

TEST(ReadTimelineTest, TakesAllElseOnceOfWhatIsReadTwice) {
  PlainSource source(load_unsorted);
  LoadContext context;
  const Result<Timeline> timeline = read_timeline(source, context);
  ASSERT_TRUE(timeline);
  EXPECT_EQ(timeline->slice_count, 3u);
  EXPECT_EQ(timeline->instant_count, 2u);
  EXPECT_EQ(timeline->async_slice_count, 1u);
  EXPECT_EQ(timeline->flow_count, 1u);
  EXPECT_EQ(timeline->pauses.size(), 1u);
  EXPECT_EQ(timeline->notes.size(), 1u);
  EXPECT_EQ(timeline->record_count, 9u);
  EXPECT_EQ(timeline->sample_count, 2u);
  EXPECT_EQ(timeline->diagnostics.by_code().at("stray_end").count, 1u);
  EXPECT_EQ(timeline->diagnostics.by_code().at("unsorted").count, 1u);
  for (const Track& track : timeline->tracks) {
    for (const CounterSeries& series : track.series) EXPECT_EQ(series.value.size(), 1u);
  }
}

TEST(ReadTimelineTest, ReadsATraceInOrderOnce) {
  PlainSource source([](TimelineBuilder& out, LoadContext&) {
    out.slices(out.thread(out.process("1"), "1")).complete(0, 5, out.intern("f"), 0);
    return ok();
  });
  LoadContext context;
  EXPECT_TRUE(read_timeline(source, context));
  EXPECT_EQ(source.load_count, 1);
}

TEST(ReadTimelineTest, IsAnErrorWhereTheSourceGivesOneOrTheLoadIsCancelled) {
  PlainSource refused([](TimelineBuilder&, LoadContext&) {
    return Error{ErrorCode::damaged, "It is torn."};
  });
  LoadContext context;
  const Result<Timeline> none = read_timeline(refused, context);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "It is torn.");

  PlainSource cancelled([](TimelineBuilder&, LoadContext& during) {
    during.cancel();
    return ok();  // a source may look at it too late
  });
  const Result<Timeline> stopped = read_timeline(cancelled, context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

TEST(ReadTimelineTest, GivesATimelineThatWasPutTogetherElsewhere) {
  Timeline whole;
  whole.slice_count = 77;
  PlainSource source([&](TimelineBuilder& out, LoadContext&) {
    out.adopt(whole);
    return ok();
  });
  LoadContext context;
  const Result<Timeline> timeline = read_timeline(source, context);
  ASSERT_TRUE(timeline);
  EXPECT_EQ(timeline->slice_count, 77u);
}

}  // namespace
}  // namespace cinderscope
