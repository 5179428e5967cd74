#include "render/views/timeline/draw_runs.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class DrawRunsTest : public ViewWindow {
 protected:
  // The runs of what `draw` adds to an empty list.
  std::vector<DrawRun> runs_of(const std::function<void(ImDrawList&)>& draw) {
    std::vector<DrawRun> runs;
    frame([](Actions&) {});
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {1200, 400});
    list.PushTextureID(texture_id(imgui_.kFontTexture));
    draw(list);
    indices_ = static_cast<unsigned>(list.IdxBuffer.Size);
    split_into_runs(list, list.CmdBuffer.front(), ImGui::GetIO().Fonts->TexUvWhitePixel, runs);
    return runs;
  }
  unsigned indices_ = 0;  // of the whole list
};

constexpr ImU32 kSolid = IM_COL32(20, 40, 60, 255), kThin = IM_COL32(20, 40, 60, 90);

TEST_F(DrawRunsTest, ALargeSolidAreaIsDrawnWithoutBlending) {
  const auto runs = runs_of([](ImDrawList& list) {
    list.AddRectFilled({0, 0}, {600, 300}, kSolid);
  });
  EXPECT_EQ(runs, (std::vector<DrawRun>{{RunKind::opaque, 0, 6}}));
}

TEST_F(DrawRunsTest, WhatCanBeSeenThroughIsBlended) {
  const auto runs = runs_of([](ImDrawList& list) {
    list.AddRectFilled({0, 0}, {600, 300}, kThin);
  });
  EXPECT_EQ(runs, (std::vector<DrawRun>{{RunKind::plain, 0, 6}}));
}

TEST_F(DrawRunsTest, CornersOfSeveralColoursAreBlended) {
  const auto runs = runs_of([](ImDrawList& list) {
    list.AddRectFilledMultiColor({0, 0}, {600, 300}, kSolid, kThin, kThin, kSolid);
  });
  EXPECT_EQ(runs, (std::vector<DrawRun>{{RunKind::plain, 0, 6}}));
}

TEST_F(DrawRunsTest, TextKeepsItsTexture) {
  const auto runs = runs_of([](ImDrawList& list) { list.AddText({10, 10}, kSolid, "words"); });
  EXPECT_EQ(runs, (std::vector<DrawRun>{{RunKind::textured, 0, 5 * 6}}));
}

TEST_F(DrawRunsTest, KeepsTheOrderOfWhatLiesOverEachOther) {
  const auto runs = runs_of([](ImDrawList& list) {
    list.AddRectFilled({0, 0}, {600, 300}, kSolid);
    list.AddText({10, 10}, kSolid, "a");
    list.AddRectFilled({0, 0}, {600, 300}, kSolid);
  });
  EXPECT_EQ(runs,
            (std::vector<DrawRun>{
                {RunKind::opaque, 0, 6}, {RunKind::textured, 6, 6}, {RunKind::opaque, 12, 6}}));
}

TEST_F(DrawRunsTest, SmallAreasBetweenLettersAreNoRunsOfTheirOwn) {
  const auto runs = runs_of([](ImDrawList& list) {
    for (int i = 0; i < 50; ++i) {
      const auto x = static_cast<float>(20 * i);
      list.AddText({x, 10}, kSolid, "a");
      list.AddRectFilled({x, 30}, {x + 10, 40}, i % 2 == 0 ? kSolid : kThin);
    }
  });
  EXPECT_EQ(runs, (std::vector<DrawRun>{{RunKind::textured, 0, 50 * 12}}));
}

TEST_F(DrawRunsTest, ManySmoothedShapesAreOneRun) {
  const auto runs = runs_of([](ImDrawList& list) {
    for (int i = 0; i < 200; ++i) {
      const auto x = static_cast<float>(5 * i);
      list.AddQuadFilled({x, 20}, {x + 5, 25}, {x, 30}, {x - 5, 25}, kSolid);
    }
  });
  unsigned covered = 0;
  for (const DrawRun& run : runs) {
    EXPECT_EQ(run.first_index, covered);
    covered += run.index_count;
  }
  EXPECT_EQ(covered, indices_);
  EXPECT_LE(runs.size(), 2u);
  EXPECT_EQ(runs.back().kind, RunKind::plain);
}

TEST_F(DrawRunsTest, WhatTheClipHidesIsNoLargeArea) {
  const auto runs = runs_of([](ImDrawList& list) {
    list.AddRectFilled({5000, 5000}, {9000, 9000}, kSolid);
  });
  EXPECT_EQ(runs, (std::vector<DrawRun>{{RunKind::textured, 0, 6}}));
}

TEST_F(DrawRunsTest, APictureIsDrawnAsItIsUnlessItIsTinted) {
  frame([](Actions&) {});
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushClipRect({0, 0}, {1200, 400});
  const ImTextureID picture = texture_id(3);
  list.PushTextureID(picture);
  list.AddImage(picture, {0, 0}, {100, 100});
  EXPECT_EQ(run_of_picture(list, list.CmdBuffer.front()), (DrawRun{RunKind::picture, 0, 6}));
  list.AddImage(picture, {0, 0}, {100, 100}, {0, 0}, {1, 1}, kThin);
  EXPECT_EQ(run_of_picture(list, list.CmdBuffer.front()), (DrawRun{RunKind::textured, 0, 12}));
}

}  // namespace
}  // namespace cinderscope
