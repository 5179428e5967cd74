#include "render/views/chrome/command_palette.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/views/widgets/imgui_versions.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kWidthPx = 560, kFieldPx = 44, kRowPx = 28, kPadPx = 16, kTopPx = 84;
// With columns of kinds, sizes and dates.
constexpr float kWidePx = 760, kKindPx = 160, kSizePx = 76, kDatePx = 100, kTickPx = 24;
constexpr std::size_t kMostRows = 14;

// The letters that were typed stand out: they are in the text's colour and bold, the rest is dim.
void draw_matched(const Pen& pen, const PaletteRow& row, float x, float y, float end_x) {
  if (row.offsets.empty()) {
    draw_cut_text(pen.list, pen.words, x, y, end_x - x, pen.colours.text, row.text);
    return;
  }
  std::size_t at = 0;
  std::size_t next = 0;
  while (at < row.text.size() && x < end_x) {
    while (next < row.offsets.size() && row.offsets[next] < at) ++next;
    const bool matched = next < row.offsets.size() && row.offsets[next] == at;
    std::size_t end = next < row.offsets.size() ? row.offsets[next] : row.text.size();
    if (matched) {
      end = at + 1;
      while (end < row.text.size() && (static_cast<unsigned char>(row.text[end]) & 0xc0) == 0x80) {
        ++end;
      }
    }
    const std::string_view part = std::string_view(row.text).substr(at, end - at);
    const ImFont& font = matched ? pen.heads : pen.words;
    const float width = text_width(font, part);
    if (x + width > end_x) {
      draw_cut_text(pen.list, font, x, y, end_x - x, pen.colours.dim, part);
      return;
    }
    draw_text(pen.list, font, x, y, matched ? pen.colours.text : pen.colours.dim, part);
    x += width;
    at = end;
  }
}

void draw_row(const Pen& pen, const PaletteRow& row, const Rect& rect, bool chosen, bool wide) {
  if (chosen) {
    pen.list.AddRectFilled({rect.x + pen.px(6), rect.y},
                           {right_of(rect) - pen.px(6), bottom_of(rect)}, pen.colours.line,
                           pen.px(4));
  }
  const float y = middle_y(rect);
  float x = rect.x + pen.px(kPadPx);
  float end = right_of(rect) - pen.px(kPadPx);
  if (row.ticked) {
    draw_text(pen.list, pen.icons, x, y, *row.ticked ? pen.colours.text : pen.colours.dim,
              *row.ticked ? icon::kTicked : icon::kUnticked);
    x += pen.px(kTickPx);
  }
  if (wide) {
    const Rgba faint = with_alpha(pen.colours.dim, 170);
    draw_text(pen.list, pen.numbers, end, y, faint, row.date, Align::right);
    draw_text(pen.list, pen.numbers, end - pen.px(kDatePx), y, faint, row.size, Align::right);
    // Where both are missing there is room for the text.
    if (!row.date.empty() || !row.size.empty()) end -= pen.px(kDatePx + kSizePx);
    const float kind_x = end - pen.px(kKindPx);
    if (!row.kind.empty() && kind_x > x + pen.px(kKindPx)) {
      draw_cut_text(pen.list, pen.numbers, kind_x, y, pen.px(kKindPx), faint, row.kind);
      end = kind_x - pen.px(12);
    }
  }
  if (!row.keys.empty()) {
    const float keys_px = text_width(pen.numbers, row.keys);
    draw_text(pen.list, pen.numbers, end - keys_px, y, pen.colours.dim, row.keys);
    end -= keys_px + pen.px(14);
  }
  const float text_px = std::min(text_width(pen.heads, row.text), end - x);
  if (!row.enabled) {
    draw_cut_text(pen.list, pen.words, x, y, end - x, with_alpha(pen.colours.dim, 110), row.text);
  } else {
    draw_matched(pen, row, x, y, end);
  }
  const float note_x = x + text_px + pen.px(12);
  if (!row.note.empty() && end - note_x > pen.px(40)) {
    draw_cut_text(pen.list, pen.numbers, note_x, y, end - note_x,
                  with_alpha(pen.colours.dim, row.enabled ? 170 : 90), row.note);
  }
}

struct TextToSet {
  const char* text;
  std::optional<std::string>& replaced;
};

// While it has the keyboard ImGui keeps a text of its own, to which what was typed in this frame
// has been added already.
int set_text(ImGuiInputTextCallbackData* data) {
  const TextToSet& to_set = *static_cast<const TextToSet*>(data->UserData);
  if (data->EventFlag != ImGuiInputTextFlags_CallbackAlways || !to_set.replaced) return 0;
  const std::string replaced = *std::exchange(to_set.replaced, std::nullopt);
  const std::string now(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  std::string text = to_set.text;
  if (now != text && now.starts_with(replaced)) text += now.substr(replaced.size());
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, text.c_str());
  data->ClearSelection();
  return 0;
}

