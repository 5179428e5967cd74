// A field for texts of many lines: colours, line numbers, selection by the mouse, completion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/sql_tokens.h"
#include "render/editing/edited_text.h"
#include "render/editing/sql_completion.h"
#include "render/views/widgets/table_scroll.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Dear ImGui's own field can neither colour nor underline, and it loses characters beyond 16 bits.
struct CodeFrame {
  const Theme& theme;
  Rect area;
  bool focused = false;  // keys come here: the caret is seen
  // Else plain text without line numbers, whose lines go on in further rows.
  bool is_sql = true;
  // What is wrong, and what is said over it.
  std::optional<TextSpan> underlined = std::nullopt;
  std::string_view underline_hint = {};
  std::string_view if_empty = {};  // stands there in dim
};

// Keeps the text, how far it is scrolled, and the list of completions. Keys come through the
// members below, from whoever has the keyboard.
class CodeEditor {
 public:
  using Completer = std::function<SqlCompletions(std::string_view text, std::size_t caret)>;
  explicit CodeEditor(std::size_t most_bytes = EditedText::kMostBytes) : text_(most_bytes) {}

  EditedText& text() { return text_; }
  const EditedText& text() const { return text_; }
  // Draws it and takes the mouse.
  void draw(const CodeFrame& frame);
  std::size_t visible_lines() const { return visible_lines_; }
  // Of plain text in an area that is so wide; at least one.
  std::size_t plain_rows(const Theme& theme, float area_width_px);

  // Characters as they are typed; an open list is narrowed by them.
  void type(std::string_view character);
  // Tab: completes what is before the caret; where several can be meant a list of them opens. With
  // nothing to complete it indents.
  void complete(const Completer& completer);
  bool list_open() const { return !list_.items.empty(); }
  void move_in_list(int by);
  void accept();  // what the list is at
  void close_list() { list_.items.clear(); }
  // After an edit that was made by keys.
  void narrow_list();

 private:
  void draw_lines(const Pen& pen, const CodeFrame& frame, const Rect& lines, float line_px);
  void draw_row(const Pen& pen, const CodeFrame& frame, std::size_t row, const Rect& place);
  void take_mouse(const Pen& pen, const CodeFrame& frame, const Rect& lines, float line_px);
  void draw_list(const Pen& pen, const Rect& area, float line_px);
  void lay_out(const Pen& pen, bool is_sql, float width_px);
  std::size_t row_of(std::size_t place) const;
  std::string_view drawn_text(std::size_t row) const;
  std::size_t place_at(const Pen& pen, const Rect& lines, float line_px) const;
  float x_in_row(const Pen& pen, std::size_t place) const;  // from the row's begin
  void follow_caret(const Pen& pen, float width_px);
  const std::vector<SqlToken>& tokens();

  EditedText text_;
  std::vector<TextSpan> rows_ = {{}};  // lines, or parts of them, of the text in that version
  std::uint64_t rows_version_ = 0;
  float rows_width_px_ = 0;  // 0: lines are whole
  TableScroll scroll_;
  std::size_t visible_lines_ = 1;
  std::optional<std::size_t> widest_for_;  // version that widest_px_ was measured for
  float widest_px_ = 0;
  std::size_t caret_seen_ = 0;
  std::uint64_t version_seen_ = 0, tokens_version_ = 0;
  std::vector<SqlToken> tokens_;
  SqlCompletions list_;
  std::size_t list_at_ = 0;
  bool list_shown_ = false;
  Completer completer_;
  bool drags_ = false;
};

}  // namespace cinderscope
