#include "render/views/widgets/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "render/text/label.h"
#include "render/text/visual_text.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

constexpr float kButtonPx = 28;
constexpr float kRadiusPx = 6;
constexpr float kHintPx = 460;

Press press_of(bool released) {
  Press press;
  press.hovered = ImGui::IsItemHovered();
  if (released) {
    press.clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    press.right_clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Right);
    press.middle_clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Middle);
  }
  return press;
}

// Right-to-left text is broken into lines before its order is turned.
std::string visual_lines(const ImFont& font, const std::string& text, float width_px) {
  if (!needs_visual(text)) return text;
  std::string lines;
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t bytes = std::max(text_fit(font, rest, width_px), character_bytes(rest, 0));
    if (bytes < rest.size()) {
      const std::size_t blank = rest.substr(0, bytes).rfind(' ');
      if (blank != std::string_view::npos && blank > 0) bytes = blank + 1;
    }
    if (!lines.empty()) lines += '\n';
    lines += visual(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return lines;
}

}  // namespace

Pen pen_of(const Theme& theme) {
  return {.theme = theme,
          .colours = theme.colours,
          .list = *ImGui::GetWindowDrawList(),
          .words = font_or_default(theme.words),
          .heads = font_or_default(theme.heads),
          .title = font_or_default(theme.title),
          .numbers = font_or_default(theme.numbers),
          .icons = font_or_default(theme.icons),
          .code = font_or_default(theme.code),
          .code_bold = font_or_default(theme.code_bold)};
}

Press press_area(const char* id, const Rect& rect) {
  if (rect.width < 1 || rect.height < 1) return {};  // ImGui asserts on empty buttons
  constexpr ImGuiButtonFlags kButtons = ImGuiButtonFlags_MouseButtonLeft |
                                        ImGuiButtonFlags_MouseButtonRight |
                                        ImGuiButtonFlags_MouseButtonMiddle;
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  return press_of(ImGui::InvisibleButton(id, {rect.width, rect.height}, kButtons));
}

Press press_area(std::size_t id, const Rect& rect) {
  ImGui::PushID(static_cast<int>(id));
  const Press press = press_area("area", rect);
  ImGui::PopID();
  return press;
}

void hint(const Pen& pen, std::string_view text) {
  std::string safe;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) safe += '\n';
    safe += visual_lines(pen.words, drawable(text.substr(at, end - at)), pen.px(kHintPx));
    at = end + 1;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pen.px(10), pen.px(7)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, pen.px(kRadiusPx));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, pen.colours.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, pen.colours.line);
  ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.text);
  ImGui::BeginTooltip();
  ImGui::PushFont(pen.theme.words);
  ImGui::PushTextWrapPos(pen.px(kHintPx));
  ImGui::TextUnformatted(safe.data(), safe.data() + safe.size());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(3);
}

void whole_name_hint(const Pen& pen, std::string_view name, float room_px) {
  name = name.substr(0, 4 * kMaxLabelBytes);
  if (text_fit(pen.words, name, room_px) < name.size()) hint(pen, name);
}

bool icon_button(const Pen& pen, const char* id, const Rect& rect, const IconButton& button) {
  const Press press = press_area(id, rect);
  const bool lit = button.enabled && (press.hovered || button.held);
  if (lit) {
    pen.list.AddRectFilled({rect.x, rect.y}, {right_of(rect), bottom_of(rect)}, pen.colours.raised,
                           pen.px(kRadiusPx));
  }
  Rgba colour = lit ? pen.colours.text : pen.colours.dim;
  if (!button.enabled) colour = with_alpha(pen.colours.dim, 90);
  const float x = rect.x + (rect.width - text_width(pen.icons, button.icon)) / 2;
  draw_text(pen.list, pen.icons, x, middle_y(rect), colour, button.icon);
  if (press.hovered) hint(pen, button.help);
  return press.clicked && button.enabled;
}

float text_button_width(const Pen& pen, std::string_view label) {
  return std::round(text_width(pen.words, label) + pen.px(28));
}

bool text_button(const Pen& pen, const char* id, float x, float y, std::string_view label) {
  const Rect rect{std::round(x), std::round(y), text_button_width(pen, label), pen.px(kButtonPx)};
  const Press press = press_area(id, rect);
  const ImVec2 corner{rect.x, rect.y}, opposite{right_of(rect), bottom_of(rect)};
  if (press.hovered) {
    pen.list.AddRectFilled(corner, opposite, pen.colours.raised, pen.px(kRadiusPx));
  }
  pen.list.AddRect(corner, opposite, press.hovered ? pen.colours.dim : pen.colours.line,
                   pen.px(kRadiusPx));
  draw_text(pen.list, pen.words, rect.x + pen.px(14), middle_y(rect), pen.colours.text, label);
  return press.clicked;
}

