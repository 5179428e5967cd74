// Steps, objects, wide instants and counters in the window: drawn, and selected by a click.
#include "ingest/build/timeline_builder.h"
#include "render/views/timeline/timeline.h"
#include "tests/unit/render/views/known_images.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class MarksViewTest : public ViewWindow {
 protected:
  MarksViewTest() {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    const ThreadId thread = builder.thread(process, "1");
    builder.slices(thread).complete(0, 1'000'000, builder.intern("call"), 0);
    builder.instant(thread, 250'000, builder.intern("of the thread"), 1);
    builder.wide_instant(thread, true, 500'000, builder.intern("of all"), 2);
    const AsyncTrackId async = builder.async_track(process, builder.intern("load"));
    builder.async_group(async, {{{100'000, 800'000, builder.intern("load"), 3, kNoRecord, 0}, 0}},
                        {{{300'000, 0, builder.intern("step"), 4, kNoRecord, 0}, 3},
                         {{950'000, 0, builder.intern("lone step"), 5, kNoRecord, 0}, kNoRecord}});
    const CounterId counter = builder.counter(process, builder.intern("memory"));
    builder.counter_value(counter, builder.intern("used"), 0, 5);
    builder.counter_value(counter, builder.intern("used"), 600'000, 7);
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

  Timeline timeline_;
  TimelineState state_;
  TimelineView view_;
  KnownImages images_;
};

// The indices of every list must mean vertices of that list, whatever is drawn between batches.
TEST_F(MarksViewTest, DrawsMarksOnAndBesideTheirSlices) {
  frame(drawing());
  frame(drawing());
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      for (unsigned k = 0; k < command.ElemCount; ++k) {
        const unsigned vertex =
            command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + k)];
        ASSERT_LT(vertex, static_cast<unsigned>(list.VtxBuffer.Size));
      }
    }
  }
}

TEST_F(MarksViewTest, ClicksSelectStepsInstantsAndCounters) {
  std::set<std::string> names;
  bool counter = false;
  for (float y = 82; y < kArea.height; y += 2) {
    for (const float x : {451.0f, 501.0f, 701.0f, 1151.0f}) {
      for (const Action& action : click(x, y, drawing())) {
        if (const auto* one = std::get_if<SelectInstant>(&action)) {
          const SliceRow* row = instants_of(timeline_, one->instant);
          ASSERT_NE(row, nullptr);
          names.insert(std::string(timeline_.text(row->name(one->instant.instant))));
        } else if (const auto* of = std::get_if<SelectCounter>(&action)) {
          counter = true;
          EXPECT_EQ(timeline_.tracks[index(of->counter.track)].kind, TrackKind::counter);
        }
      }
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"of the thread", "of all", "step", "lone step"}));
  EXPECT_TRUE(counter);
}

}  // namespace
}  // namespace cinderscope
