#include "ingest/build/track_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {
namespace {

// Slices as "name@depth[begin,end)flags" in order of begin.
std::string text_of(NestedRows nested, const StringPool& names) {
  SliceBlock block;
  block.rows = std::move(nested.rows);
  std::string text;
  struct Placed {
    std::uint32_t row;
    Slice slice;
  };
  std::vector<Placed> slices;
  for (std::uint32_t row = 0; row < block.rows.size(); ++row) {
    for (std::uint64_t i = 0; i < block.rows[row].count(); ++i) {
      slices.push_back({row, block.rows[row].slice(i)});
    }
  }
  std::stable_sort(slices.begin(), slices.end(), [](const Placed& a, const Placed& b) {
    return a.slice.begin_ns < b.slice.begin_ns;
  });
  for (const auto& [depth, slice] : slices) {
    if (!text.empty()) text += ' ';
    text += std::string(names.text(slice.name)) + "@" + std::to_string(depth) + "[" +
            std::to_string(slice.begin_ns) + "," + std::to_string(slice.end_ns()) + ")";
    if ((slice.flags & kUnfinished) != 0) text += "u";
    if ((slice.flags & kOverlapping) != 0) text += "o";
  }
  return text;
}

class TrackWriterTest : public testing::Test {
 protected:
  void begin(std::int64_t time, const char* name) { writer_.begin(time, id(name), record_++); }
  void end(std::int64_t time, const char* name = nullptr) {
    writer_.end(time, name == nullptr ? kNoName : id(name), record_++);
  }
  void complete(std::int64_t time, std::int64_t duration, const char* name) {
    writer_.complete(time, duration, id(name), record_++);
  }
  void unfinished(std::int64_t time, const char* name) {
    writer_.complete_unfinished(time, id(name), record_++);
  }
  StringId id(const char* name) { return names_.intern(name); }

  // The result, after a check that a look on the way changes nothing.
  std::string result(std::int64_t tolerance = 0) {
    const std::string look = text_of(writer_.nest(tolerance, false), names_);
    const std::string text = text_of(writer_.nest(tolerance, true), names_);
    EXPECT_EQ(look, text);
    return text;
  }
  std::uint64_t count_of(const std::string& code) {
    const auto& all = writer_.diagnostics().by_code();
    const auto found = all.find(code);
    return found == all.end() ? 0 : found->second.count;
  }

