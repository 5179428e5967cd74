#include "app/window/panels/report_panel.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class ReportPanelTest : public UnseenWindow {};

TEST_F(ReportPanelTest, CountsWhatIsOddAndNothingThatEveryTraceHas) {
  const auto count = [this] { return tab().panel_named("report")->count(*tab().session); };
  open("odd.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},
{"ph":"E","pid":1,"tid":1,"ts":20}])");
  EXPECT_EQ(count(), 1u);
  open("healthy.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},
{"ph":"s","pid":1,"tid":1,"ts":5,"name":"flow","id":1},
{"ph":"c","pid":1,"tid":1,"ts":5,"name":"sync"},)");
  EXPECT_GT(timeline().diagnostics.total(), 0u);
  EXPECT_EQ(count(), 0u);
}

TEST_F(ReportPanelTest, DrawsWhatWasRead) {
  open_two_threads();
  EXPECT_EQ(tab().panel_named("report")->count(*tab().session), 0u);
  run("panel");
  const int without = ImGui::GetDrawData()->TotalVtxCount;
  run("panel report");
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, without + 100);
}

}  // namespace
}  // namespace cinderscope
