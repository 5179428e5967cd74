#include "render/views/editor/code_editor.h"

#include <algorithm>
#include <cmath>

#include "ingest/base/ascii.h"
#include "render/base/palette.h"
#include "render/text/label.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

constexpr float kLinePx = 20, kTopPx = 10, kNumbersPx = 48, kNumbersEndPx = 34, kPadPx = 12;
constexpr std::size_t kLongestDrawn = 20'000;  // bytes of a line that are looked at

// What ImGui can draw: characters beyond its 16 bits are a box each.
std::string drawn(std::string_view text) {
  std::string all;
  all.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = std::max<std::size_t>(character_bytes(text, at), 1);
    if (bytes == 4 && IM_UNICODE_CODEPOINT_MAX <= 0xffff) {
      all += "\u25a1";
    } else {
      all += text.substr(at, bytes);
    }
    at += bytes;
  }
  return all;
}

bool needs_drawn(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xf0; });
}

float width_of(const ImFont& font, std::string_view text) {
  if (text.empty()) return 0;
  return text_size(font, needs_drawn(text) ? std::string_view(drawn(text)) : text).x;
}

struct CodeColours {
  Rgba text, number;
};
const CodeColours& code_colours(ThemeKind kind) {
  static const CodeColours kDark{rgba_from_oklch(0.76, 0.07, 150),
                                 rgba_from_oklch(0.76, 0.07, 235)};
  static const CodeColours kLight{rgba_from_oklch(0.47, 0.09, 150),
                                  rgba_from_oklch(0.47, 0.10, 250)};
  return kind == ThemeKind::dark ? kDark : kLight;
}

Rgba colour_of(const Pen& pen, SqlTokenKind kind) {
  switch (kind) {
    case SqlTokenKind::text:
      return code_colours(pen.theme.kind).text;
    case SqlTokenKind::blob:
    case SqlTokenKind::number:
    case SqlTokenKind::parameter:
      return code_colours(pen.theme.kind).number;
    case SqlTokenKind::comment:
      return pen.colours.dim;
    default:
      return pen.colours.text;
  }
}

// How many bytes of a line stand in a row: up to a blank, else as many characters as there is room
// for. Blanks need none.
std::size_t bytes_in_row(const ImFont& font, std::string_view line, float width_px) {
  std::size_t behind_blank = 0;
  float used_px = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t bytes = std::max<std::size_t>(character_bytes(line, at), 1);
    const bool blank = is_blank(line[at]);
    used_px += width_of(font, line.substr(at, bytes));
    if (at > 0 && !blank && used_px > width_px) return behind_blank > 0 ? behind_blank : at;
    at += bytes;
    if (blank) behind_blank = at;
  }
  return line.size();
}

float left_px(const Pen& pen, bool is_sql) {
  return std::round(pen.px(is_sql ? kNumbersPx : kPadPx));
}

float text_width_px(const Pen& pen, bool is_sql, float area_px) {
  return area_px - left_px(pen, is_sql) - std::round(pen.px(kPadPx));
}

}  // namespace

void CodeEditor::lay_out(const Pen& pen, bool is_sql, float width_px) {
  if (is_sql) width_px = 0;
  if (rows_version_ == text_.version() && rows_width_px_ == width_px) return;
  rows_version_ = text_.version();
  rows_width_px_ = width_px;
  rows_.clear();
  for (std::size_t line = 0; line < text_.line_count(); ++line) {
    TextSpan rest = text_.line_span(line);
    while (!is_sql) {
      const std::string_view left = std::string_view(text_.text()).substr(rest.begin, rest.size());
      const std::size_t bytes = bytes_in_row(pen.code, left, width_px);
      if (bytes == left.size()) break;
      rows_.push_back({rest.begin, rest.begin + bytes});
      rest.begin += bytes;
    }
    rows_.push_back(rest);
  }
}

std::size_t CodeEditor::plain_rows(const Theme& theme, float area_width_px) {
  const Pen pen = pen_of(theme);
  lay_out(pen, false, text_width_px(pen, false, area_width_px));
  return rows_.size();
}

// Where one row ends and the next begins at the same place, the next one has it.
std::size_t CodeEditor::row_of(std::size_t place) const {
  const auto behind = std::ranges::upper_bound(rows_, place, {}, &TextSpan::begin);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(behind - rows_.begin(), 1)) - 1;
}

std::string_view CodeEditor::drawn_text(std::size_t row) const {
  const TextSpan span = rows_[row];
  return std::string_view(text_.text()).substr(span.begin, std::min(span.size(), kLongestDrawn));
}

const std::vector<SqlToken>& CodeEditor::tokens() {
  if (tokens_version_ != text_.version()) {
    tokens_version_ = text_.version();
    tokens_ = sql_tokens(text_.text());
  }
  return tokens_;
}

