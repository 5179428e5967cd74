#include "render/layout/layout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "render/layout/hit.h"

namespace cinderscope {
namespace {

// One thread of process "1", filled by `write`.
Timeline thread_timeline(const std::function<void(TimelineBuilder&, ThreadId)>& write) {
  TimelineBuilder builder;
  write(builder, builder.thread(builder.process("1"), "1"));
  return builder.finish();
}

Layout laid_out(const Timeline& timeline, const Viewport& view, double scroll_px = 0,
                double height_px = 1000, const TimelineState& state = {}) {
  TrackList tracks;
  tracks.update(timeline, state);
  Layout layout;
  lay_out(timeline, tracks, {view, scroll_px, height_px}, 1, layout);
  return layout;
}

// Boxes as text: a line of "row@y: x+width name", merged ones as "x xCOUNT busy%".
std::string text_of(const Timeline& timeline, const Layout& layout) {
  std::string text;
  for (const DrawLine& line : layout.lines) {
    text += fmt::format("{}{}@{}:", line.instants ? "i" : "", line.row, line.y_px);
    for (const DrawBox& box : line.boxes) {
      if (box.merged()) {
        text += fmt::format(" {} x{} {}%", box.x_px, box.count, (box.tint.busy * 100 + 127) / 255);
      } else {
        text += fmt::format(" {:.4g}+{:.4g} {}", box.x_px, box.width_px, timeline.text(box.name));
      }
      if ((box.flags & kUnfinished) != 0) text += " unfinished";
      if ((box.flags & kOverlapping) != 0) text += " overlapping";
      if ((box.flags & kChildrenMissing) != 0) text += " missing";
    }
    text += "\n";
  }
  return text;
}

TEST(LayoutTest, IsExactWhereANanosecondOfOurDaysIsWideEnoughForAName) {
  constexpr std::int64_t kOurs = 1'700'000'000'000'000'123;
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    slices.complete(kOurs - 1'000'000'000, 2'000'000'000, builder.intern("long"), 1);
    slices.complete(kOurs, 1, builder.intern("b"), 2);
    slices.complete(kOurs + 1, 1, builder.intern("c"), 3);
  });
  const Viewport view = showing(kOurs, kOurs + 3, 1200);  // 400 px a nanosecond
  const Layout layout = laid_out(timeline, view);
  const std::string text = text_of(timeline, layout);
  EXPECT_NE(text.find(" 0+400 b 400+400 c"), std::string::npos) << text;
}

TEST(LayoutTest, DrawsNestedSlicesBelowEachOther) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    slices.complete(0, 100, builder.intern("a"), 1);
    slices.complete(10, 30, builder.intern("b"), 2);
    slices.complete(50, 50, builder.intern("c"), 3);
  });
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(0, 100, 200))),
            "0@29: 0+200 a\n"
            "1@48: 20+60 b 100+100 c\n");
}

// a from 0 to 100 with instants at 5 and 60, b inside it from 10 to 40 with one at 20; one outside.
Timeline marked_timeline() {
  return thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    slices.complete(0, 100, builder.intern("a"), 1);
    slices.complete(10, 30, builder.intern("b"), 2);
    builder.nested_instant(thread, 1, 5, builder.intern("m"), 3);
    builder.nested_instant(thread, 2, 20, builder.intern("n"), 4);
    builder.nested_instant(thread, 1, 60, builder.intern("o"), 5);
    builder.instant(thread, 110, builder.intern("p"), 6);
  });
}

TEST(LayoutTest, HangsMarksUnderTheirCalls) {
  const Timeline timeline = marked_timeline();
  EXPECT_EQ(timeline.instant_count, 4u);
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(0, 120, 240))),
            "i0@37.5: 220+1 p\n"
            "i1@65: 10+1 m 120+1 o\n"
            "i2@84: 40+1 n\n"
            "0@46: 0+200 a\n"
            "1@65: 20+60 b\n");
}

