#include "render/pictures/timeline_picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/picture/picture_file.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/model/measure/negative_weight.h"

namespace cinderscope {
namespace {

Timeline sample(int calls, int depth) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  for (int i = 0; i < calls; ++i) {
    for (int level = 0; level < depth; ++level) {
      slices.complete(1000 * i + level, 900 - 2 * level, builder.intern(fmt::format("f{}", level)),
                      static_cast<RecordOffset>(i * depth + level));
    }
  }
  return builder.finish();
}

Result<DrawList> drawn(TimelinePicture picture, float width_px = 1000, float height_px = 0) {
  const TextMeasure measure(built_in_fonts());
  DrawList list;
  PicturePen pen(list, measure, {});
  const Result<float> height = draw_timeline(picture, pen, {0, 0}, width_px, height_px);
  if (!height) return height.error();
  list.height_px = *height;
  return list;
}

TimelinePicture whole(const Timeline& timeline) {
  TimelinePicture picture{.timeline = timeline, .state = {}};
  picture.state.view = picture_view(timeline, INT64_MIN, INT64_MAX);
  return picture;
}

std::vector<std::string> texts(const DrawList& list) {
  std::vector<std::string> all;
  for (const PictureItem& item : list.items) {
    if (const auto* text = std::get_if<PictureText>(&item)) all.push_back(text->text);
  }
  return all;
}

bool has(const std::vector<std::string>& all, std::string_view text) {
  return std::ranges::find(all, text) != all.end();
}

TEST(TimelinePictureTest, NamesThreadsAndBoxes) {
  const Timeline timeline = sample(2, 2);
  const auto list = drawn(whole(timeline));
  ASSERT_TRUE(list);
  EXPECT_TRUE(has(texts(*list), "Thread 1"));
  EXPECT_TRUE(has(texts(*list), "f0"));
  EXPECT_EQ(list->box_count, 4u);
  EXPECT_TRUE(list->notes.empty());
}

TEST(TimelinePictureTest, MergesUntilTheBoxesFit) {
  const Timeline timeline = sample(2000, 3);
  TimelinePicture picture = whole(timeline);
  picture.most_boxes = 300;
  const auto list = drawn(picture);
  ASSERT_TRUE(list);
  EXPECT_LE(list->box_count, 300u);
  ASSERT_EQ(list->notes.size(), 1u);
  EXPECT_TRUE(list->notes[0].starts_with("Boxes under ")) << list->notes[0];
}

TEST(TimelinePictureTest, KeepsBoxesWithinTheView) {
  const Timeline timeline = sample(3, 2);
  TimelinePicture picture = whole(timeline);
  picture.state.view = picture_view(timeline, 200, 1500);
  picture.state.gutter_px = 100;
  const auto list = drawn(picture, 800);
  ASSERT_TRUE(list);
  for (const PictureItem& item : list->items) {
    const auto* box = std::get_if<PictureBox>(&item);
    if (box == nullptr) continue;
    EXPECT_GE(box->rect.x, 0);
    EXPECT_LE(right_of(box->rect), 800);
  }
}

TEST(TimelinePictureTest, SumsUpRowsBeyondItsDepth) {
  const Timeline timeline = sample(1, 50);
  TimelinePicture picture = whole(timeline);
  picture.depth = 10;
  const auto list = drawn(picture);
  ASSERT_TRUE(list);
  EXPECT_TRUE(has(texts(*list), "40 more rows"));
  EXPECT_LT(list->height_px, 300);
}

TEST(TimelinePictureTest, EndsWhereTheHeightEnds) {
  const Timeline timeline = sample(1, 50);
  const auto list = drawn(whole(timeline), 1000, 200);
  ASSERT_TRUE(list);
  EXPECT_LE(list->height_px, 200);
}

TEST(TimelinePictureTest, SaysThatNothingIsThere) {
  const Timeline timeline = sample(2, 1);
  TimelinePicture picture = whole(timeline);
  picture.state.view = picture_view(timeline, 920, 980);
  const auto list = drawn(picture);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().text, "Nothing lies in this range");
}

TEST(TimelinePictureTest, IsTheSameWithAnyNumberOfThreads) {
  const Timeline timeline = sample(3000, 8);
  TimelinePicture one = whole(timeline), eight = whole(timeline);
  eight.jobs = 8;
  const auto a = drawn(one), b = drawn(eight);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(texts(*a), texts(*b));
  EXPECT_EQ(a->items.size(), b->items.size());
}

TEST(TimelinePictureTest, UnderlinesWhatHasANegativeWeight) {
  const auto items = [](std::uint8_t flags) {
    TimelineBuilder builder;
    builder.slices(builder.thread(builder.process("1"), "1"))
        .complete(0, 900, builder.intern("less"), 1, flags);
    const Timeline timeline = builder.finish();
    const auto list = drawn(whole(timeline));
    return list ? list->items.size() : 0;
  };
  EXPECT_EQ(items(kNegative), items(0) + 1);
}

TEST(TimelinePictureTest, ShowsBookmarksWithTheirNotes) {
  const Timeline timeline = sample(2, 1);
  TimelinePicture picture = whole(timeline);
  picture.state.bookmarks = {{.time_ns = 300, .note = "slow here"}};
  const auto list = drawn(picture);
  ASSERT_TRUE(list);
  EXPECT_TRUE(has(texts(*list), "slow here"));
}

TEST(TimelinePictureTest, RefusesAPngOfTooManyPixels) {
  EXPECT_TRUE(check_png_size(1600, 1000, 2) || !has_cairo());
  const Status refused = check_png_size(1600, 2'100'000, 1);
  ASSERT_FALSE(refused);
  if (has_cairo()) {
    EXPECT_EQ(refused.error().text,
              "A picture of 1 600 × 2 100 000 px would be too large. Show fewer rows (--depth, "
              "--thread) or write SVG.");
  }
}

}  // namespace
}  // namespace cinderscope
