#include "app/window/panels/calls_panel.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class CallsPanelTest : public UnseenWindow {};

TEST_F(CallsPanelTest, IsThereOnlyForTracesWithCalls) {
  open_two_threads();
  EXPECT_FALSE(tab().panel<CallsPanel>().available(*tab().session));
  for (const char* line : {"calls-shown calls", "sort-calls duration", "copy-calls"}) {
    EXPECT_EQ(run(line), "This trace has no list of calls.") << line;
  }
}

}  // namespace
}  // namespace cinderscope
