#include "app/window/panels/flame_graph_panel.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class FlameGraphPanelTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
  // What was added up, as scripts see it.
  std::string json() { return tab().panel<FlameGraphPanel>().state_json(*tab().session); }
  bool says(std::string_view text) { return json().find(text) != std::string::npos; }
};

TEST_F(FlameGraphPanelTest, AddsCallsUpOnceItIsSeen) {
  EXPECT_EQ(json(), "null");
  run("panel flame-graph");
  EXPECT_TRUE(says("\"name\": \"work\"") || says("\"name\":\"work\"")) << json();
}

TEST_F(FlameGraphPanelTest, TurnsRoundAndShowsOneFunction) {
  EXPECT_EQ(run("flame-graph callers"), "");
  EXPECT_TRUE(says("\"by_callers\": true") || says("\"by_callers\":true")) << json();
  EXPECT_EQ(run("flame-graph function"), "No call is selected.");
  EXPECT_EQ(run("flame-graph function step"), "");
  EXPECT_TRUE(says("\"function\": \"step\"") || says("\"function\":\"step\"")) << json();
  EXPECT_EQ(run("flame-graph callees step"),
            "Only \"function\", \"drop\", \"focus\" and \"weight\" take a name.");
  EXPECT_EQ(run("flame-graph upwards"),
            "flame-graph takes callees, callers, function, time, calls, weight, drop, focus, "
            "fold or all, not \"upwards\".");
}

}  // namespace
}  // namespace cinderscope