  StringPool names_;
  TrackWriter writer_{names_};
  RecordOffset record_ = 0;
};

TEST_F(TrackWriterTest, NestsBeginsAndEndsByTheStack) {
  begin(0, "a");
  begin(1, "b");
  end(3);
  begin(3, "c");
  end(4);
  end(9);
  EXPECT_EQ(result(), "a@0[0,9) b@1[1,3) c@1[3,4)");
}

TEST_F(TrackWriterTest, CountsAStrayEndAndGoesOn) {
  end(1);
  begin(2, "a");
  end(3);
  end(4);
  EXPECT_EQ(result(), "a@0[2,3)");
  EXPECT_EQ(count_of("stray_end"), 2u);
}

TEST_F(TrackWriterTest, LetsAnUnfinishedSliceLastToTheThreadsEnd) {
  begin(0, "a");
  begin(2, "b");
  begin(3, "c");
  end(7);
  EXPECT_EQ(result(), "a@0[0,7)u b@1[2,7)u c@2[3,7)");
}

TEST_F(TrackWriterTest, CountsAStrayEndIntoTheThreadsEnd) {
  begin(0, "a");
  begin(0, "b");
  end(1);
  end(2);
  begin(3, "c");
  end(4);
  begin(5, "d");
  EXPECT_EQ(result(), "a@0[0,2) b@1[0,1) c@0[3,4) d@0[5,5)u");
}

TEST_F(TrackWriterTest, ClosesByNameBeforeInnermost) {
  begin(0, "a");
  begin(1, "b");
  end(5, "a");
  end(8, "b");
  EXPECT_EQ(result(), "a@0[0,5) b@1[1,8)o");
}

TEST_F(TrackWriterTest, ClosesInnermostForAnUnknownName) {
  begin(0, "a");
  begin(1, "b");
  end(2, "x");
  end(3, "y");
  EXPECT_EQ(result(), "a@0[0,3) b@1[1,2)");
}

TEST_F(TrackWriterTest, HandsOverAtTheSameTimeWithoutNesting) {
  begin(0, "a");
  begin(10, "b");
  end(10, "a");
  end(20, "b");
  EXPECT_EQ(result(), "a@0[0,10) b@0[10,20)");
}

TEST_F(TrackWriterTest, SortsCompleteSlicesThatComeInOrderOfTheirEnd) {
  complete(2, 2, "child");
  complete(5, 1, "child");
  complete(0, 10, "parent");
  complete(12, 3, "late");
  EXPECT_EQ(result(), "parent@0[0,10) child@1[2,4) child@1[5,6) late@0[12,15)");
}

TEST_F(TrackWriterTest, NestsEqualIntervalsInFileOrder) {
  complete(0, 5, "first");
  complete(0, 5, "second");
  EXPECT_EQ(result(), "first@0[0,5) second@1[0,5)");
}

TEST_F(TrackWriterTest, MovesAPartialOverlapToTheFirstFreeRow) {
  complete(0, 10, "a");
  complete(5, 10, "b");
  complete(10, 10, "c");
  EXPECT_EQ(result(), "a@0[0,10) b@1[5,15)o c@0[10,20)o");
}

TEST_F(TrackWriterTest, KeepsChildrenBelowAnOverlappingParent) {
  complete(0, 100, "outer");
  complete(10, 50, "x");
  complete(50, 30, "y");
  complete(65, 5, "in y");
  EXPECT_EQ(result(), "outer@0[0,100) x@1[10,60) y@2[50,80)o in y@3[65,70)");
}

TEST_F(TrackWriterTest, CountsAChildThatSticksOutByTheToleranceAsNested) {
  complete(0, 10, "a");
  complete(5, 6, "b");
  EXPECT_EQ(result(1), "a@0[0,10) b@1[5,11)");
}

TEST_F(TrackWriterTest, GivesAZeroLengthSliceNoRoom) {
  complete(5, 0, "z");
  complete(5, 0, "z");
  complete(5, 4, "a");
  complete(9, 0, "z");
  EXPECT_EQ(result(), "a@0[5,9) z@1[5,5) z@1[5,5) z@0[9,9)");
}

TEST_F(TrackWriterTest, MixesBeginsEndsAndCompleteSlices) {
  begin(0, "b");
  complete(2, 3, "x");
  end(10);
  complete(4, 1, "y");
  EXPECT_EQ(result(), "b@0[0,10) x@1[2,5) y@2[4,5)");
}

TEST_F(TrackWriterTest, LetsACompleteSliceWithoutEndLastToTheThreadsEnd) {
  complete(0, 10, "a");
  unfinished(4, "u");
  complete(12, 8, "b");
  EXPECT_EQ(result(), "a@0[0,10) u@1[4,20)uo b@2[12,20)");
}

TEST_F(TrackWriterTest, GivesALoneSliceWithoutEndNoLength) {
  unfinished(1000, "u");
  EXPECT_EQ(result(), "u@0[1000,1000)u");
}

TEST_F(TrackWriterTest, StopsAtTheLimitsOfTimeInsteadOfWrapping) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  complete(-kFar, kFar, "early");
  complete(kFar, kFar, "late");
  begin(-kFar, "all");
  end(kFar, "all");
  const NestedRows nested = writer_.nest(0, true);
  ASSERT_EQ(nested.slice_count, 3u);
  EXPECT_EQ(nested.rows[0].duration_ns(0), INT64_MAX);
}

TEST_F(TrackWriterTest, ReplaysAThreadWhoseTimesStepBack) {
  const auto feed = [this] {
    begin(10, "b");
    begin(0, "a");
    end(20, "b");
    end(30, "a");
    end(40);
  };
  feed();
  EXPECT_TRUE(writer_.needs_replay());
  writer_.begin_replay();
  record_ = 0;
  feed();
  EXPECT_FALSE(writer_.needs_replay());
  EXPECT_EQ(result(), "a@0[0,30) b@1[10,20)");
  EXPECT_EQ(count_of("unsorted"), 1u);
  EXPECT_EQ(count_of("stray_end"), 1u);
}

