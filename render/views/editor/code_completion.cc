// The list of what may follow at the caret: opening it, keys in it, drawing it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ingest/base/ascii.h"
#include "render/views/editor/code_editor.h"

namespace cinderscope {
namespace {

constexpr float kListPx = 320, kListRowPx = 22;
constexpr std::size_t kListRows = 8;

}  // namespace

// Below the caret, or above it where there is more room.
void CodeEditor::draw_list(const Pen& pen, const Rect& lines, float line_px) {
  constexpr const char* kId = "completions";
  if (!list_open()) {
    list_shown_ = false;
    return;
  }
  const float row_px = std::round(pen.px(kListRowPx));
  const std::size_t shown = std::min(list_.items.size(), kListRows);
  const float height = row_px * static_cast<float>(shown) + pen.px(8);
  const auto caret_row = static_cast<double>(row_of(text_.caret()));
  const float caret_y = lines.y + static_cast<float>(caret_row - scroll_.first_row()) * line_px;
  const float x = lines.x + x_in_row(pen, list_.replaced.begin) - scroll_.left_px() - pen.px(8);
  const bool below = caret_y + line_px + height < ImGui::GetIO().DisplaySize.y;
  ImGui::SetNextWindowPos({x, below ? caret_y + line_px : caret_y - height});
  ImGui::SetNextWindowSize({pen.px(kListPx), height});
  if (!std::exchange(list_shown_, true)) ImGui::OpenPopup(kId);
  const bool open = ImGui::BeginPopup(
      kId, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing |
               ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoResize);
  if (!open) return close_list();
  const Pen inside = pen_of(pen.theme);
  const ImVec2 corner = ImGui::GetWindowPos();
  const std::size_t first =
      list_at_ < shown ? 0 : std::min(list_at_ + 1 - shown, list_.items.size() - shown);
  bool taken = false;
  for (std::size_t i = first; i < first + shown; ++i) {
    const SqlCompletion& item = list_.items[i];
    const Rect row{corner.x + 1, corner.y + pen.px(4) + row_px * static_cast<float>(i - first),
                   pen.px(kListPx) - 2, row_px};
    const Press press = press_area(i, row);
    if (i == list_at_ || press.hovered) fill(inside.list, row, pen.colours.line);
    const float pad = pen.px(8);
    const float detail_px = std::min(text_width(inside.words, item.detail), row.width * 0.5F) + pad;
    draw_cut_text(inside.list, inside.code, row.x + pad, middle_y(row),
                  row.width - detail_px - 2 * pad, pen.colours.text, item.text);
    draw_cut_text(inside.list, inside.words, right_of(row) - detail_px, middle_y(row), detail_px,
                  pen.colours.dim, item.detail);
    if (press.clicked) {
      list_at_ = i;
      taken = true;
    }
  }
  if (taken) {
    accept();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void CodeEditor::type(std::string_view character) {
  text_.insert(character);
  narrow_list();
}

void CodeEditor::complete(const Completer& completer) {
  const TextSpan line = text_.line_span(text_.line_of(text_.caret()));
  const std::string_view before =
      std::string_view(text_.text()).substr(line.begin, text_.caret() - line.begin);
  const bool nothing_typed = is_blank(before);
  if (text_.has_selection()) return text_.indent(false);
  if (nothing_typed || !completer) {
    text_.insert("  ");
    return;
  }
  completer_ = completer;
  list_ = completer_(text_.text(), text_.caret());
  list_at_ = 0;
  if (list_.items.size() == 1) accept();
}

void CodeEditor::narrow_list() {
  if (!list_open()) return;
  list_ = completer_(text_.text(), text_.caret());
  list_at_ = 0;
  if (list_.replaced.size() == 0) close_list();
}

void CodeEditor::move_in_list(int by) {
  const auto count = static_cast<std::ptrdiff_t>(list_.items.size());
  if (count == 0) return;
  list_at_ = static_cast<std::size_t>(
      ((static_cast<std::ptrdiff_t>(list_at_) + by) % count + count) % count);
}

void CodeEditor::accept() {
  if (!list_open()) return;
  const SqlCompletion item = list_.items[std::min(list_at_, list_.items.size() - 1)];
  const TextSpan replaced = list_.replaced;
  close_list();
  text_.replace(replaced, item.text);
}

}  // namespace cinderscope
