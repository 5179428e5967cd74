#include "app/window/panels/report_panel.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class ReportPanelTest : public UnseenWindow {};

TEST_F(ReportPanelTest, CountsWhatIsOddInAccent) {
  open("odd.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},
{"ph":"E","pid":1,"tid":1,"ts":20}])");
  const PanelCount count = tab().panel_named("report")->count(*tab().session);
  EXPECT_EQ(count.count, 1u);
  EXPECT_TRUE(count.in_accent);
}

TEST_F(ReportPanelTest, DrawsWhatWasRead) {
  open_two_threads();
  EXPECT_EQ(tab().panel_named("report")->count(*tab().session).count, 0u);
  run("panel");
  const int without = ImGui::GetDrawData()->TotalVtxCount;
  run("panel report");
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, without + 100);
}

}  // namespace
}  // namespace cinderscope