float CodeEditor::x_in_row(const Pen& pen, std::size_t place) const {
  const std::size_t row = row_of(place);
  return width_of(pen.code, drawn_text(row).substr(0, place - rows_[row].begin));
}

void CodeEditor::follow_caret(const Pen& pen, float width_px) {
  const bool moved = caret_seen_ != text_.caret() || version_seen_ != text_.version();
  if (!moved) return;
  caret_seen_ = text_.caret();
  version_seen_ = text_.version();
  scroll_.show(row_of(text_.caret()), static_cast<double>(visible_lines_));
  const float x = x_in_row(pen, text_.caret()), room = pen.px(24);
  if (x - scroll_.left_px() > width_px - room) {
    scroll_.scroll_sideways(x - scroll_.left_px() - width_px + room);
  }
  if (x - scroll_.left_px() < 0) scroll_.scroll_sideways(x - scroll_.left_px() - room);
}

std::size_t CodeEditor::place_at(const Pen& pen, const Rect& lines, float line_px) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double down = scroll_.first_row() + static_cast<double>((mouse.y - lines.y) / line_px);
  const std::size_t row = std::min(static_cast<std::size_t>(std::max(down, 0.0)), rows_.size() - 1);
  const TextSpan span = rows_[row];
  const bool goes_on = row + 1 < rows_.size() && rows_[row + 1].begin == span.end;
  const std::string_view text = drawn_text(row);
  const float x = mouse.x - lines.x + scroll_.left_px();
  std::size_t at = 0;
  float left = 0;
  // The nearer side of the character that is there.
  while (at < text.size()) {
    const std::size_t bytes = std::max<std::size_t>(character_bytes(text, at), 1);
    const float width = width_of(pen.code, text.substr(at, bytes));
    // The end of a row that goes on is the next one's begin.
    if (x < left + width / 2 || (goes_on && at + bytes >= text.size())) break;
    left += width;
    at += bytes;
  }
  return span.begin + at;
}

void CodeEditor::take_mouse(const Pen& pen, const CodeFrame& frame, const Rect& lines,
                            float line_px) {
  const Press press = press_area(
      "text", {frame.area.x, frame.area.y, frame.area.width - pen.px(TableScroll::kGroovePx),
               frame.area.height - pen.px(TableScroll::kGroovePx)});
  const bool on_numbers = ImGui::GetIO().MousePos.x < lines.x - pen.px(6);
  if (press.hovered && !on_numbers) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (press.hovered && !frame.underline_hint.empty() && frame.underlined) {
    const std::size_t at = place_at(pen, lines, line_px);
    const bool over = at >= frame.underlined->begin && at <= frame.underlined->end &&
                      text_.line_of(at) == text_.line_of(frame.underlined->begin);
    if (over && ImGui::GetIO().MousePos.y < lines.y + line_px * static_cast<float>(rows_.size())) {
      hint(pen, frame.underline_hint);
    }
  }
  if (ImGui::IsItemActivated()) {
    close_list();
    const std::size_t place = place_at(pen, lines, line_px);
    const int clicks = ImGui::GetIO().MouseClickedCount[ImGuiMouseButton_Left];
    drags_ = clicks == 1 && !on_numbers;
    if (clicks == 2 && !on_numbers) {
      text_.select_word(place);
    } else if (clicks == 3 || on_numbers) {
      text_.select_line(place);
    } else {
      text_.place_caret(place, ImGui::GetIO().KeyShift);
    }
  } else if (ImGui::IsItemActive() && drags_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    text_.place_caret(place_at(pen, lines, line_px), true);
  }
}