TEST(LayoutTest, MarksCanBePointedAtAndLeaveTheRowBelowToItsCalls) {
  const Timeline timeline = marked_timeline();
  const Layout layout = laid_out(timeline, showing(0, 120, 240));
  const InstantRef n{TrackId{0}, 0, BlockId{}, 2};
  EXPECT_EQ(hit_at(layout, 41, 85).instant, n);
  EXPECT_EQ(hit_at(layout, 10, 67).instant, (InstantRef{TrackId{0}, 0, BlockId{}, 1}));
  EXPECT_EQ(hit_at(layout, 120, 67).instant, (InstantRef{TrackId{0}, 1, BlockId{}, 1}));
  EXPECT_EQ(hit_at(layout, 30, 67).slice, (SliceRef{TrackId{0}, BlockId{}, 1, 0}));
  EXPECT_FALSE(hit_at(layout, 120, 77));
  ASSERT_NE(instants_of(timeline, n), nullptr);
  EXPECT_EQ(timeline.text(instants_of(timeline, n)->name(0)), "n");
}

TEST(LayoutTest, ScrolledRowsTakeTheirMarksWithThem) {
  const Timeline timeline = marked_timeline();
  // The nested instants of the row that is just out of sight hang into the first visible one.
  const std::string text = text_of(timeline, laid_out(timeline, showing(0, 120, 240), 65));
  EXPECT_EQ(text,
            "i1@0: 10+1 m 120+1 o\n"
            "i2@19: 40+1 n\n"
            "1@0: 20+60 b\n");
}

TEST(LayoutTest, CutsWhatIsOutOfView) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    slices.complete(0, 100, builder.intern("left"), 1);
    slices.complete(100, 100, builder.intern("middle"), 2);
    slices.complete(200, 100, builder.intern("right"), 3);
  });
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(120, 180, 60))), "0@29: -2+64 middle\n");
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(90, 110, 20))),
            "0@29: -2+12 left 10+12 middle\n");
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(1000, 1100, 20))), "0@29:\n");
}

// Half of each column is covered; summaries of groups know 63 steps.
TEST(LayoutTest, MergesWhatIsThinnerThanAPixelByColumn) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    const StringId name = builder.intern("f");
    for (int i = 0; i < 30; ++i) slices.complete(i * 10, 5, name, 1);
    slices.complete(900, 100, builder.intern("wide"), 2);
  });
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(0, 1000, 10))),
            "0@29: 0 x12 51% 1 x12 51% 2 x10 51% 9+1 wide\n");
}

TEST(LayoutTest, KeepsALoneThinSliceAsItself) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    builder.slices(thread).complete(500, 1, builder.intern("blink"), 1);
    builder.slices(thread).complete(700, 0, builder.intern("nothing"), 1);
  });
  EXPECT_EQ(text_of(timeline, laid_out(timeline, showing(0, 1000, 10))),
            "0@29: 5+1 blink 7+1 nothing\n");
}

TEST(LayoutTest, MarksUnfinishedAndOverlappingSlices) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    slices.complete(0, 60, builder.intern("a"), 1);
    slices.complete(40, 60, builder.intern("b"), 2);
    slices.begin(70, builder.intern("c"), 3);
  });
  const std::string text = text_of(timeline, laid_out(timeline, showing(0, 100, 100)));
  EXPECT_NE(text.find("b overlapping"), std::string::npos) << text;
  EXPECT_NE(text.find("c unfinished"), std::string::npos) << text;
}

TEST(LayoutTest, WalksOnlyTheRowsOnScreen) {
  constexpr int kDepth = 100'000;
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    const StringId name = builder.intern("f");
    for (int i = 0; i < kDepth; ++i) slices.begin(i, name, 1);
    for (int i = 0; i < kDepth; ++i) slices.end(2 * kDepth + i, name, 1);
  });
  const Viewport view = showing(0, 3 * kDepth, 300);
  const Layout top = laid_out(timeline, view, 0, 190);
  EXPECT_EQ(top.lines.front().row, 0u);
  EXPECT_LE(top.lines.size(), 10u);
  const Layout middle = laid_out(timeline, view, 29 + 50'000 * kRowStepPx, 190);
  EXPECT_EQ(middle.lines.front().row, 50'000u);
  EXPECT_LE(middle.lines.size(), 11u);
}

TEST(LayoutTest, CutsSlicesThatReachOverTheNextByRounding) {
  TimelineBuilder builder;
  builder.set_nesting_tolerance(10);
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 1000, builder.intern("parent"), 1);
  slices.complete(0, 105, builder.intern("a"), 2);
  slices.complete(100, 100, builder.intern("b"), 3);
  const Timeline timeline = builder.finish();
  const Layout layout = laid_out(timeline, showing(0, 1000, 1000));
  for (const DrawLine& line : layout.lines) {
    for (std::size_t i = 1; i < line.boxes.size(); ++i) {
      const DrawBox& before = line.boxes[i - 1];
      EXPECT_LE(before.x_px + before.width_px, line.boxes[i].x_px);
    }
  }
}

