#include "render/views/timeline/bookmarks.h"

#include "ingest/build/timeline_builder.h"
#include "render/views/editor/code_editor.h"
#include "tests/unit/render/views/known_images.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class BookmarkViewTest : public ViewWindow {
 protected:
  BookmarkViewTest() {
    TimelineBuilder builder;
    const ThreadId thread = builder.thread(builder.process("1"), "1");
    builder.slices(thread).complete(0, 1'000'000, builder.intern("call"), 0);
    timeline_ = builder.finish();
    state_.gutter_px = 200;
    state_.view = showing(0, 1'000'000, 1000);  // a microsecond a pixel
  }

  Draw drawing() {
    return [this](Actions& actions) {
      view_.draw({.timeline = timeline_,
                  .state = state_,
                  .theme = theme_,
                  .area = kArea,
                  .images = images_},
                 actions);
    };
  }

  static constexpr float kRulerY = 54 + 12;
  Timeline timeline_;
  TimelineState state_;
  TimelineView view_;
  KnownImages images_;
};

std::string commands_of(const Actions& actions) {
  std::string all;
  for (const Action& action : actions) {
    if (const auto* call = std::get_if<RunCommand>(&action)) {
      all += call->name + " " + call->argument + ";";
    }
  }
  return all;
}

TEST_F(BookmarkViewTest, AFlagTakesClicks) {
  state_.bookmarks = {{.begin_ns = 0, .end_ns = 9, .time_ns = 300'000},
                      {.begin_ns = 0, .end_ns = 9, .time_ns = 700'000}};
  EXPECT_EQ(commands_of(click(200 + 302, kRulerY, drawing())), "next-bookmark 1;");
  EXPECT_EQ(commands_of(click(200 + 702, kRulerY, drawing(), 1)), "context-menu bookmark 2;");
  EXPECT_EQ(commands_of(click(200 + 500, kRulerY, drawing())), "");
}

TEST_F(BookmarkViewTest, AFlagFliesAboveTheTimesOfTheRuler) {
  state_.bookmarks = {{.begin_ns = 0, .end_ns = 9, .time_ns = 380'000}};
  frame(drawing());
  frame(drawing());
  float lowest = 0;
  for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[0]->VtxBuffer) {
    const bool right_of_pole = vertex.pos.x > 200 + 382 && vertex.pos.x < 200 + 389;
    if (right_of_pole && vertex.pos.y > 54 && vertex.pos.y < 54 + 26 &&
        vertex.col == theme_.colours.dim) {
      lowest = std::max(lowest, vertex.pos.y);
    }
  }
  EXPECT_GT(lowest, 54);
  EXPECT_LT(lowest, 54 + 9);
}

TEST_F(BookmarkViewTest, DrawsOneFlagForAllOfOneColumn) {
  Actions none;
  frame(drawing());
  frame(drawing());
  const std::size_t before = vertices();
  for (int i = 0; i < 5000; ++i) {
    state_.bookmarks.push_back({.begin_ns = 0, .end_ns = 9, .time_ns = 500'000 + i / 100});
  }
  frame(drawing());
  EXPECT_GT(vertices(), before);
  EXPECT_LT(vertices(), before + 200);
}

TEST_F(BookmarkViewTest, StandsPlacesOutsideAndAnyNote) {
  state_.bookmarks = {{.begin_ns = 0, .end_ns = 9, .time_ns = INT64_MIN},
                      {.begin_ns = 0,
                       .end_ns = 9,
                       .time_ns = 400'000,
                       .note = "\xff\n\xe2\x80\xae" + std::string(1 << 20, 'x')},
                      {.begin_ns = 0, .end_ns = 9, .time_ns = INT64_MAX}};
  const Draw draw = drawing();
  ImGui::GetIO().MousePos = {200 + 402, kRulerY};
  frame(draw);
  frame(draw);
  EXPECT_GT(vertices(), 0u);
}

TEST_F(BookmarkViewTest, TheNoteIsDoneOnceAnotherPlaceIsClicked) {
  CodeEditor note;
  note.text().reset("old");
  bool done = false;
  const Draw draw = [&](Actions&) {
    done |= draw_note_field(theme_, {200, 54, 1000, 24}, 1190, note);
  };
  frame(draw);
  frame(draw);
  click(1000, 64, draw);  // in the field, which stays within the ruler
  EXPECT_FALSE(done);
  EXPECT_EQ(note.text().caret(), 3U);
  // Below the ruler the field goes on where it has more lines.
  note.text().insert("\nand\nmore");
  frame(draw);
  click(1000, 100, draw);
  EXPECT_FALSE(done);
  click(300, 300, draw);
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace cinderscope
