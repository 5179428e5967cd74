#include "render/editing/edited_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace cinderscope {
namespace {

EditedText text_of(std::string_view text) {
  EditedText edited;
  edited.reset(text);
  return edited;
}

TEST(EditedTextTest, TypesAndErases) {
  EditedText text;
  text.insert("a");
  text.insert("b");
  text.new_line();
  text.insert("c");
  EXPECT_EQ(text.text(), "ab\nc");
  EXPECT_EQ(text.line_count(), 2U);
  EXPECT_EQ(text.line(1), "c");
  text.erase(CaretMove::left);
  text.erase(CaretMove::left);
  EXPECT_EQ(text.text(), "ab");
  text.move(CaretMove::line_begin, false);
  text.erase(CaretMove::right);
  EXPECT_EQ(text.text(), "b");
}

TEST(EditedTextTest, KeepsEveryCharacterOfUtf8) {
  EditedText text;
  text.insert("😀é日");
  EXPECT_EQ(text.text(), "😀é日");
  text.move(CaretMove::text_begin, false);
  text.move(CaretMove::right, false);
  EXPECT_EQ(text.caret(), 4U);
  text.move(CaretMove::right, true);
  EXPECT_EQ(text.selected_text(), "é");
  text.erase(CaretMove::left);
  EXPECT_EQ(text.text(), "😀日");
}

TEST(EditedTextTest, MarksGoWithTheirLetter) {
  const std::string accent = "e\u0301x", family = "👩\u200d👧y", tone = "👍\U0001f3fdz";
  for (const std::string& word : {accent, family, tone}) {
    EditedText text = text_of(word);
    text.move(CaretMove::right, false);
    EXPECT_EQ(text.caret(), word.size() - 1);
    text.erase(CaretMove::left);
    EXPECT_EQ(text.text(), word.substr(word.size() - 1));
  }
}

TEST(EditedTextTest, TakesAnyBytes) {
  EditedText text;
  text.insert("a\r\nb\rc\xff\x01\x7f\td");
  EXPECT_EQ(text.text(), "a\nb\nc\uFFFD\td");
}

TEST(EditedTextTest, HasRoomForSoMuch) {
  EditedText text(10);
  EXPECT_TRUE(text.insert("12345678"));
  EXPECT_FALSE(text.insert("9äb"));
  EXPECT_EQ(text.text(), "123456789");
  text.select_all();
  EXPECT_TRUE(text.insert("0123456789"));
  text.reset("abcdefghi€");
  EXPECT_EQ(text.text(), "abcdefghi");
}

TEST(EditedTextTest, UndoesWordsAndNotLetters) {
  EditedText text;
  for (const std::string_view c : {"s", "u", "m", " ", "x"}) text.insert(c);
  EXPECT_TRUE(text.undo());
  EXPECT_EQ(text.text(), "sum");
  EXPECT_TRUE(text.undo());
  EXPECT_EQ(text.text(), "");
  EXPECT_FALSE(text.undo());
  EXPECT_TRUE(text.redo());
  EXPECT_TRUE(text.redo());
  EXPECT_EQ(text.text(), "sum x");
  EXPECT_FALSE(text.redo());
}

TEST(EditedTextTest, UndoBringsTheSelectionBack) {
  EditedText text = text_of("one two");
  text.select_word(5);
  EXPECT_EQ(text.selected_text(), "two");
  text.insert("three");
  EXPECT_EQ(text.text(), "one three");
  text.undo();
  EXPECT_EQ(text.selected_text(), "two");
}

TEST(EditedTextTest, UpAndDownKeepTheirColumn) {
  EditedText text = text_of("abcdef\nab\nabcdef");
  text.place_caret(5, false);
  text.move(CaretMove::down, false);
  EXPECT_EQ(text.caret(), 9U);
  text.move(CaretMove::down, false);
  EXPECT_EQ(text.caret(), 15U);
  text.move(CaretMove::up, false, 50);
  EXPECT_EQ(text.caret(), 5U);
  text.move(CaretMove::up, false);
  EXPECT_EQ(text.caret(), 0U);
}

TEST(EditedTextTest, MovesByWordsAndToTheFirstSign) {
  EditedText text = text_of("  sum(dur), x");
  text.move(CaretMove::word_right, false);
  EXPECT_EQ(text.caret(), 5U);
  text.move(CaretMove::word_right, false);
  EXPECT_EQ(text.caret(), 9U);
  text.move(CaretMove::word_left, false);
  EXPECT_EQ(text.caret(), 6U);
  text.move(CaretMove::line_begin, false);
  EXPECT_EQ(text.caret(), 2U);
  text.move(CaretMove::line_begin, false);
  EXPECT_EQ(text.caret(), 0U);
}

TEST(EditedTextTest, CommentsComeAndGo) {
  EditedText text = text_of("SELECT 1\n\n  FROM slice\nLIMIT 1");
  text.select({0, 12});
  text.toggle_comment("--");
  EXPECT_EQ(text.text(), "-- SELECT 1\n\n--   FROM slice\nLIMIT 1");
  text.toggle_comment("--");
  EXPECT_EQ(text.text(), "SELECT 1\n\n  FROM slice\nLIMIT 1");
  text.undo();
  text.undo();
  EXPECT_EQ(text.text(), "SELECT 1\n\n  FROM slice\nLIMIT 1");
}

TEST(EditedTextTest, IndentsWholeLines) {
  EditedText text = text_of("a\nb\nc");
  text.select({0, 2});  // no sign of the second line
  text.indent(false);
  EXPECT_EQ(text.text(), "  a\nb\nc");
  text.indent(true);
  EXPECT_EQ(text.text(), "a\nb\nc");
}

TEST(EditedTextTest, NewLinesBeginAsTheOneBefore) {
  EditedText text = text_of("   x");
  text.move(CaretMove::text_end, false);
  text.new_line();
  EXPECT_EQ(text.text(), "   x\n   ");
}

// Lines and places fit the text after any edits, and undoing all of them leads back.
TEST(EditedTextTest, StaysWholeUnderRandomEdits) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {"a",      "\n",    "é",  "😀",   "e\u0301",
                                     "\u200d", "--x\n", "  ", "\xff"};
  EditedText text;
  text.reset("one\ntwo\n");
  for (int i = 0; i < 3000; ++i) {
    switch (random() % 8) {
      case 0:
        text.erase(random() % 2 == 0 ? CaretMove::left : CaretMove::word_right);
        break;
      case 1:
        text.move(static_cast<CaretMove>(random() % 10), random() % 2 == 0, 1 + random() % 3);
        break;
      case 2:
        text.place_caret(random() % (text.text().size() + 4), random() % 2 == 0);
        break;
      case 3:
        text.toggle_comment("--");
        break;
      case 4:
        text.undo();
        break;
      case 5:
        text.redo();
        break;
      case 6:
        text.indent(random() % 2 == 0);
        break;
      default:
        text.insert(pieces[random() % std::size(pieces)]);
    }
    std::string joined;
    for (std::size_t line = 0; line < text.line_count(); ++line) {
      if (line > 0) joined += '\n';
      joined += text.line(line);
      ASSERT_EQ(text.line_of(text.line_span(line).end), line);
    }
    ASSERT_EQ(joined, text.text());
    ASSERT_LE(text.caret(), text.text().size());
    ASSERT_NE(static_cast<unsigned char>(text.text()[text.caret()]) & 0xC0U, 0x80U);
  }
  while (text.undo()) {
  }
  EXPECT_EQ(text.text(), "one\ntwo\n");
}

}  // namespace
}  // namespace cinderscope