TEST(LayoutTest, IsTheSameWhateverTheNumberOfThreads) {
  TimelineBuilder builder;
  std::mt19937_64 random(17);
  for (int t = 0; t < 30; ++t) {
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), std::to_string(t)));
    std::int64_t now_ns = 0;
    for (RecordOffset i = 0; i < 3000; ++i) {
      const auto length_ns = static_cast<std::int64_t>(random() % 900 + 1);
      slices.complete(now_ns, length_ns, builder.intern(std::to_string(random() % 9)), i);
      slices.complete(now_ns, length_ns / 2, builder.intern("child"), i);
      now_ns += length_ns + static_cast<std::int64_t>(random() % 300);
    }
  }
  const Timeline timeline = builder.finish();
  TrackList tracks;
  tracks.update(timeline, {});
  const LayoutWindow window{showing(0, 2'000'000, 1000), 0, 2000};
  Layout one, many;
  lay_out(timeline, tracks, window, 1, one);
  // The second layout is the first that knows that there is enough to do.
  for (int i = 0; i < 2; ++i) lay_out(timeline, tracks, window, 4, many);
  EXPECT_EQ(jobs_for(many, 4), 4u);
  EXPECT_EQ(one.box_count, many.box_count);
  EXPECT_EQ(text_of(timeline, one), text_of(timeline, many));
  for (std::size_t i = 0; i < one.visible.size(); ++i) {
    EXPECT_EQ(one.visible[i].busy, many.visible[i].busy);
  }
  lay_out(timeline, tracks, {showing(0, 2'000'000, 1000), 1e9, 100}, 4, many);
  EXPECT_EQ(jobs_for(many, 4), 1u);  // nothing in view
}

// Processes 1 and 2 with three threads each, of one call from 10 to 20 and so on.
Timeline two_processes() {
  TimelineBuilder builder;
  for (const char* pid : {"1", "2"}) {
    const ProcessId process = builder.process(pid);
    for (std::int64_t i = 0; i < 3; ++i) {
      const ThreadId thread = builder.thread(process, std::to_string(i));
      builder.slices(thread).complete(10 * i, 10, builder.intern("f"), 1);
    }
  }
  return builder.finish();
}

TEST(LayoutTest, TheHeadOfTheTopmostTracksStays) {
  const Timeline timeline = two_processes();
  const double group_px = kProcessHeadPx + 3 * kMinTrackPx;
  const auto sticky = [&](double scroll_px) {
    return laid_out(timeline, showing(0, 100, 100), scroll_px, 100).sticky;
  };
  EXPECT_FALSE(sticky(0));  // it is in its own place
  ASSERT_TRUE(sticky(1));
  EXPECT_EQ(sticky(1)->index, 0u);
  EXPECT_EQ(sticky(1)->y_px, 0);
  EXPECT_EQ(sticky(group_px - kProcessHeadPx)->y_px, 0);
  EXPECT_FLOAT_EQ(sticky(group_px - 10)->y_px, 10 - static_cast<float>(kProcessHeadPx));  // pushed
  EXPECT_FALSE(sticky(group_px));
  EXPECT_EQ(sticky(group_px + 30)->index, 4u);
}

