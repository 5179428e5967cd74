#include "render/text/counter_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ingest/build/timeline_builder.h"
#include "render/text/counter_facts.h"

namespace cinderscope {
namespace {

TEST(CounterTextTest, GroupsDigits) {
  EXPECT_EQ(counter_text(1'780'123'648), "1 780 123 648");
  EXPECT_EQ(counter_text(-1234.5), "-1 234.5");
  EXPECT_EQ(counter_text(0.0125), "0.0125");
  EXPECT_EQ(counter_text(0), "0");
  EXPECT_EQ(counter_text(12, "MB"), "12 MB");
  EXPECT_EQ(counter_text(1e20), "1e+20");
  EXPECT_EQ(counter_text(std::nan("")), "not a number");
}

TEST(CounterTextTest, ShortensWhatWouldNotFit) {
  EXPECT_EQ(short_counter_text(1'780'123'648), "1.7801 G");
  EXPECT_EQ(short_counter_text(396'000'000), "396 M");
  EXPECT_EQ(short_counter_text(12'345), "12 345");
  EXPECT_EQ(short_counter_text(99'999), "99 999");
  EXPECT_EQ(short_counter_text(999'999.9), "1 M");
  EXPECT_EQ(short_counter_text(123.456789), "123.46");
  EXPECT_EQ(short_counter_text(-3), "-3");
  EXPECT_EQ(short_counter_text(1'780'123'648, "bytes"), "1.8 GB");
  EXPECT_EQ(short_counter_text(2'500'000, "Hz"), "2.5 MHz");
  EXPECT_EQ(short_counter_text(1e30), "1e+30");
  EXPECT_EQ(short_counter_text(HUGE_VAL), "infinity");
}

TEST(CounterTextTest, FindsUnitsInNames) {
  EXPECT_EQ(unit_in("Heap [MB]"), "MB");
  EXPECT_EQ(unit_in("load (%)"), "%");
  EXPECT_EQ(unit_in("used_bytes"), "bytes");
  EXPECT_EQ(unit_in("Total Bytes"), "Bytes");
  EXPECT_EQ(unit_in("frames (all of them)"), "");
  EXPECT_EQ(unit_in("objects"), "");
  EXPECT_EQ(unit_in("s"), "");
  EXPECT_EQ(unit_in(""), "");
  EXPECT_EQ(unit_in(")"), "");
}

TEST(CounterTextTest, AUnitAsNameOfTheOnlySeriesIsNotSaidTwice) {
  TimelineBuilder builder;
  const CounterId size = builder.counter(builder.process("1"), builder.intern("size"));
  builder.counter_value(size, builder.intern("bytes"), 0, 2048);
  const CounterId other = builder.counter(builder.process("1"), builder.intern("other"));
  builder.counter_value(other, builder.intern("used"), 0, 5);
  const Timeline timeline = builder.finish();
  EXPECT_EQ(counter_value_text(timeline, timeline.tracks[0], 0), short_counter_text(2048, "bytes"));
  EXPECT_EQ(counter_value_text(timeline, timeline.tracks[1], 0), "used 5");
}

TEST(CounterFactsTest, MeasuresTheViewOrTheRange) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const CounterId counter = builder.counter(process, builder.intern("heap_bytes"));
  for (const std::int64_t time : {0, 10, 20}) {
    builder.counter_value(counter, builder.intern("used"), time, static_cast<double>(time));
    builder.counter_value(counter, builder.intern("free"), time, 100);
  }
  const Timeline timeline = builder.finish();
  TimelineState state;
  state.view = showing(0, 20, 100);
  CounterFactsMaker maker;
  EXPECT_FALSE(maker.facts(timeline, state, 0));
  state.selected_counter = {TrackId{0}, 15};
  const auto view = maker.facts(timeline, state, 0);
  ASSERT_TRUE(view);
  EXPECT_FALSE(view->of_range);
  ASSERT_EQ(view->series.size(), 2u);
  EXPECT_EQ(view->series[0].name, "used");
  EXPECT_EQ(view->series[0].unit, "bytes");
  EXPECT_EQ(view->series[0].value, 10.0);
  EXPECT_EQ(view->series[0].measure.max, 20);
  EXPECT_DOUBLE_EQ(view->series[0].measure.mean, 5);
  state.range = TimeRange{10, 15};
  const auto range = maker.facts(timeline, state, 0);
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->of_range);
  EXPECT_EQ(range->series[0].measure.max, 10);
  // Before the first value and behind the trace there is none.
  state.selected_counter.time_ns = -1;
  EXPECT_FALSE(maker.facts(timeline, state, 0)->series[0].value);
  state.selected_counter.time_ns = 21;
  EXPECT_FALSE(maker.facts(timeline, state, 0)->series[0].value);
}

}  // namespace
}  // namespace cinderscope
