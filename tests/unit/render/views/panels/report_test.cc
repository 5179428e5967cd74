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

}  // namespace
}  // namespace cinderscope
