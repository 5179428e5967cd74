#include "app/window/controllers/bookmarks.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class BookmarksControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
  const std::vector<Bookmark>& marks() { return state().bookmarks; }
  void set(const char* range, const char* note) {
    run(std::string("zoom-to ") + range);
    run(std::string("bookmark ") + note);
  }
};

TEST_F(BookmarksControllerTest, AreKeptInTheOrderOfTime) {
  set("600000 700000", "late");
  set("100000 200000", "early");
  ASSERT_EQ(marks().size(), 2u);
  EXPECT_EQ(marks()[0].note, "early");
  EXPECT_EQ(marks()[1].note, "late");
}

TEST_F(BookmarksControllerTest, ASecondOneAtTheSamePlaceChangesTheNote) {
  set("100000 200000", "one");
  EXPECT_EQ(run("bookmark other words"), "");
  ASSERT_EQ(marks().size(), 1u);
  EXPECT_EQ(marks()[0].note, "other words");
}

TEST_F(BookmarksControllerTest, StepsGoRound) {
  EXPECT_EQ(run("next-bookmark"), "There are no bookmarks; M sets one.");
  run("bind bookmark Ctrl+M");
  EXPECT_EQ(run("next-bookmark"), "There are no bookmarks; Ctrl+M sets one.");
  set("100000 200000", "early");
  set("600000 700000", "late");
  const auto shown = [this] { return controllers().bookmarks->here(); };
  EXPECT_EQ(run("next-bookmark 1"), "");
  EXPECT_EQ(shown(), 0u);
  EXPECT_EQ(run("next-bookmark"), "");
  EXPECT_EQ(shown(), 1u);
  EXPECT_EQ(run("next-bookmark"), "");
  EXPECT_EQ(shell_->message(), "first bookmark again");
  EXPECT_EQ(run("previous-bookmark"), "");
  EXPECT_EQ(shell_->message(), "last bookmark again");
  EXPECT_EQ(shown(), 1u);
  EXPECT_EQ(run("next-bookmark 3"), "There is no bookmark 3.");
}

TEST_F(BookmarksControllerTest, AreRemovedByNumberOrHere) {
  set("100000 200000", "early");
  set("600000 700000", "late");
  EXPECT_EQ(run("remove-bookmark 1"), "");
  EXPECT_EQ(marks().size(), 1u);
  EXPECT_EQ(run("remove-bookmark"), "");
  EXPECT_TRUE(marks().empty());
  EXPECT_EQ(run("remove-bookmark"), "There is no bookmark here.");
}

TEST_F(BookmarksControllerTest, EscapeTakesBackOneWhoseNoteIsBeingWritten) {
  press("M");
  ASSERT_EQ(marks().size(), 1u);
  EXPECT_TRUE(controllers().bookmarks->writing());
  press("Escape");
  EXPECT_FALSE(controllers().bookmarks->writing());
  EXPECT_TRUE(marks().empty());
}

TEST_F(BookmarksControllerTest, TakesTheNoteThatIsTyped) {
  press("M");
  type("slow");
  press("Enter");
  ASSERT_EQ(marks().size(), 1u);
  EXPECT_EQ(marks()[0].note, "slow");
  EXPECT_FALSE(controllers().bookmarks->writing());
}

TEST_F(BookmarksControllerTest, NotesAreEditedAsTextsAre) {
  press("M");
  shell_->input().push_back(CharacterTyped{U'\U0001f600'});  // beyond 16 bits
  type("slow parts");
  press("Ctrl+Backspace");
  press("Shift+Enter");
  type("here");
  press("Home");
  press("Ctrl+Z");
  press("Ctrl+Y");
  EXPECT_EQ(state().bookmarks.size(), 1u);  // letters are no keys of the window
  press("Enter");
  EXPECT_EQ(marks()[0].note, "\U0001f600slow \nhere");
  // Again: all of it is selected, and stays where nothing else is entered.
  press("M");
  ASSERT_TRUE(controllers().bookmarks->writing());
  type("x");
  press("Escape");
  EXPECT_EQ(marks()[0].note, "\U0001f600slow \nhere");
  press("M");
  type("short");
  press("Enter");
  EXPECT_EQ(marks()[0].note, "short");
}

TEST_F(BookmarksControllerTest, AClickElsewhereKeepsTheNote) {
  press("M");
  type("kept");
  click(600, 500);
  EXPECT_FALSE(controllers().bookmarks->writing());
  EXPECT_EQ(marks()[0].note, "kept");
}

TEST_F(BookmarksControllerTest, TheKeyThatOpensTheFieldIsNoPartOfTheNote) {
  shell_->input().push_back(KeyChanged{*parse_chord("M"), true, false});
  shell_->input().push_back(CharacterTyped{U'm'});
  settle();
  press("Enter");
  EXPECT_EQ(marks()[0].note, "");
}

TEST_F(BookmarksControllerTest, HaveAMenuOfTheirOwn) {
  EXPECT_EQ(run("context-menu bookmark 1"), "There is no such bookmark.");
  set("100000 200000", "early");
  EXPECT_EQ(run("context-menu bookmark 1"), "");
  EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
}

}  // namespace
}  // namespace cinderscope
