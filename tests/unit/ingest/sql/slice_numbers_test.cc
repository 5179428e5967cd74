#include "ingest/sql/slice_numbers.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Two threads, an asynchronous slice with a step, samples; instants outside and inside of calls.
std::shared_ptr<const SliceSet> small_set() {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const ThreadId main = builder.thread(process, "1"), other = builder.thread(process, "2");
  const StringId name = builder.intern("a");
  RecordOffset record = 0;
  const AsyncTrackId async = builder.async_track(process, builder.intern("load"));
  builder.async_group(async,
                      {{.slice = {.begin_ns = 3, .duration_ns = 6, .name = name, .record = 0}}},
                      {{.mark = {.begin_ns = 4, .name = name, .record = 1}, .on_slice = 0}});
  record = 2;
  for (int i = 0; i < 1500; ++i) {
    builder.slices(main).complete(i * 10, 8, name, record++);
    builder.slices(main).complete(i * 10 + 1, 5, name, record++);
  }
  builder.sample_slices(main, builder.intern("samples")).complete(0, 10, name, record++);
  builder.slices(other).complete(5, 1, name, record++);
  builder.instant(main, 17, name, record++);
  builder.nested_instant(main, 1, 3, name, record++);
  builder.nested_instant(main, 2, 4, name, record++);
  return slice_set_of(builder.finish());
}

TEST(SliceNumbersTest, CountsThreadsFirstAndLeavesNoGaps) {
  const auto set = small_set();
  const SliceNumbers numbers({set, set}, SliceNumbers::Of::slices);
  const std::uint64_t of_one = 3000 + 1 + 1 + 1;
  EXPECT_EQ(numbers.count(), 2 * of_one);
  EXPECT_EQ(numbers.place_of(1)->row->kind, TrackKind::thread);
  EXPECT_EQ(numbers.place_of(3001)->row->kind, TrackKind::thread);
  EXPECT_EQ(numbers.place_of(3002)->row->kind, TrackKind::samples);
  EXPECT_EQ(numbers.place_of(3003)->row->kind, TrackKind::async);
  EXPECT_EQ(numbers.place_of(of_one + 1)->row->input, 1u);
  std::uint64_t next = 1;
  for (const NumberedRow& row : numbers.rows()) {
    EXPECT_EQ(row.first_number, next);
    next = row.end_number();
  }
}

TEST(SliceNumbersTest, LeadsBackToTheSlice) {
  const auto set = small_set();
  const SliceNumbers numbers({set, set}, SliceNumbers::Of::slices);
  for (std::uint64_t number = 1; number <= numbers.count(); ++number) {
    const auto place = numbers.place_of(number);
    ASSERT_TRUE(place);
    EXPECT_EQ(numbers.number_of(place->row->input, place->slice()), number);
  }
  EXPECT_FALSE(numbers.place_of(0));
  EXPECT_FALSE(numbers.place_of(numbers.count() + 1));
  EXPECT_EQ(numbers.number_of(0, SliceRef{}), 0u);
  EXPECT_EQ(numbers.number_of(2, numbers.place_of(1)->slice()), 0u);
  SliceRef beyond = numbers.place_of(1)->slice();
  beyond.slice = 1500;
  EXPECT_EQ(numbers.number_of(0, beyond), 0u);
}

TEST(SliceNumbersTest, CountsInstantsOutsideOfCallsFirst) {
  const SliceNumbers numbers({small_set()}, SliceNumbers::Of::instants);
  ASSERT_EQ(numbers.count(), 4u);
  EXPECT_EQ(numbers.place_of(1)->row->slices->begin_ns(0), 17);
  for (std::uint64_t number = 1; number <= numbers.count(); ++number) {
    EXPECT_EQ(numbers.number_of(0, numbers.place_of(number)->instant()), number);
  }
  const TrackId track = numbers.place_of(1)->row->track;
  EXPECT_EQ(numbers.rows_of(0, track).size(), 1u);
  EXPECT_EQ(numbers.nested_rows_of(0, track).size(), 2u);
}

TEST(SliceNumbersTest, OfNothingIsEmpty) {
  const SliceNumbers numbers;
  EXPECT_EQ(numbers.count(), 0u);
  EXPECT_FALSE(numbers.place_of(1));
  EXPECT_TRUE(numbers.rows_of(0, TrackId{0}).empty());
}

}  // namespace
}  // namespace cinderscope