bool draw_field(const Pen& pen, const CommandPaletteFrame& frame, const Rect& rect) {
  float x = rect.x + pen.px(kPadPx);
  if (!frame.prompt.empty()) {
    const float most = rect.width * 0.5f;
    draw_cut_text(pen.list, pen.heads, x, middle_y(rect), most, pen.colours.text, frame.prompt);
    x += std::min(text_width(pen.heads, frame.prompt), most) + pen.px(10);
  }
  const float width = std::max(right_of(rect) - pen.px(kPadPx) - x, 1.0f);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.text);
  ImGui::PushStyleColor(ImGuiCol_TextDisabled, pen.colours.dim);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, pen.px(6)});
  ImGui::PushFont(frame.theme.words);
  ImGui::SetCursorScreenPos({x, rect.y + (rect.height - ImGui::GetFrameHeight()) / 2});
  ImGui::SetNextItemWidth(width);
  // The field has the keyboard as long as the palette is open. Set only if it has not: setting the
  // focus again would select all of the text.
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID was_active = ImGui::GetID("was active");
  if (!storage->GetBool(was_active)) focus_next_item();
  // Tab is a key of the palette.
  constexpr int kFlags =
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion;
  TextToSet to_set{frame.text.data(), frame.replaced};
  const bool edited = ImGui::InputTextWithHint("##palette", frame.hint.c_str(), frame.text.data(),
                                               frame.text.size(), kFlags, set_text, &to_set);
  storage->SetBool(was_active, ImGui::IsItemActive());
  ImGui::PopFont();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(3);
  return edited;
}

// The rows scroll in a window of their own. True if one was clicked.
bool draw_rows(const Pen& outer, const CommandPaletteFrame& frame, const Rect& area) {
  bool clicked = false;
  Column column(frame.theme, "rows", area, 0);
  const Pen& pen = column.pen();
  const float row_px = std::round(outer.px(kRowPx));
  if (frame.reveal_chosen) {
    const float top = static_cast<float>(frame.chosen) * row_px;
    const float scroll = ImGui::GetScrollY();
    const float lowest = top + row_px - area.height;
    ImGui::SetScrollY(std::clamp(scroll, std::max(lowest, 0.0f), std::max(top, lowest)));
  }
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  column.rows(frame.rows.size(), row_px, [&](std::size_t i, const Rect& rect) {
    const Press press = press_area(i, rect);
    // A pointer that does not move leaves the choice to the keys.
    if (press.hovered && (moved.x != 0 || moved.y != 0)) frame.chosen = i;
    if (press.clicked) {
      frame.chosen = i;
      clicked = true;
    }
    draw_row(pen, frame.rows[i], rect, i == frame.chosen, frame.wide);
  });
  return clicked;
}

}  // namespace

CommandPaletteAnswer draw_command_palette(const CommandPaletteFrame& frame) {
  CommandPaletteAnswer answer;
  const Rect& area = frame.area;
  // A window of its own, since the panel's columns are windows and would lie above a plain drawing.
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("command palette", {std::max(area.width, 1.0f), std::max(area.height, 1.0f)},
                    false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Pen pen = pen_of(frame.theme);
  const float wanted = pen.px(frame.wide ? kWidePx : kWidthPx);
  const float width = std::max(std::min(wanted, area.width - pen.px(24)), 1.0f);
  const float field_px = std::round(pen.px(kFieldPx)), row_px = std::round(pen.px(kRowPx));
  const float top = std::round(std::min(pen.px(kTopPx), area.height * 0.1f));
  const float room = area.height - 2 * top - field_px - pen.px(12);
  const auto fit = static_cast<std::size_t>(std::max(room / row_px, 1.0f));
  answer.rows_shown = std::min(fit, kMostRows);
  const std::size_t lines =
      std::min(std::max<std::size_t>(frame.rows.size(), 1), answer.rows_shown);
  const float list_px = static_cast<float>(lines) * row_px;
  const Rect plate{std::round(area.x + (area.width - width) / 2), area.y + top, width,
                   field_px + pen.px(12) + list_px};
  const ImVec2 corner{plate.x, plate.y}, opposite{right_of(plate), bottom_of(plate)};
  fill(pen.list, area, rgb(0x000000, frame.theme.kind == ThemeKind::dark ? 90 : 30));
  pen.list.AddRectFilled(corner, opposite, pen.colours.raised, pen.px(8));
  pen.list.AddRect(corner, opposite, pen.colours.line, pen.px(8));
  horizontal_line(pen.list, plate.x, right_of(plate), plate.y + field_px, pen.colours.line);
  answer.edited = draw_field(pen, frame, {plate.x, plate.y, width, field_px});
  const Rect list{plate.x, plate.y + field_px + pen.px(6), width, list_px};
  if (frame.rows.empty()) {
    draw_text(pen.list, pen.words, list.x + pen.px(kPadPx), list.y + row_px / 2, pen.colours.dim,
              frame.prompt.empty() ? "No matching command" : "Type its argument, then Enter");
  } else {
    answer.run = draw_rows(pen, frame, list);
  }
  const bool pressed =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  answer.outside =
      pressed && !contains(plate, ImGui::GetIO().MousePos) && !ImGui::IsWindowAppearing();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace cinderscope