TEST(LayoutTest, ACollapsedProcessShowsTheActivityOfAllItsTracks) {
  const Timeline timeline = two_processes();
  TimelineState state;
  state.collapsed_processes = {0};
  const Layout layout = laid_out(timeline, showing(0, 100, 10), 0, 1000, state);
  ASSERT_EQ(layout.activities.size(), 1u);
  EXPECT_EQ(layout.activities[0].row, 0u);
  EXPECT_EQ(layout.activities[0].busy,
            (std::vector<std::uint8_t>{255, 255, 255, 0, 0, 0, 0, 0, 0, 0}));
}

// Each of the threads is busy at its begin and its end. What is not read closely is spread evenly.
TEST(LayoutTest, CollapsedProcessesShareWhatIsReadClosely) {
  TimelineBuilder builder;
  for (const char* pid : {"1", "2", "3", "4"}) {
    const ProcessId process = builder.process(pid);
    for (int i = 0; i < 300; ++i) {
      TrackWriter& slices = builder.slices(builder.thread(process, std::to_string(i)));
      slices.complete(0, 10, builder.intern("f"), 1);
      slices.complete(90, 10, builder.intern("f"), 2);
    }
  }
  const Timeline timeline = builder.finish();
  TimelineState state;
  state.collapsed_processes = {0, 1, 2, 3};
  const Layout all = laid_out(timeline, showing(0, 100, 10), 0, 1000, state);
  ASSERT_EQ(all.activities.size(), 4u);
  for (const DrawActivity& activity : all.activities) EXPECT_GT(activity.busy[5], 0);
  state.collapsed_processes = {0};  // one alone is read as a whole
  const Layout one = laid_out(timeline, showing(0, 100, 10), 0, 1000, state);
  ASSERT_EQ(one.activities.size(), 1u);
  EXPECT_EQ(one.activities[0].busy[5], 0);
}

TEST(LayoutTest, ACollapsedTrackShowsTheActivityOfAllItsRows) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    builder.slices(thread).complete(0, 50, builder.intern("a"), 1);
    builder.slices(thread).complete(40, 40, builder.intern("b"), 2);  // overlaps
  });
  TimelineState state;
  state.collapsed_tracks = {0};
  const Layout layout = laid_out(timeline, showing(0, 100, 10), 0, 1000, state);
  ASSERT_EQ(layout.activities.size(), 1u);
  EXPECT_NEAR(layout.activities[0].busy[7], 255, 1);
  EXPECT_EQ(layout.activities[0].busy[9], 0);
}

TEST(LayoutTest, DrawsInstantsOnTopOfTheirThread) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    builder.slices(thread).complete(0, 100, builder.intern("a"), 1);
    builder.instant(thread, 30, builder.intern("now"), 2);
  });
  const Layout layout = laid_out(timeline, showing(0, 100, 100));
  EXPECT_EQ(text_of(timeline, layout), "i0@37.5: 30+1 now\n0@46: 0+100 a\n");
  EXPECT_EQ(hit_at(layout, 31, 36).instant.instant, 0u);
  EXPECT_TRUE(hit_at(layout, 31, 36).instant);
  EXPECT_TRUE(hit_at(layout, 50, 48).slice);
}

