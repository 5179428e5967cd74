#include "render/views/editor/code_editor.h"

#include <string>

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class CodeEditorTest : public ViewWindow {
 protected:
  Draw drawn() {
    return [this](Actions&) {
      editor_.draw({.theme = theme_, .area = kArea, .focused = true, .underlined = underlined_});
    };
  }
  static SqlCompletions offers(std::string_view text, std::size_t caret) {
    std::size_t begin = caret;
    while (begin > 0 && text[begin - 1] != ' ') --begin;
    SqlCompletions found{.replaced = {begin, caret}, .items = {}};
    for (const std::string_view word : {"ts", "ts_end", "dur"}) {
      if (word.starts_with(text.substr(begin, caret - begin))) {
        found.items.push_back({.text = std::string(word), .detail = {}});
      }
    }
    return found;
  }

  CodeEditor editor_;
  std::optional<TextSpan> underlined_;
};

TEST_F(CodeEditorTest, AClickPlacesTheCaretAndADoubleClickTakesAWord) {
  editor_.text().reset("SELECT name\nFROM slice");
  click(600, 20, drawn());
  EXPECT_EQ(editor_.text().caret(), 11U);
  click(50, 45, drawn());
  EXPECT_EQ(editor_.text().caret(), 12U);
  click(10, 45, drawn());  // a number of a line
  EXPECT_EQ(editor_.text().selected_text(), "FROM slice");
}

TEST_F(CodeEditorTest, ADragSelects) {
  editor_.text().reset("SELECT name\nFROM slice");
  frame(drawn());
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {48, 20};
  frame(drawn());
  io.MouseDown[0] = true;
  frame(drawn());
  io.MousePos = {400, 20};
  frame(drawn());
  io.MouseDown[0] = false;
  frame(drawn());
  EXPECT_EQ(editor_.text().selected_text(), "SELECT name");
}

TEST_F(CodeEditorTest, DrawsAnythingAndOnlyWhatIsSeen) {
  editor_.text().reset("");
  frame(drawn());
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "'text' 12 \U0001f600 /* \xff */ \t\n";
  editor_.text().reset(many);
  underlined_ = TextSpan{3, 9};
  frame(drawn());
  const std::size_t seen = vertices();
  EXPECT_LT(seen, 60'000U);
  editor_.text().move(CaretMove::text_end, false);
  frame(drawn());
  EXPECT_LT(vertices(), 60'000U);
  editor_.text().reset(std::string(900'000, 'x'));
  frame(drawn());
  EXPECT_LT(vertices(), 200'000U);
}

TEST_F(CodeEditorTest, LinesOfPlainTextGoOnInTheNextRow) {
  const auto note = [this](Actions&) {
    editor_.draw({.theme = theme_, .area = {0, 0, 200, 300}, .focused = true, .is_sql = false});
  };
  editor_.text().reset("The third frame waits for the style of the whole page, which was changed.");
  frame(note);
  std::size_t rows = 0;
  frame([&](Actions&) { rows = editor_.plain_rows(theme_, 200); });
  EXPECT_GT(rows, 2U);
  // The second row begins behind a blank, and its words are all in it.
  click(12, 34, note);
  const std::size_t second = editor_.text().caret();
  ASSERT_GT(second, 1U);
  EXPECT_EQ(editor_.text().text()[second - 1], ' ');
  // The end of the first row belongs to the first row.
  click(184, 14, note);
  EXPECT_EQ(editor_.text().caret(), second - 1);
  // A word without a blank is parted; lines stay lines.
  editor_.text().reset(std::string(100, 'x') + "\n\nend");
  frame([&](Actions&) { rows = editor_.plain_rows(theme_, 200); });
  EXPECT_GE(rows, 5U);
  editor_.text().move(CaretMove::text_end, false);
  frame(note);
  click(12, 34, note);
  EXPECT_GT(editor_.text().caret(), 5U);
  EXPECT_LT(editor_.text().caret(), 100U);
  // A very narrow field still shows a character a row.
  editor_.text().reset("abc");
  frame([&](Actions&) { rows = editor_.plain_rows(theme_, 1); });
  EXPECT_EQ(rows, 3U);
}

TEST_F(CodeEditorTest, CompletesAtOnceWhereOneIsMeantElseByAList) {
  frame(drawn());
  editor_.type("SELECT ");
  editor_.type("d");
  editor_.complete(offers);
  EXPECT_EQ(editor_.text().text(), "SELECT dur");
  editor_.type(" t");
  editor_.complete(offers);
  frame(drawn());
  ASSERT_TRUE(editor_.list_open());
  editor_.move_in_list(1);
  editor_.accept();
  EXPECT_EQ(editor_.text().text(), "SELECT dur ts_end");
  editor_.text().undo();
  editor_.complete(offers);
  editor_.type("s");
  editor_.type("_");
  EXPECT_TRUE(editor_.list_open());
  editor_.type("x");
  EXPECT_FALSE(editor_.list_open());
}

TEST_F(CodeEditorTest, TabIndentsWhereNothingIsTyped) {
  editor_.complete(offers);
  EXPECT_EQ(editor_.text().text(), "  ");
  editor_.text().reset("a\nb");
  editor_.text().select_all();
  editor_.complete(offers);
  EXPECT_EQ(editor_.text().text(), "  a\n  b");
}

}  // namespace
}  // namespace cinderscope
