#include "app/window/editor_keys.h"

#include <optional>
#include <string>

#include "app/window/app_context.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/controllers.h"
#include "ingest/base/utf8.h"
#include "render/views/editor/code_editor.h"

namespace cinderscope {

namespace {

std::optional<CaretMove> move_of(const KeyChord& chord) {
  switch (chord.key) {
    case Key::left:
      return chord.ctrl ? CaretMove::word_left : CaretMove::left;
    case Key::right:
      return chord.ctrl ? CaretMove::word_right : CaretMove::right;
    case Key::up:
    case Key::page_up:
      return CaretMove::up;
    case Key::down:
    case Key::page_down:
      return CaretMove::down;
    case Key::home:
      return chord.ctrl ? CaretMove::text_begin : CaretMove::line_begin;
    case Key::end:
      return chord.ctrl ? CaretMove::text_end : CaretMove::line_end;
    default:
      return std::nullopt;
  }
}

bool take_list_key(CodeEditor& editor, const KeyChord& chord) {
  switch (chord.key) {
    case Key::up:
      editor.move_in_list(-1);
      return true;
    case Key::down:
      editor.move_in_list(1);
      return true;
    case Key::enter:
    case Key::tab:
      editor.accept();
      return true;
    case Key::escape:
      editor.close_list();
      return true;
    default:
      return false;
  }
}

void cut(AppContext& app, EditedText& text) {
  if (!text.has_selection()) return;
  app.copy(std::string(text.selected_text()));
  text.insert({});
}

bool take_ctrl_key(AppContext& app, EditedText& text, const KeyChord& chord) {
  if (chord.character == U'/') {
    text.toggle_comment("--");
    return true;
  }
  switch (chord.key) {
    case Key::a:
      text.select_all();
      return true;
    case Key::c:
    case Key::insert:
      if (text.has_selection()) app.copy(std::string(text.selected_text()));
      return true;
    case Key::x:
      cut(app, text);
      return true;
    case Key::v:
      text.insert(app.clipboard());
      return true;
    case Key::z:
      chord.shift ? text.redo() : text.undo();
      return true;
    case Key::y:
      text.redo();
      return true;
    case Key::backspace:
      text.erase(CaretMove::word_left);
      return true;
    case Key::del:
      text.erase(CaretMove::word_right);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool take_editor_key(AppContext& app, CodeEditor& editor, const KeyChord& chord) {
  EditedText& text = editor.text();
  const bool plain = !chord.ctrl && !chord.alt;
  if (editor.list_open() && plain && !chord.shift && take_list_key(editor, chord)) return true;
  if (chord.alt) return false;
  if (const auto move = move_of(chord)) {
    const bool pages = chord.key == Key::page_up || chord.key == Key::page_down;
    const bool steps = chord.ctrl && (*move == CaretMove::up || *move == CaretMove::down);
    if (steps) return false;
    editor.close_list();
    text.move(*move, chord.shift, pages ? editor.visible_lines() : 1);
    return true;
  }
  if (chord.ctrl) {
    const bool taken = take_ctrl_key(app, text, chord);
    if (taken) editor.close_list();
    return taken;
  }
  switch (chord.key) {
    case Key::backspace:
      text.erase(CaretMove::left);
      editor.narrow_list();
      return true;
    case Key::del:
      if (chord.shift) {
        cut(app, text);
      } else {
        text.erase(CaretMove::right);
      }
      editor.narrow_list();
      return true;
    case Key::insert:
      if (chord.shift) text.insert(app.clipboard());
      return true;
    case Key::enter:
      text.new_line();
      return true;
    default:
      return false;
  }
}

void type_into(AppContext& app, CodeEditor& editor, char32_t character) {
  std::string text;
  append_utf8(text, static_cast<std::uint32_t>(character));
  editor.type(text);
  app.controllers().look->note_text(text);
  app.draw_again();
}

}  // namespace cinderscope