void CodeEditor::draw_row(const Pen& pen, const CodeFrame& frame, std::size_t row,
                          const Rect& place) {
  const TextSpan span = rows_[row];
  const std::string_view text = drawn_text(row);
  const float x0 = place.x - scroll_.left_px(), y = middle_y(place);
  const auto x_of = [&](std::size_t at) {
    at = std::clamp(at, span.begin, span.begin + text.size());
    return x0 + width_of(pen.code, text.substr(0, at - span.begin));
  };
  const TextSpan selected = text_.selection();
  if (selected.size() > 0 && selected.begin <= span.end && selected.end > span.begin) {
    const bool goes_on = selected.end > span.end;
    const float end = x_of(selected.end) + (goes_on ? pen.px(6) : 0);
    fill(pen.list, {x_of(selected.begin), place.y, end - x_of(selected.begin), place.height},
         with_alpha(pen.colours.dim, frame.focused ? 80 : 48));
  }
  const auto piece = [&](std::size_t begin, std::size_t end, const ImFont& font, Rgba colour) {
    begin = std::max(begin, span.begin);
    end = std::min(end, span.begin + text.size());
    if (begin >= end) return;
    const float left = x_of(begin);
    if (left > right_of(place)) return;
    const std::string_view part = text.substr(begin - span.begin, end - begin);
    add_text(pen.list, font, {left, std::round(y - size_px(font) / 2)}, colour,
             needs_drawn(part) ? std::string_view(drawn(part)) : part);
  };
  if (!frame.is_sql) {
    piece(span.begin, span.end, pen.code, pen.colours.text);
  } else {
    const auto& all = tokens();
    auto token = std::ranges::upper_bound(all, span.begin, {}, &SqlToken::end);
    for (; token != all.end() && token->begin < span.end; ++token) {
      const bool bold = token->kind == SqlTokenKind::keyword;
      piece(token->begin, token->end, bold ? pen.code_bold : pen.code, colour_of(pen, token->kind));
    }
  }
  if (frame.underlined && frame.underlined->begin >= span.begin &&
      frame.underlined->begin <= span.end) {
    const float left = x_of(frame.underlined->begin);
    const float width = std::max(x_of(std::min(frame.underlined->end, span.end)) - left, pen.px(8));
    fill(pen.list, {left, bottom_of(place) - pen.px(3), width, std::max(pen.px(1.5F), 1.0F)},
         pen.colours.accent);
  }
  if (frame.focused && row_of(text_.caret()) == row) {
    const float left = std::round(x_of(text_.caret()));
    fill(pen.list,
         {left, place.y + pen.px(1), std::max(std::round(pen.px(1.5F)), 1.0F),
          place.height - pen.px(2)},
         pen.colours.text);
  }
}

void CodeEditor::draw_lines(const Pen& pen, const CodeFrame& frame, const Rect& lines,
                            float line_px) {
  const double first = scroll_.first_row();
  auto row = static_cast<std::size_t>(first);
  float y = lines.y - std::round(static_cast<float>(first - std::floor(first)) * line_px);
  if (text_.text().empty() && !frame.if_empty.empty()) {
    draw_cut_text(pen.list, pen.code, lines.x, lines.y + line_px / 2, lines.width,
                  with_alpha(pen.colours.dim, 160), frame.if_empty);
  }
  for (; row < rows_.size() && y < bottom_of(frame.area); ++row, y += line_px) {
    if (frame.is_sql) {
      draw_text(pen.list, pen.code, frame.area.x + pen.px(kNumbersEndPx), y + line_px / 2,
                with_alpha(pen.colours.dim, 153), std::to_string(row + 1), Align::right);
    }
    ImGui::PushClipRect({lines.x - 1, frame.area.y}, {right_of(frame.area), bottom_of(frame.area)},
                        true);
    draw_row(pen, frame, row, {lines.x, y, lines.width, line_px});
    ImGui::PopClipRect();
  }
}

void CodeEditor::draw(const CodeFrame& frame) {
  if (frame.area.width < 2 || frame.area.height < 2) return;
  ImGui::SetCursorScreenPos({frame.area.x, frame.area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("editor", {frame.area.width, frame.area.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Pen pen = pen_of(frame.theme);
  fill(pen.list, frame.area, pen.colours.background);
  const float line_px = std::round(pen.px(kLinePx)), top = frame.is_sql ? kTopPx : 4;
  const Rect lines{frame.area.x + left_px(pen, frame.is_sql),
                   frame.area.y + std::round(pen.px(top)),
                   text_width_px(pen, frame.is_sql, frame.area.width),
                   frame.area.height - std::round(pen.px(top))};
  lay_out(pen, frame.is_sql, lines.width);
  const auto rows = static_cast<double>(lines.height / line_px);
  visible_lines_ = static_cast<std::size_t>(std::max(rows, 1.0));
  if (frame.is_sql && widest_for_ != text_.version()) {
    // Measured by the longest line alone: all characters are as wide as each other, or nearly.
    widest_for_ = text_.version();
    std::size_t longest = 0;
    for (std::size_t i = 0; i < text_.line_count(); ++i) {
      if (text_.line_span(i).size() > text_.line_span(longest).size()) longest = i;
    }
    widest_px_ = x_in_row(pen, text_.line_span(longest).end) + pen.px(24);
  }
  take_mouse(pen, frame, lines, line_px);
  if (drags_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) drags_ = false;
  follow_caret(pen, lines.width);
  draw_lines(pen, frame, lines, line_px);
  scroll_.update(pen, {lines.x, frame.area.y, lines.width + pen.px(kPadPx), frame.area.height},
                 {.rows = rows_.size(),
                  .rows_on_screen = std::max(rows, 1.0),
                  .content_px = frame.is_sql ? widest_px_ : 0});
  if (!frame.focused) close_list();
  draw_list(pen, lines, line_px);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace cinderscope