TEST(LayoutTest, AsksForChildrenOnDiskAndLaysThemOutOnceTheyAreHere) {
  Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    builder.slices(thread).complete(0, 100, builder.intern("a"), 1);
    builder.slices(thread).complete(200, 100, builder.intern("b"), 2);
  });
  Track& track = timeline.tracks[0];
  auto root = std::make_shared<SliceBlock>(*track.blocks[0]);
  root->deferred.push_back({.row = 0, .slice = 1, .source_key = 7, .count = 2});
  track.blocks[0] = root;
  const Viewport view = showing(0, 300, 300);
  Layout layout = laid_out(timeline, view);
  ASSERT_EQ(layout.wanted.size(), 1u);
  EXPECT_EQ(layout.wanted[0].slice, 1u);
  EXPECT_EQ(text_of(timeline, layout), "0@29: 0+100 a 200+100 b missing\n");
  EXPECT_TRUE(laid_out(timeline, showing(0, 30'000, 300)).wanted.empty());  // too thin to matter

  auto loaded = std::make_shared<SliceBlock>();
  loaded->base_depth = 1;
  loaded->parent_slice = 1;
  loaded->child_count = 1;
  const Slice child{.begin_ns = 210, .duration_ns = 50, .name = timeline.strings->intern("child")};
  SliceRow& row = loaded->rows.emplace_back();
  row.chunks.push_back(SliceChunk::seal(std::span(&child, 1), timeline.strings.get()));
  track.blocks.push_back(loaded);
  track.row_count = 2;
  layout = laid_out(timeline, view);
  EXPECT_EQ(layout.wanted.size(), 1u);  // a part of them is there
  EXPECT_EQ(text_of(timeline, layout), "0@29: 0+100 a 200+100 b\n0@48: 210+50 child\n");
  loaded->child_count = 2;
  layout = laid_out(timeline, view);
  EXPECT_TRUE(layout.wanted.empty());
  EXPECT_EQ(text_of(timeline, layout), "0@29: 0+100 a 200+100 b\n0@48: 210+50 child\n");
}

// Which columns of pixels a row covers, by looking at every slice.
std::vector<int> brute_force(const SliceRow& row, const Viewport& view) {
  // 1: covered, 2: so near a border that rounding may decide, 0: free.
  std::vector<int> columns(static_cast<std::size_t>(view.width_px), 0);
  const auto mark = [&](double px, int how) {
    if (px < 0 || px >= static_cast<double>(view.width_px)) return;
    int& column = columns[static_cast<std::size_t>(px)];
    column = column == 1 ? 1 : how;
  };
  for (std::uint64_t i = 0; i < row.count(); ++i) {
    constexpr double kRounding = 1e-3;  // boxes are floats
    const double x0 = view.px_from_ns(row.begin_ns(i));
    const double x1 = view.px_from_ns(row.end_ns(i));
    for (double c = std::max(std::floor(x0 - kRounding), 0.0);
         c <= x1 + kRounding && c < static_cast<double>(view.width_px); ++c) {
      const bool sure = x1 > c + kRounding && x0 < c + 1 - kRounding;
      const bool point = x0 == x1 && x0 > c + kRounding && x0 < c + 1 - kRounding;
      mark(c, sure || point ? 1 : 2);
    }
  }
  return columns;
}

TEST(RowLayoutTest, CoversExactlyTheColumnsThatSlicesCover) {
  std::mt19937_64 random(11);
  StringPool names;
  for (int round = 0; round < 60; ++round) {
    std::vector<Slice> slices;
    SliceRow row;
    const std::size_t count = 1 + random() % 40'000;
    std::int64_t time = static_cast<std::int64_t>(random() % 1000) + 1'700'000'000'000'000'000;
    for (std::size_t i = 0; i < count; ++i) {
      // Bursts, gaps and a few giants.
      const std::uint64_t kind = random() % 1000;
      time += static_cast<std::int64_t>(random() % (kind < 3 ? 1'000'000 : 40));
      const auto length = static_cast<std::int64_t>(random() % (kind > 996 ? 100'000 : 20));
      slices.push_back({.begin_ns = time,
                        .duration_ns = length,
                        .name = names.intern(std::to_string(random() % 50))});
      time += length;
      if (slices.size() == kChunkSlices || i + 1 == count) {
        row.chunks.push_back(SliceChunk::seal(slices, &names));
        slices.clear();
      }
    }
    row.build_lod();
    Viewport view = showing(row.begin_ns(0), time, 500);
    for (int zoom = 0; zoom < 12; ++zoom) {
      std::vector<DrawBox> boxes;
      const double covered_px = lay_out_row(row, view, names, boxes);
      std::vector<int> drawn(static_cast<std::size_t>(view.width_px), 0);
      float last_px = -3;
      for (const DrawBox& box : boxes) {
        ASSERT_GE(box.x_px, last_px);
        last_px = box.x_px;
        for (float c = std::max(std::floor(box.x_px), 0.0f);
             c < box.x_px + box.width_px && c < view.width_px; ++c) {
          drawn[static_cast<std::size_t>(c)] = 1;
        }
      }
      const std::vector<int> expected = brute_force(row, view);
      for (std::size_t c = 0; c < drawn.size(); ++c) {
        if (expected[c] == 2) continue;
        ASSERT_EQ(drawn[c], expected[c])
            << "column " << c << " zoom " << zoom << " round " << round;
      }
      EXPECT_LE(boxes.size(), 2 * drawn.size() + 2);
      EXPECT_LE(covered_px, static_cast<double>(view.width_px) * 1.01 + 2);
      view = zoomed(view, 0.3, static_cast<double>(random() % 500));
    }
  }
}

TEST(RowLayoutTest, CountsEverySliceOfMergedColumns) {
  StringPool names;
  SliceRow row;
  std::vector<Slice> slices;
  constexpr std::uint64_t kCount = 300'000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    slices.push_back({.begin_ns = static_cast<std::int64_t>(i * 10), .duration_ns = 5});
    if (slices.size() < kChunkSlices && i + 1 < kCount) continue;
    row.chunks.push_back(SliceChunk::seal(slices, &names));
    slices.clear();
  }
  row.build_lod();
  std::vector<DrawBox> boxes;
  const double covered_px = lay_out_row(row, showing(0, kCount * 10, 1000), names, boxes);
  EXPECT_EQ(boxes.size(), 1000u);
  EXPECT_NEAR(covered_px, 500, 10);
  std::uint64_t reached = 0;
  for (const DrawBox& box : boxes) {
    EXPECT_LE(box.first, reached);  // nothing is left out between two columns
    reached = box.first + box.count;
  }
  EXPECT_EQ(reached, kCount);
}

// The instants have a row of their own, so that nothing covers the names below.
TEST(LayoutTest, InstantsStandAboveTheFirstRowOfSlices) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    builder.slices(thread).complete(0, 100, builder.intern("a"), 1);
    builder.instant(thread, 50, builder.intern("i"), 2);
  });
  const Layout layout = laid_out(timeline, showing(0, 100, 200));
  ASSERT_EQ(layout.lines.size(), 2u);
  ASSERT_TRUE(layout.lines[0].instants);
  const double half = kDiamondPx + 1;
  EXPECT_GE(static_cast<double>(layout.lines[0].y_px) - half, kProcessHeadPx);
  EXPECT_LE(static_cast<double>(layout.lines[0].y_px) + half,
            static_cast<double>(layout.lines[1].y_px));
}

