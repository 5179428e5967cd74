#include "app/window/panels/search_panel.h"

#include "app/window/panels/search_facts.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SearchPanelTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
    run("panel search");
  }
};

TEST_F(SearchPanelTest, CountsTheMatchesBehindItsName) {
  SearchPanel& panel = static_cast<SearchPanel&>(*tab().panel_named("search"));
  EXPECT_EQ(panel.count(*tab().session), 0u);
  run("search step");
  EXPECT_EQ(panel.count(*tab().session), 2u);
}

TEST_F(SearchPanelTest, TellsWhatWasFound) {
  run("search step");
  SearchFacts facts = search_facts(tab().search, tab().disk, *tab().session);
  EXPECT_EQ(facts.matches, 2u);
  EXPECT_EQ(facts.current, 0u);
  EXPECT_TRUE(facts.complete);
  run("next-match");
  EXPECT_EQ(search_facts(tab().search, tab().disk, *tab().session).current, 1u);
  run("search /(/");
  EXPECT_NE(search_facts(tab().search, tab().disk, *tab().session).error, "");
}

TEST_F(SearchPanelTest, AClickOnALineSelectsTheMatch) {
  run("search job");
  click_down_panel(60, [this] { return !selected_name().empty(); });
  EXPECT_EQ(selected_name(), "job");
}

}  // namespace
}  // namespace cinderscope
