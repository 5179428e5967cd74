#include "app/window/controllers/chrome/menus.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/commands/arguments.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/paths.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/threads.h"
#include "app/window/tab.h"
#include "ingest/base/number_text.h"
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

void MenusController::ask_for(std::string_view target) {
  const Tab* tab = app_.tabs().shown();
  MenuSource source{.commands = app_.commands(),
                    .enabled = app_.command_state(),
                    .tab_count = app_.tabs().all.size(),
                    .recent = app_.settings().recent,
                    .sample = app_.controllers().start->sample_path(),
                    .has_dialog = app_.controllers().paths->has_dialog(),
                    .copies_pictures = app_.copies_pictures(),
                    .spreadsheet_texts = app_.settings().spreadsheet_texts};
  if (tab != nullptr && tab->session->has_trace()) {
    source.timeline = &tab->session->timeline();
    source.state = &tab->session->state();
  }
  // Kept as it is now: what was under the pointer will not be there once the pointer is in the
  // menu.
  const bool of_comparison = target.starts_with("compare-");
  entries_ = of_comparison ? app_.controllers().compare->menu(target)
                           : menu_entries(menu_target(target), source);
  std::vector<MenuEntry> offers = app_.controllers().compare->offers(menu_target(target));
  if (!offers.empty() && !entries_.empty()) entries_.emplace_back();
  std::ranges::move(offers, std::back_inserter(entries_));
  asked_ = !entries_.empty();
  const MenuTarget::Kind kind = menu_target(target).kind;
  lists_hidden_threads_ = !of_comparison && source.state != nullptr &&
                          kind != MenuTarget::Kind::tab && kind != MenuTarget::Kind::open &&
                          kind != MenuTarget::Kind::table;
}

void MenusController::draw(Actions& actions) {
  const bool closes = std::exchange(closes_, false);
  const bool of_bookmark = app_.controllers().bookmarks->draw_menu(closes, actions);
  if (std::exchange(asked_, false)) ImGui::OpenPopup("menu");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1, app_.theme().px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  open_ = ImGui::BeginPopup("menu", ImGuiWindowFlags_NoMove);
  if (open_) {
    if (closes) ImGui::CloseCurrentPopup();
    const Pen pen = pen_of(app_.theme());
    std::vector<std::string> keys;
    MenuLook look;
    for (const MenuEntry& entry : entries_) {
      const bool has_key = entry.calls.size() == 1 && entry.calls.front().argument.empty();
      keys.push_back(has_key ? app_.controllers().keys->map().first(entry.calls.front().name)
                             : std::string());
      look.text_px = std::max(look.text_px, text_width(pen.words, entry.label));
      look.keys_px = std::max(look.keys_px, text_width(pen.numbers, keys.back()));
      look.checks |= entry.checked;
    }
    const float width = look.width(pen);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool line = entries_[i].label.empty();
      const Rect rect{at.x, at.y, width, pen.px(line ? kLinePx : kRowPx)};
      if (line) {
        horizontal_line(pen.list, rect.x, right_of(rect), middle_y(rect), pen.colours.line);
      } else if (draw_entry(pen, i, entries_[i], keys[i], rect, look)) {
        for (const MenuEntry::Call& call : entries_[i].calls) {
          actions.push_back(RunCommand{call.name, call.argument});
        }
        ImGui::CloseCurrentPopup();
      }
      ImGui::SetCursorScreenPos(at);
      ImGui::Dummy({width, rect.height});
    }
    if (lists_hidden_threads_) {
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {app_.theme().px(12), app_.theme().px(8)});
      ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {app_.theme().px(12), app_.theme().px(7)});
      ImGui::Indent(app_.theme().px(kPadPx));
      app_.controllers().threads->draw_hidden_threads_menu(actions);
      ImGui::Unindent(app_.theme().px(kPadPx));
      ImGui::PopStyleVar(2);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  open_ = open_ || of_bookmark;
}

namespace {

// "bookmark N", or what menu_target() reads.
Status context_menu(AppContext& app, const CommandArguments& arguments) {
  const CommandCall target = split_call(arguments.text());
  if (target.name == "bookmark") {
    const std::size_t number = parse_number<std::size_t>(target.argument).value_or(0);
    return app.controllers().bookmarks->ask_for_menu(number - 1);
  }
  app.controllers().menus->ask_for(arguments.text());
  return ok();
}

constexpr Command kMenusCommands[] = {
    {"context-menu", "[TARGET]", "", "Menu of what is under the pointer", CommandGroup::window,
     CommandNeeds::nothing, context_menu},
};

}  // namespace

std::span<const Command> menu_commands() {
  return kMenusCommands;
}

}  // namespace cinderscope