// A step lies on its slice: the row below is another operation's.
TEST(LayoutTest, StepsLieInTheRowOfTheirSlice) {
  TimelineBuilder builder;
  const AsyncTrackId track = builder.async_track(builder.process("1"), builder.intern("load"));
  builder.async_group(track, {{{0, 100, builder.intern("load"), 1, kNoRecord, 0}, 0}},
                      {{{50, 0, builder.intern("step"), 2, kNoRecord, 0}, 1}});
  builder.async_group(track, {{{10, 100, builder.intern("load"), 3, kNoRecord, 0}, 0}});
  const Timeline timeline = builder.finish();
  const Layout layout = laid_out(timeline, showing(0, 110, 220));
  const auto step = std::ranges::find_if(layout.lines, &DrawLine::instants);
  ASSERT_NE(step, layout.lines.end());
  const auto slice = std::ranges::find_if(
      layout.lines, [](const DrawLine& line) { return !line.instants && line.row == 0; });
  ASSERT_NE(slice, layout.lines.end());
  EXPECT_GT(step->y_px, slice->y_px);
  EXPECT_LE(static_cast<double>(step->y_px) + kStepPx, static_cast<double>(slice->y_px) + kRowPx);
  const Hit hit = hit_at(layout, 100, static_cast<double>(step->y_px) + 1);
  EXPECT_EQ(hit.instant, (InstantRef{TrackId{0}, 0, BlockId{0}, 1}));
}

