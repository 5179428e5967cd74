#include "render/views/panels/report.h"

#include "ingest/build/timeline_builder.h"
#include "render/text/report_text.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class ReportViewTest : public ViewWindow {
 protected:
  Draw drawn(Rect area = kArea) {
    return [this, area](Actions& actions) {
      draw_report({.report = {.timeline = timeline_,
                              .format = "Google JSON trace",
                              .path = "/a\n/b\xff.json",
                              .stored_bytes = 10,
                              .inflated_bytes = 1000,
                              .load_seconds = 0.038},
                   .theme = theme_,
                   .area = area},
                  actions);
    };
  }
  Timeline timeline_;
};

TEST_F(ReportViewTest, SaysInPlainWordsWhatWasRead) {
  timeline_.slice_count = 98'212;
  timeline_.diagnostics.count(diagnostic::kStrayEnd, 5, {}, 3);
  EXPECT_EQ(report_sentence(timeline_, ReadState::whole),
            "All 98 212 slices were read. 3 notes (1 kind).");
  timeline_.diagnostics.count(diagnostic::kUnfinished, 9);
  EXPECT_EQ(report_sentence(timeline_, ReadState::loading),
            "Loading: 98 212 slices so far. 4 notes (2 kinds).");
  EXPECT_EQ(report_sentence(timeline_, ReadState::stopped),
            "Loading was stopped; 98 212 slices had been read by then. 4 notes (2 kinds).");
  EXPECT_EQ(report_sentence({}, ReadState::whole),
            "The whole file was read; there are no slices in it. No problems.");
}

TEST_F(ReportViewTest, OffersToWriteTheIndexWhereThatIsOfUse) {
  const Timeline timeline = TimelineBuilder().finish();
  for (const bool offers : {false, true}) {
    const std::vector<RunCommand> found = click_everywhere<RunCommand>(
        [&](Actions& actions) {
          draw_report(
              {.report = {.timeline = timeline, .on_disk = "counting the calls on disk, 40 %"},
               .theme = theme_,
               .area = kArea,
               .offers_index = offers},
              actions);
        },
        20);
    ASSERT_EQ(!found.empty(), offers);
    if (offers) {
      EXPECT_EQ(found[0].name, "write-index");
    }
  }
}

TEST_F(ReportViewTest, CopiesTheOffsetOfTheFirstCase) {
  timeline_.diagnostics.count(diagnostic::kStrayEnd, 123'456);
  bool copied = false;
  for (const CopyText& copy : click_everywhere<CopyText>(drawn(), 11)) {
    copied |= copy.text == "123456";
  }
  EXPECT_TRUE(copied);
}

TEST_F(ReportViewTest, BuildsOnlyVisibleRowsOfAHundredThousandNotes) {
  for (int i = 0; i < 100'000; ++i) {
    timeline_.notes.push_back({"key\n" + std::to_string(i), std::string(200, '\x80')});
    timeline_.diagnostics.count({.code = "code_" + std::to_string(i), .severity = Severity::odd}, i,
                                "a\nb");
  }
  EXPECT_TRUE(frame(drawn()).empty());
  frame(drawn());
  EXPECT_LT(vertices(), 60'000u);
}

TEST_F(ReportViewTest, DrawsInNoRoom) {
  timeline_.diagnostics.count(diagnostic::kStrayEnd, 1);
  EXPECT_TRUE(frame(drawn({0, 0, 0, 0})).empty());
}

TEST_F(ReportViewTest, SwitchesPanelTabsByAClick) {
  std::size_t active = 0;
  const std::vector<PanelTab> tabs = {{"Details"}, {"Load report", 1234, true}};
  const Draw draw = [&](Actions&) {
    active = draw_panel_tabs(theme_, {0, 0, 1200, 32}, tabs, active);
  };
  click(120, 16, draw);
  EXPECT_EQ(active, 1u);
  click(30, 16, draw);
  EXPECT_EQ(active, 0u);
  click(900, 16, draw);
  EXPECT_EQ(active, 0u);
}

}  // namespace
}  // namespace cinderscope
