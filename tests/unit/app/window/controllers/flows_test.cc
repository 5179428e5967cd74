#include "app/window/controllers/flows.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

// launch on main leads to kernel, then copy, on worker; kernel leads on to done on main, and a
// second flow from launch goes to free.
constexpr std::string_view kFlows = R"([
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"launch"},
{"ph":"X","pid":1,"tid":2,"ts":200,"dur":100,"name":"kernel"},
{"ph":"X","pid":1,"tid":1,"ts":400,"dur":100,"name":"done"},
{"ph":"X","pid":1,"tid":2,"ts":600,"dur":100,"name":"free"},
{"ph":"X","pid":1,"tid":2,"ts":800,"dur":100,"name":"alone"},
{"ph":"s","pid":1,"tid":1,"ts":10,"id":1,"cat":"c","name":"go"},
{"ph":"t","pid":1,"tid":2,"ts":210,"id":1,"cat":"c","name":"go"},
{"ph":"f","pid":1,"tid":1,"ts":410,"id":1,"cat":"c","name":"go","bp":"e"},
{"ph":"s","pid":1,"tid":1,"ts":20,"id":2,"cat":"c","name":"go"},
{"ph":"f","pid":1,"tid":2,"ts":610,"id":2,"cat":"c","name":"go","bp":"e"}])";

class FlowsControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open("flows.json", kFlows);
  }
  std::string after(std::string_view key) {
    press(key);
    return selected_name();
  }
};

TEST_F(FlowsControllerTest, KeysGoAlongTheChainAndBack) {
  EXPECT_TRUE(find("launch"));
  EXPECT_EQ(after("E"), "kernel");
  EXPECT_EQ(after("E"), "done");
  EXPECT_EQ(after("Q"), "kernel");
  EXPECT_EQ(after("Q"), "launch");
  EXPECT_TRUE(find("done"));
  EXPECT_EQ(after("Q"), "kernel");  // from the end, too
  EXPECT_EQ(after("Q"), "launch");
}

TEST_F(FlowsControllerTest, AgainTakesTheNextOfSeveralFlows) {
  EXPECT_TRUE(find("launch"));
  EXPECT_EQ(after("E"), "kernel");
  EXPECT_EQ(after("Q"), "launch");
  EXPECT_EQ(after("E"), "free");
  EXPECT_EQ(shell_->message(), "flow 2 of 2");
  EXPECT_EQ(after("E"), "kernel");  // the flow ended there: the first again
}

TEST_F(FlowsControllerTest, SaysWhereNoFlowLeads) {
  EXPECT_EQ(run("follow-flow"), "Select a call first: its flows are followed.");
  EXPECT_TRUE(find("alone"));
  EXPECT_EQ(run("follow-flow"), "No flow leads on from this call.");
  EXPECT_EQ(run("follow-flow-back"), "No flow leads to this call.");
  EXPECT_EQ(selected_name(), "alone");
}

TEST_F(FlowsControllerTest, BringsTheOtherEndIntoSight) {
  EXPECT_TRUE(find("launch"));
  EXPECT_EQ(after("E"), "kernel");
  EXPECT_GT(state().view.end_ns(), 200'000);
}

TEST_F(FlowsControllerTest, StatisticsFlameGraphAndSearchAreLimitedToWhatIsConnected) {
  EXPECT_TRUE(find("kernel"));
  EXPECT_EQ(run("panel statistics"), "");
  EXPECT_EQ(run("scope connected"), "");
  EXPECT_EQ(run("copy-statistics"), "");
  for (const char* name : {"launch", "kernel", "done"}) {
    EXPECT_NE(copied_.find(name), std::string::npos) << copied_;
  }
  for (const char* name : {"free", "alone"}) {
    EXPECT_EQ(copied_.find(name), std::string::npos) << copied_;
  }
  EXPECT_EQ(run("search /./"), "");
  EXPECT_EQ(tab().search.matches()->count(), 5u);
  EXPECT_EQ(run("search-scope connected"), "");
  EXPECT_EQ(tab().search.matches()->count(), 3u);
  EXPECT_TRUE(find("alone"));
  EXPECT_EQ(tab().search.matches()->count(), 3u);  // it stays what it was connected with
}

}  // namespace
}  // namespace cinderscope
