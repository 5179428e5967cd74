// A text that is being edited: its lines, the caret and what is selected, undo and redo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// What the arrow keys and their like do.
enum class CaretMove : std::uint8_t {
  left,
  right,
  word_left,
  word_right,
  up,
  down,
  line_begin,  // to the first sign that is no blank, then to the very begin
  line_end,
  text_begin,
  text_end,
};

struct TextSpan {
  std::size_t begin = 0, end = 0;  // bytes, half open
  std::size_t size() const { return end - begin; }
  bool operator==(const TextSpan&) const = default;
};

// Valid UTF-8 with LF between lines, at most `most_bytes` long. Places are bytes and never lie
// within a character, nor between a letter and the marks that are written over it.
class EditedText {
 public:
  static constexpr std::size_t kMostBytes = 1'000'000;
  explicit EditedText(std::size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  const std::string& text() const { return text_; }
  std::uint64_t version() const { return version_; }  // another one after each change of the text
  std::size_t line_count() const { return line_begins_.size(); }
  TextSpan line_span(std::size_t line) const;  // without its LF
  std::string_view line(std::size_t line) const;
  std::size_t line_of(std::size_t place) const;

  std::size_t caret() const { return caret_; }
  TextSpan selection() const;
  bool has_selection() const { return caret_ != anchor_; }
  std::string_view selected_text() const;

  // Another text, which cannot be undone; the caret stands at its begin.
  void reset(std::string_view text);
  // As if typed or pasted over what is selected. False if not all of it had room.
  bool insert(std::string_view text);
  // The same over any part; the caret stands behind it.
  bool replace(TextSpan part, std::string_view text);
  void new_line();  // with the blanks that this line begins with
  // What is selected, else the character or word on that side of the caret.
  void erase(CaretMove towards);

  // `lines`: how many for up and down. `selects`: what lies between is selected, too.
  void move(CaretMove where, bool selects, std::size_t lines = 1);
  void place_caret(std::size_t place, bool selects);
  void select(TextSpan part);
  void select_all() { select({0, text_.size()}); }
  void select_word(std::size_t at);
  void select_line(std::size_t at);

  // `mark` before each selected line that is not blank, or away if all of these have it.
  void toggle_comment(std::string_view mark);
  // Two blanks more or less before each selected line.
  void indent(bool out);

  bool undo();
  bool redo();

 private:
  struct Edit {
    std::size_t at = 0;
    std::string removed, inserted;
    std::size_t caret_before = 0, anchor_before = 0, caret_after = 0, anchor_after = 0;
    bool joins = false;  // typed: the next typed character may become part of it
  };
  // The one that changes the text and keeps what undoes it.
  bool change(TextSpan part, std::string_view text, bool joins);
  void put(std::size_t at, std::size_t removed_bytes, std::string_view inserted);
  std::size_t next(std::size_t place) const;
  std::size_t previous(std::size_t place) const;
  std::size_t word_end(std::size_t place) const;
  std::size_t word_begin(std::size_t place) const;
  std::size_t snapped(std::size_t place) const;
  std::size_t column_of(std::size_t place) const;  // in characters
  std::size_t place_in(std::size_t line, std::size_t column) const;
  std::size_t beside_line(bool down, std::size_t lines);
  std::size_t moved(CaretMove where, bool selects, std::size_t lines);  // where the caret would be
  TextSpan whole_lines() const;
  void forget_oldest();

  std::size_t most_bytes_;
  std::string text_;
  std::vector<std::size_t> line_begins_ = {0};
  std::uint64_t version_ = 1;
  std::size_t caret_ = 0, anchor_ = 0;
  std::size_t kept_column_ = kNoColumn;  // that up and down keep to
  std::deque<Edit> undone_, done_;
  std::size_t history_bytes_ = 0;
  static constexpr std::size_t kNoColumn = ~std::size_t{0};
};

}  // namespace cinderscope
