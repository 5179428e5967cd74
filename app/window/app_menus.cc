// Context menus in the window.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/window/app.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kRowPx = 26, kPadPx = 12, kCheckPx = 20, kKeysGapPx = 32, kLinePx = 9;

struct MenuLook {
  float text_px = 0, keys_px = 0;
  bool checks = false;

  float width(const Pen& pen) const {
    return text_px + (keys_px > 0 ? keys_px + pen.px(kKeysGapPx) : 0) + 2 * pen.px(kPadPx) +
           (checks ? pen.px(kCheckPx) : 0);
  }
};

// True if it was clicked.
bool draw_entry(const Pen& pen, std::size_t i, const MenuEntry& entry, const std::string& keys,
                const Rect& rect, const MenuLook& look) {
  const Press press = press_area(i, rect);
  if (press.hovered && entry.enabled) {
    const Rect lit = inset(rect, pen.px(4), 0);
    pen.list.AddRectFilled({lit.x, lit.y}, {right_of(lit), bottom_of(lit)}, pen.colours.line,
                           pen.px(4));
  }
  const Rgba faint = with_alpha(pen.colours.dim, 110);
  float x = rect.x + pen.px(kPadPx);
  if (look.checks) {
    if (entry.checked) {
      draw_text(pen.list, pen.icons, x - pen.px(2), middle_y(rect), pen.colours.text, "\uf00c");
    }
    x += pen.px(kCheckPx);
  }
  draw_text(pen.list, pen.words, x, middle_y(rect), entry.enabled ? pen.colours.text : faint,
            entry.label);
  draw_text(pen.list, pen.numbers, right_of(rect) - pen.px(kPadPx), middle_y(rect),
            entry.enabled ? pen.colours.dim : faint, keys, Align::right);
  return press.clicked && entry.enabled;
}

}  // namespace

void App::ask_for_menu(std::string_view target) {
  const Tab* tab = active();
  MenuSource source{.commands = command_state(), .tab_count = tabs_.size()};
  if (tab != nullptr && tab->session->has_trace()) {
    source.timeline = &tab->session->timeline();
    source.state = &tab->session->state();
  }
  // Kept as it is now: what was under the pointer will not be there once the pointer is in the
  // menu.
  menu_ = menu_entries(menu_target(target), source);
  menu_asked_ = !menu_.empty();
  const MenuTarget::Kind kind = menu_target(target).kind;
  hidden_threads_in_menu_ = source.state != nullptr && kind != MenuTarget::Kind::tab;
}

void App::draw_context_menu(Actions& actions) {
  if (std::exchange(menu_asked_, false)) ImGui::OpenPopup("menu");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1, theme_.px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  menu_open_ = ImGui::BeginPopup("menu", ImGuiWindowFlags_NoMove);
  const bool closes = std::exchange(menu_closes_, false);
  if (menu_open_) {
    if (closes) ImGui::CloseCurrentPopup();
    const Pen pen = pen_of(theme_);
    std::vector<std::string> keys;
    MenuLook look;
    for (const MenuEntry& entry : menu_) {
      const bool has_key = entry.calls.size() == 1 && entry.calls.front().argument.empty();
      keys.push_back(has_key ? keys_.first(entry.calls.front().id) : std::string());
      look.text_px = std::max(look.text_px, text_width(pen.words, entry.label));
      look.keys_px = std::max(look.keys_px, text_width(pen.numbers, keys.back()));
      look.checks |= entry.checked;
    }
    const float width = look.width(pen);
    for (std::size_t i = 0; i < menu_.size(); ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool line = menu_[i].label.empty();
      const Rect rect{at.x, at.y, width, pen.px(line ? kLinePx : kRowPx)};
      if (line) {
        horizontal_line(pen.list, rect.x, right_of(rect), middle_y(rect), pen.colours.line);
      } else if (draw_entry(pen, i, menu_[i], keys[i], rect, look)) {
        for (const MenuEntry::Call& call : menu_[i].calls) {
          actions.push_back(RunCommand{std::string(command(call.id).name), call.argument});
        }
        ImGui::CloseCurrentPopup();
      }
      ImGui::SetCursorScreenPos(at);
      ImGui::Dummy({width, rect.height});
    }
    if (hidden_threads_in_menu_) {
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(12), theme_.px(8)});
      ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme_.px(12), theme_.px(7)});
      ImGui::Indent(theme_.px(kPadPx));
      draw_hidden_threads_menu(actions);
      ImGui::Unindent(theme_.px(kPadPx));
      ImGui::PopStyleVar(2);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace cinderscope
