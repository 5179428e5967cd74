#include "render/views/chrome/search_field.h"

#include <imgui.h>
#include <imgui_internal.h>  // ClearActiveID: ends typing from outside

#include <algorithm>
#include <cmath>
#include <cstring>

#include "render/text/label.h"
#include "render/views/widgets/imgui_versions.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 10, kCrossPx = 18;
constexpr float kErrorPx = 420;
constexpr std::size_t kAround = 24;  // bytes of the query shown on either side of the error

// At a character's border.
std::size_t border_before(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) --at;
  return at;
}

// Draws the error below the field: its sentence, and the query with the wrong part underlined.
void draw_error(const Pen& pen, const SearchFieldFrame& frame, std::string_view text) {
  const std::size_t at = border_before(text, frame.error_offset);
  const std::size_t from = border_before(text, at > kAround ? at - kAround : 0);
  const std::size_t to = border_before(text, std::min(text.size(), at + kAround));
  const std::string before = (from > 0 ? "… " : "") + drawable(text.substr(from, at - from));
  const std::string behind = drawable(text.substr(at, to - at)) + (to < text.size() ? " …" : "");
  const float line = pen.px(20), pad = pen.px(12);
  const float text_px = std::max(text_width(pen.words, frame.error),
                                 text_width(pen.numbers, before + behind) + pen.px(8));
  const float width = std::min(std::max(text_px + 2 * pad, frame.area.width),
                               std::max(pen.px(kErrorPx), frame.area.width));
  const float right = right_of(frame.area);
  const Rect box{std::round(right - width), bottom_of(frame.area) + pen.px(6), width,
                 2 * line + 2 * pen.px(8)};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 corner{box.x, box.y}, opposite{right_of(box), bottom_of(box)};
  list.AddRectFilled(corner, opposite, pen.colours.raised, pen.px(6));
  list.AddRect(corner, opposite, pen.colours.line, pen.px(6));
  float y = box.y + pen.px(8) + line / 2;
  draw_cut_text(list, pen.words, box.x + pad, y, box.width - 2 * pad, pen.colours.text,
                frame.error);
  y += line;
  const float x = box.x + pad;
  const float place = x + draw_text(list, pen.numbers, x, y, pen.colours.dim, before);
  draw_text(list, pen.numbers, place, y, pen.colours.text, behind);
  const std::size_t one = behind.empty() ? 0 : character_bytes(behind, 0);
  const float mark =
      std::max(text_width(pen.numbers, std::string_view(behind).substr(0, one)), pen.px(6));
  fill(list, {place, y + pen.px(8), mark, std::max(std::round(pen.px(1.5f)), 1.0f)},
       pen.colours.accent);
}

}  // namespace

void SearchField::show(std::string_view text) {
  if (text == shown_) return;
  shown_ = text;
  // ImGui keeps a text that is being edited; any other has to be passed to it anew.
  const std::string_view typed(buffer_.data());
  if (typed == text) return;
  std::string line;
  const bool fits =
      text.size() < buffer_.size() && std::none_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
      });
  if (!fits) {
    line = drawable(text);
    text = line;
  }
  buffer_.fill('\0');
  text.copy(buffer_.data(), buffer_.size() - 1);
  stale_ = true;
}

SearchFieldEvents SearchField::draw(const SearchFieldFrame& frame) {
  SearchFieldEvents events;
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  ImGui::PushID("search field");
  const ImGuiID id = ImGui::GetID("##text");
  const bool interrupted = (wants_out_ || stale_ || wants_focus_) && ImGui::GetActiveID() == id;
  if (interrupted) {
    // Typing goes on in the new text, or starts with all of it selected.
    if (stale_ && !wants_out_) wants_focus_ = true;
    ImGui::ClearActiveID();
  }
  wants_out_ = stale_ = false;
  const ImVec2 corner{area.x, area.y}, opposite{right_of(area), bottom_of(area)};
  pen.list.AddRectFilled(corner, opposite, pen.colours.background, pen.px(6));
  pen.list.AddRect(corner, opposite, focused_ ? pen.colours.dim : pen.colours.line, pen.px(6));

  const bool has_text = buffer_[0] != '\0';
  float end = right_of(area) - pen.px(kPadPx);
  if (has_text) {
    const Rect cross{end - pen.px(kCrossPx) + pen.px(6), area.y, pen.px(kCrossPx), area.height};
    const Press press = press_area("clear", cross);
    draw_text(pen.list, pen.words, cross.x + pen.px(5), middle_y(area),
              press.hovered ? pen.colours.text : pen.colours.dim, "×");
    if (press.hovered) hint(pen, "Clear the search (Esc)");
    events.cleared = press.clicked;
    end = cross.x - pen.px(4);
  }
  // In a narrow window the query needs the room more than the count does.
  if (!frame.count.empty() && area.width > pen.px(150)) {
    end -= draw_text(pen.list, pen.numbers, end, middle_y(area), pen.colours.dim, frame.count,
                     Align::right);
    end -= pen.px(8);
  }
  const float height = ImGui::GetFontSize();
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0U);
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, 0U);
  ImGui::PushStyleColor(ImGuiCol_FrameBgActive, 0U);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {pen.px(kPadPx), std::floor((area.height - height) / 2)});
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::SetNextItemWidth(std::max(end - area.x, pen.px(24)));
  if (wants_focus_ && frame.enabled) focus_next_item();
  wants_focus_ = false;
  ImGui::BeginDisabled(!frame.enabled);
  std::string empty(frame.empty);
  if (!frame.keys.empty()) empty += "  " + frame.keys;
  const std::string given(interrupted ? buffer_.data() : "");
  if (ImGui::InputTextWithHint("##text", empty.c_str(), buffer_.data(), buffer_.size(),
                               ImGuiInputTextFlags_AutoSelectAll)) {
    if (interrupted) {
      // Newer versions of ImGui write what was typed until then over the new text.
      buffer_.fill('\0');
      given.copy(buffer_.data(), buffer_.size() - 1);
    } else {
      events.edited = std::string(buffer_.data());
      shown_ = *events.edited;
    }
  }
  ImGui::EndDisabled();
  focused_ = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(3);
  if (!frame.error.empty() && (focused_ || hovered)) draw_error(pen, frame, buffer_.data());
  if (frame.enabled && hovered && !focused_ && !has_text) {
    hint(pen,
         "Part of a name or of an argument, /a regular expression/, key:value, dur:>5ms. "
         "The Search tab lists all forms.");
  }
  ImGui::PopID();
  return events;
}

}  // namespace cinderscope
