#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "ingest/base/chunk_arena.h"
#include "ingest/build/timeline_builder.h"
#include "render/layout/hit.h"
#include "render/layout/layout.h"

namespace cinderscope {
namespace {

// Bytes of chunks that are not at hand, except for some.
class FarArena final : public ChunkArena, private ChunkPages {
 public:
  const std::byte* keep(std::span<const std::byte> bytes) override {
    const std::size_t words = bytes.size() / sizeof(std::uint32_t) + 1;
    auto& kept = kept_.emplace_back(words);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(kept.data()));
    return reinterpret_cast<const std::byte*>(kept.data());
  }
  const ChunkPages* pages() const override { return this; }

  bool all_there = false;
  const std::byte* there = nullptr;

 private:
  bool at_hand(std::span<const std::byte> bytes) const override {
    return all_there || bytes.data() == there;
  }

  std::deque<std::vector<std::uint32_t>> kept_;
};

struct FarTrace {
  std::shared_ptr<FarArena> arena = std::make_shared<FarArena>();
  Timeline timeline;
  TrackList tracks;

  // Slices of 8 ns each 10 ns.
  explicit FarTrace(std::int64_t slices) {
    TimelineBuilder builder;
    builder.strings()->keep_chunks_in(arena);
    TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
    for (std::int64_t i = 0; i < slices; ++i) {
      writer.complete(i * 10, 8, builder.intern("f"), static_cast<RecordOffset>(i));
    }
    timeline = builder.finish();
    tracks.update(timeline, {});
  }
  const SliceRow& row() const { return timeline.tracks.at(0).root().rows.at(0); }
  Layout laid_out(std::int64_t begin_ns, std::int64_t end_ns, bool waits) const {
    Layout layout;
    lay_out(timeline, tracks, {showing(begin_ns, end_ns, 500), 0, 1000}, 1, layout, waits);
    return layout;
  }
};

float covered_px(const Layout& layout) {
  float sum = 0;
  for (const DrawBox& box : layout.lines.at(0).boxes) {
    sum += box.thin() ? static_cast<float>(box.tint.busy) / 255 : box.width_px;
  }
  return sum;
}

TEST(MissingSlicesTest, AreDrawnByWhatSumsThemUp) {
  const FarTrace trace(20'000);
  const Layout plain = trace.laid_out(50'000, 52'000, true);
  EXPECT_FALSE(plain.missing);
  const Layout far = trace.laid_out(50'000, 52'000, false);
  EXPECT_TRUE(far.missing);
  ASSERT_EQ(far.lines.size(), 1u);
  EXPECT_NEAR(covered_px(far), covered_px(plain), 20);
  float last_px = -1;
  for (const DrawBox& box : far.lines[0].boxes) {
    EXPECT_TRUE(box.thin());
    EXPECT_EQ(box.count, kUpperSlices);
    EXPECT_GT(box.x_px, last_px);
    last_px = box.x_px;
  }
}

TEST(MissingSlicesTest, AreTheSameOnceTheyAreThere) {
  const FarTrace trace(20'000);
  trace.arena->all_there = true;
  const Layout plain = trace.laid_out(50'000, 52'000, true);
  const Layout far = trace.laid_out(50'000, 52'000, false);
  EXPECT_FALSE(far.missing);
  ASSERT_EQ(far.lines[0].boxes.size(), plain.lines[0].boxes.size());
  for (std::size_t i = 0; i < plain.lines[0].boxes.size(); ++i) {
    EXPECT_EQ(far.lines[0].boxes[i].x_px, plain.lines[0].boxes[i].x_px);
    EXPECT_EQ(far.lines[0].boxes[i].name, plain.lines[0].boxes[i].name);
  }
}

// A view from afar needs none of them.
TEST(MissingSlicesTest, AreNotNeededFromAfar) {
  const FarTrace trace(200'000);
  const Layout far = trace.laid_out(0, 2'000'000, false);
  EXPECT_FALSE(far.missing);
  EXPECT_GT(covered_px(far), 300);
}

TEST(MissingSlicesTest, ThoseBesideThemAreDrawnAsTheyAre) {
  const FarTrace trace(20'000);
  const std::size_t chunk = 5;
  trace.arena->there = trace.row().chunks[chunk]->bytes().data();
  const std::int64_t border_ns = trace.row().chunks[chunk]->first_begin_ns();
  const Layout far = trace.laid_out(border_ns - 1000, border_ns + 1000, false);
  EXPECT_TRUE(far.missing);
  std::size_t slices = 0;
  for (const DrawBox& box : far.lines.at(0).boxes) {
    if (box.thin()) {
      EXPECT_LT(box.x_px, 251);
    } else {
      EXPECT_GE(box.x_px, 249);
      EXPECT_EQ(trace.timeline.text(box.name), "f");
      ++slices;
    }
  }
  EXPECT_EQ(slices, 100u);
}

TEST(MissingSlicesTest, NobodyWaitsForTheirSum) {
  const FarTrace trace(20'000);
  const MergedSlices merged{TrackId{0}, BlockId{0}, 0, 1000, 5000};
  EXPECT_FALSE(total_of(trace.timeline, merged, false));
  EXPECT_EQ(total_of(trace.timeline, merged)->duration_ns, 40'000);
  trace.arena->there = trace.row().chunks[0]->bytes().data();
  const auto some = total_of(trace.timeline, merged, false);
  ASSERT_TRUE(some);
  EXPECT_FALSE(some->complete);
  EXPECT_EQ(some->duration_ns, 24 * 8);
}

}  // namespace
}  // namespace cinderscope