TEST(LayoutTest, WideInstantsReachOverWhatTheyBelongTo) {
  TimelineBuilder builder;
  const ThreadId a = builder.thread(builder.process("1"), "1");
  const ThreadId b = builder.thread(builder.process("2"), "1");
  builder.slices(a).complete(0, 100, builder.intern("a"), 1);
  builder.slices(b).complete(0, 100, builder.intern("b"), 2);
  builder.wide_instant(a, false, 20, builder.intern("of 1"), 3);
  builder.wide_instant(b, true, 60, builder.intern("of all"), 4);
  const Timeline timeline = builder.finish();
  TimelineState state;
  TrackList tracks;
  tracks.update(timeline, state);
  Layout layout;
  lay_out(timeline, tracks, {showing(0, 100, 100), 0, 1000}, 1, layout);
  ASSERT_EQ(layout.wide.size(), 2u);
  const auto height = [](const WideLine& line) { return line.y1_px - line.y0_px; };
  const WideLine& of_all =
      height(layout.wide[0]) > height(layout.wide[1]) ? layout.wide[0] : layout.wide[1];
  const WideLine& of_one = &of_all == &layout.wide[0] ? layout.wide[1] : layout.wide[0];
  EXPECT_FLOAT_EQ(of_all.y0_px, 0);
  EXPECT_FLOAT_EQ(of_all.y1_px, static_cast<float>(tracks.height_px()));
  EXPECT_FLOAT_EQ(of_one.y0_px, static_cast<float>(tracks.rows()[1].y_px));  // below that of all
  EXPECT_LT(of_one.y1_px, of_all.y1_px);
  // Beside the slices each can be pointed at.
  EXPECT_EQ(hit_at(layout, 60.5, 5).instant.track, of_all.track);
  EXPECT_EQ(hit_at(layout, 20.5, of_one.y0_px + 5).instant.track, of_one.track);
  EXPECT_FALSE(hit_at(layout, 40.5, 5));
  // Whoever hides the track hides the lines.
  state.hidden_tracks.insert(index(of_one.track));
  tracks.update(timeline, state);
  lay_out(timeline, tracks, {showing(0, 100, 100), 0, 1000}, 1, layout);
  EXPECT_EQ(layout.wide.size(), 1u);
}

TEST(HitTest, FindsSlicesMergedOnesAndNothing) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    TrackWriter& slices = builder.slices(thread);
    slices.complete(0, 1000, builder.intern("wide"), 1);
    for (int i = 0; i < 10; ++i) slices.complete(5000 + i, 1, builder.intern("thin"), 2);
  });
  const Layout layout = laid_out(timeline, showing(0, 10'000, 100));
  EXPECT_EQ(hit_at(layout, 5, 35).slice.slice, 0u);
  EXPECT_TRUE(hit_at(layout, 5, 35).slice);
  const Hit merged = hit_at(layout, 51.5, 35);  // beside the column, yet near
  ASSERT_TRUE(merged.merged.has_value());
  EXPECT_EQ(merged.merged->count, 10u);
  EXPECT_FALSE(hit_at(layout, 55, 35));
  EXPECT_FALSE(hit_at(layout, 5, 200));
  const auto total = total_of(timeline, *merged.merged);
  ASSERT_TRUE(total.has_value());
  EXPECT_EQ(total->duration_ns, 10);
  EXPECT_TRUE(total->complete);
}

TEST(HitTest, IgnoresReferencesThatAreNoLongerThere) {
  const Timeline timeline = thread_timeline([](TimelineBuilder& builder, ThreadId thread) {
    builder.slices(thread).complete(0, 1000, builder.intern("a"), 1);
  });
  EXPECT_EQ(row_of(timeline, {TrackId(9), {}, 0, 0}), nullptr);
  EXPECT_EQ(row_of(timeline, {TrackId(0), BlockId(9), 0, 0}), nullptr);
  EXPECT_EQ(row_of(timeline, {TrackId(0), {}, 9, 0}), nullptr);
  EXPECT_EQ(row_of(timeline, {TrackId(0), {}, 0, 9}), nullptr);
  EXPECT_FALSE(total_of(timeline, {TrackId(0), {}, 0, 9, 5}).has_value());
  EXPECT_EQ(total_of(timeline, {TrackId(0), {}, 0, 0, 500})->duration_ns, 1000);
}

}  // namespace
}  // namespace cinderscope
