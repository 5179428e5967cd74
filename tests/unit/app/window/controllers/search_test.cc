#include "app/window/controllers/search.h"

#include "app/window/panels/search_facts.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SearchControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
};

TEST_F(SearchControllerTest, StepsThroughTheMatchesAndSelectsThem) {
  EXPECT_EQ(run("search step"), "");
  EXPECT_EQ(match_count_text(tab().search, tab().disk, *tab().session), "2");
  EXPECT_EQ(run("next-match"), "");
  EXPECT_EQ(selected_name(), "step");
  EXPECT_EQ(match_count_text(tab().search, tab().disk, *tab().session), "1 of 2");
  run("next-match");
  EXPECT_EQ(match_count_text(tab().search, tab().disk, *tab().session), "2 of 2");
  run("next-match");
  EXPECT_EQ(shell_->message(), "first match again");
  run("previous-match");
  EXPECT_EQ(match_count_text(tab().search, tab().disk, *tab().session), "2 of 2");
}

TEST_F(SearchControllerTest, SaysWhereNothingMatches) {
  run("search nobody");
  run("next-match");
  EXPECT_EQ(shell_->message(), "no match");
  EXPECT_EQ(match_count_text(tab().search, tab().disk, *tab().session), "no match");
}

TEST_F(SearchControllerTest, NothingIsDimmedWhereNothingMatches) {
  EXPECT_EQ(controllers().search->lit(tab()), nullptr);
  run("search step");
  ASSERT_NE(controllers().search->lit(tab()), nullptr);
  EXPECT_EQ(controllers().search->lit(tab())->count(), 2u);
  run("search nothing");
  EXPECT_EQ(controllers().search->lit(tab()), nullptr);
}

TEST_F(SearchControllerTest, UnfoldsTheThreadOfAMatch) {
  run("collapse worker");
  run("hide worker");
  run("search job");
  run("next-match");
  EXPECT_EQ(selected_name(), "job");
  EXPECT_TRUE(state().hidden_tracks.empty());
  EXPECT_TRUE(state().collapsed_tracks.empty());
}

TEST_F(SearchControllerTest, TakesTypingOnceItHasTheFocusAndGivesItUpByEscape) {
  press("Ctrl+F");
  type("job");
  EXPECT_EQ(tab().search.text(), "job");
  press("Enter");
  EXPECT_EQ(selected_name(), "job");
  press("Escape");
  EXPECT_EQ(tab().search.text(), "");
  EXPECT_EQ(selected_name(), "job");
}

TEST_F(SearchControllerTest, SearchesAPartOnlyWhereThereIsOne) {
  run("search step");
  EXPECT_NE(run("search-scope range"), "");
  run("select-range 0 350000");
  EXPECT_EQ(run("search-scope range"), "");
  EXPECT_EQ(match_count(tab().search, tab().disk), 1u);
  EXPECT_EQ(run("search-scope trace"), "");
  EXPECT_EQ(match_count(tab().search, tab().disk), 2u);
}

}  // namespace
}  // namespace cinderscope