std::optional<std::string> filter_field(const Pen& pen, const char* id, const char* example,
                                        const Rect& rect, std::string_view text) {
  std::array<char, 512> typed{};
  text.copy(typed.data(), typed.size() - 1);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {pen.px(8), std::max(0.0f, (rect.height - ImGui::GetFontSize()) / 2)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, pen.px(kRadiusPx));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::SetNextItemWidth(rect.width);
  const bool edited = ImGui::InputTextWithHint(id, example, typed.data(), typed.size());
  ImGui::PopStyleVar(3);
  return edited ? std::optional<std::string>(typed.data()) : std::nullopt;
}

void copyable(const Pen& pen, const char* id, const Rect& rect, const ImFont& font, Rgba colour,
              std::string_view shown, std::string_view copied, Actions& actions, bool is_name) {
  const std::string safe = is_name ? drawable_name(shown) : drawable(shown);
  const float text_px = std::ceil(text_width(font, safe));
  const float around_px = pen.px(4);
  const Rect lit{rect.x - around_px, rect.y, std::min(text_px, rect.width) + 2 * around_px,
                 rect.height};
  const Press press = press_area(id, lit);
  if (press.hovered) {
    pen.list.AddRectFilled({lit.x, lit.y}, {right_of(lit), bottom_of(lit)},
                           with_alpha(pen.colours.dim, 40), pen.px(3));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hint(pen, text_px > rect.width ? safe : "Click copies");
  }
  const auto draw = is_name ? draw_short_name : draw_cut_text;
  draw(pen.list, font, rect.x, middle_y(rect), rect.width + 1, colour, safe);
  if (press.clicked) actions.push_back(CopyText{std::string(copied)});
}

float draw_wrapped(const Pen& pen, const ImFont& font, float x, float y, float width_px,
                   Rgba colour, std::string_view text) {
  const float wrap_px = std::max(width_px, 1.0f);
  const std::string safe = visual_lines(font, drawable(text), wrap_px);
  if (safe.empty()) return 0;
  add_text(pen.list, font, {std::round(x), std::round(y)}, colour, safe, wrap_px);
  return text_size(font, safe, wrap_px).y;
}

float wrapped_height(const ImFont& font, float width_px, std::string_view text) {
  const float wrap_px = std::max(width_px, 1.0f);
  const std::string safe = visual_lines(font, drawable(text), wrap_px);
  return safe.empty() ? 0 : text_size(font, safe, wrap_px).y;
}

Press lit_row(const Pen& pen, std::size_t id, const Rect& row) {
  ImGui::PushID(static_cast<int>(id));
  const Press press = lit_row(pen, "row", row);
  ImGui::PopID();
  return press;
}

Press lit_row(const Pen& pen, const char* id, const Rect& row) {
  const Press press = press_area(id, row);
  if (press.hovered) {
    pen.list.AddRectFilled({row.x - pen.px(4), row.y}, {right_of(row), bottom_of(row)},
                           with_alpha(pen.colours.dim, 40), pen.px(3));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  return press;
}

Pen Column::begin(const Theme& theme, const char* id, const Rect& area, int flags) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(8));
  // For ImGui a size of zero means all the room.
  ImGui::BeginChild(id, {std::max(area.width, 1.0f), std::max(area.height, 1.0f)}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | flags);
  return pen_of(theme);
}

Column::Column(const Theme& theme, const char* id, const Rect& area, float pad_px, float content_px,
               int flags)
    : pen_(begin(theme, id, area,
                 flags | (content_px > area.width ? ImGuiWindowFlags_HorizontalScrollbar : 0))),
      x_(ImGui::GetCursorScreenPos().x + pad_px),
      width_(std::max({ImGui::GetContentRegionAvail().x - 2 * pad_px, content_px, 1.0f})),
      next_y_(ImGui::GetCursorScreenPos().y) {}

// Tells ImGui how far the column scrolls, wherever something was placed last.
Column::~Column() {
  const bool wide = width_ > ImGui::GetWindowWidth();
  ImGui::SetCursorScreenPos({wide ? x_ + width_ : x_, next_y_});
  ImGui::Dummy({0, 0});
  ImGui::EndChild();
  ImGui::PopStyleVar(3);
}

Rect Column::row(float height_px) {
  const Rect rect{x_, next_y_, width_, height_px};
  next_y_ += height_px;
  return rect;
}

Column::Span Column::visible_rows(const Rect& all, std::size_t count, float height_px) const {
  if (count == 0 || height_px <= 0) return {0, 0};
  const ImVec2 clip_min = pen_.list.GetClipRectMin(), clip_max = pen_.list.GetClipRectMax();
  const auto most = static_cast<float>(count);
  const float first = std::clamp(std::floor((clip_min.y - all.y) / height_px), 0.0f, most);
  const float last = std::clamp(std::ceil((clip_max.y - all.y) / height_px), first, most);
  return {static_cast<std::size_t>(first), std::min(static_cast<std::size_t>(last), count)};
}

}  // namespace cinderscope