TEST_F(TrackWriterTest, NestsAMillionBeginsDeep) {
  constexpr std::int64_t kDepth = 1'000'000;
  for (std::int64_t i = 0; i < kDepth; ++i) begin(i, "f");
  for (std::int64_t i = 0; i < kDepth; ++i) end(kDepth + i);
  const NestedRows nested = writer_.nest(0, true);
  ASSERT_EQ(nested.rows.size(), static_cast<std::size_t>(kDepth));
  EXPECT_EQ(nested.rows.back().begin_ns(0), kDepth - 1);
  EXPECT_EQ(nested.rows.back().duration_ns(0), 1);
}

TEST_F(TrackWriterTest, EndsFromTheOutsideInWithoutQuadraticWork) {
  constexpr std::int64_t kDepth = 200'000;
  const auto name = [this](std::int64_t i) { return id(std::to_string(i).c_str()); };
  for (std::int64_t i = 0; i < kDepth; ++i) writer_.begin(i, name(i), record_++);
  for (std::int64_t i = 0; i < kDepth; ++i) writer_.end(kDepth + i, name(i), record_++);
  EXPECT_EQ(writer_.nest(0, true).overlapping_count, static_cast<std::uint64_t>(kDepth - 1));
}

TEST_F(TrackWriterTest, SortsReversedSlicesFast) {
  constexpr std::int64_t kCount = 300'000;
  for (std::int64_t i = kCount; i-- > 0;) complete(i * 10, 5, "x");
  const NestedRows nested = writer_.nest(0, true);
  ASSERT_EQ(nested.rows.size(), 1u);
  EXPECT_EQ(nested.rows[0].count(), static_cast<std::uint64_t>(kCount));
  EXPECT_EQ(nested.rows[0].begin_ns(12345), 123450);
}

// Pushes the same random calls into two writers: event by event, and tick by tick in runs.
void expect_ticks_like_events(const LoadFilter* part) {
  StringPool names;
  const StringId a = names.intern("a"), b = names.intern("b");
  TrackWriter events(names), ticks(names);
  for (TrackWriter* writer : {&events, &ticks}) {
    if (part != nullptr) writer->keep_only(part);
  }
  std::mt19937 random(3);
  std::int64_t time = 0, open = 0;
  for (int run = 0; run < 200; ++run) {
    TrackWriter::Ticks some(ticks, time);
    for (std::uint32_t i = static_cast<std::uint32_t>(random() % 100); i > 0; --i, ++time) {
      EXPECT_EQ(some.tick(), time);
      EXPECT_EQ(some.open_count(), open);
      if (open == 0 || random() % 2 == 0) {
        const StringId name = random() % 2 == 0 ? a : b;
        const RecordOffset record = random() % 7;
        events.begin(time, name, record);
        some.begin(name, record);
        ++open;
      } else {
        events.end(time, kNoName, 0);
        some.end();
        --open;
      }
    }
  }
  events.reach(time);
  ticks.reach(time);
  EXPECT_EQ(ticks.left_out_count(), events.left_out_count());
  for (const bool consume : {false, true}) {
    const std::string wanted = text_of(events.nest(0, consume), names);
    EXPECT_GT(wanted.size(), 1000u);
    EXPECT_EQ(text_of(ticks.nest(0, consume), names), wanted);
  }
}

TEST(TrackWriterTicksTest, AreTheSameAsBeginsAndEnds) {
  expect_ticks_like_events(nullptr);
}

TEST(TrackWriterTicksTest, LeaveOutWhatIsNotToBeKept) {
  const LoadFilter part{.from = 1000, .to = 3000};
  expect_ticks_like_events(&part);
}

TEST(TrackWriterTicksTest, LeaveAWriterWithoutEventsEmpty) {
  StringPool names;
  TrackWriter writer(names);
  { const TrackWriter::Ticks none(writer, 0); }
  EXPECT_TRUE(writer.empty());
  TrackWriter::Ticks(writer, 0).begin(kEmptyString, 0);
  EXPECT_FALSE(writer.empty());
}

}  // namespace
}  // namespace cinderscope
