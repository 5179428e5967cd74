#include "app/window/controllers/panels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/sheet.h"
#include "app/window/controllers/view.h"
#include "app/window/editor_keys.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/tab.h"
#include "ingest/base/self_trace.h"
#include "ingest/format/trace_source.h"
#include "render/views/chrome/panel_tabs.h"
#include "render/views/editor/code_editor.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kTabsPx = 32, kBorderPx = 5, kMinTimelinePx = 160, kMinPanelPx = 96;
// Unless the user has dragged it: all facts of a call without scrolling, but in a low window the
// timeline keeps the larger part.
constexpr float kPanelPx = 290, kPanelShare = 0.4F;
struct TableKeyOf {
  Key pressed = Key::none;
  TableKey means = TableKey::up;
};
constexpr std::array<TableKeyOf, 10> kTableKeys = {{{Key::up, TableKey::up},
                                                    {Key::down, TableKey::down},
                                                    {Key::left, TableKey::left},
                                                    {Key::right, TableKey::right},
                                                    {Key::page_up, TableKey::page_up},
                                                    {Key::page_down, TableKey::page_down},
                                                    {Key::home, TableKey::first},
                                                    {Key::end, TableKey::last},
                                                    {Key::enter, TableKey::enter},
                                                    {Key::space, TableKey::space}}};
constexpr float kComparedPx = 414, kComparedShare = 0.46F;  // both timelines can be read above it

}  // namespace

const std::string& PanelsController::word_of(const Tab& tab) const {
  return tab.comparison != nullptr ? compared_word_ : word_;
}

Panel* PanelsController::visible(const Tab& tab) const {
  if (!open_ || &tab != app_.tabs().page()) return nullptr;
  Panel* panel = tab.panel_named(word_of(tab));
  return panel != nullptr && panel->available(*tab.session) ? panel : nullptr;
}

void PanelsController::show(std::string_view word) {
  open_ = true;
  const Tab* tab = app_.tabs().page();
  const bool compared = tab != nullptr && tab->comparison != nullptr;
  (compared ? compared_word_ : word_) = word;
}

Panel* PanelsController::visible_panel() const {
  const Tab* tab = app_.tabs().page();
  return tab == nullptr ? nullptr : visible(*tab);
}

TableView* PanelsController::visible_table() const {
  Panel* panel = visible_panel();
  return panel == nullptr ? nullptr : panel->table();
}

bool PanelsController::has_keys() const {
  return keys_at_ == KeysAt::table && visible_table() != nullptr;
}

Status PanelsController::give_keys(KeysAt to) {
  if (to == KeysAt::table && visible_table() == nullptr) {
    return refused(open_ ? "This panel has no table." : "The lower panel is closed.");
  }
  if (to == KeysAt::editor &&
      (visible_panel() == nullptr || visible_panel()->editor() == nullptr)) {
    return refused(open_ ? "This panel has no editor." : "The lower panel is closed.");
  }
  keys_at_ = to;
  return ok();
}

Status PanelsController::give_keys_on() {
  Panel* panel = visible_panel();
  const bool has_editor = panel != nullptr && panel->editor() != nullptr;
  if (keys_at_ == KeysAt::timeline) return give_keys(KeysAt::table);
  if (keys_at_ == KeysAt::table && has_editor) return give_keys(KeysAt::editor);
  return give_keys(KeysAt::timeline);
}

CodeEditor* PanelsController::edited() const {
  if (keys_at_ != KeysAt::editor || ImGui::GetIO().WantTextInput) return nullptr;
  if (app_.controllers().bookmarks->editor() != nullptr) return nullptr;
  Panel* panel = visible_panel();
  return panel != nullptr && open_sheet(app_.controllers()) == nullptr ? panel->editor() : nullptr;
}

bool PanelsController::take_editor_key(const KeyChord& chord) {
  if (!editing()) return false;
  app_.draw_again();
  Panel& panel = *visible_panel();
  if (panel.take_editor_key(app_, chord)) return true;
  if (cinderscope::take_editor_key(app_, *panel.editor(), chord)) return true;
  if (chord.key == Key::escape) {
    keys_at_ = KeysAt::timeline;
    return true;
  }
  // What makes a character comes as one.
  const bool of_window = chord.ctrl || chord.alt || (chord.key >= Key::f1 && chord.key <= Key::f12);
  return !of_window;
}

bool PanelsController::take_key(const KeyChord& chord) {
  if (!has_keys() || chord.ctrl || chord.alt || chord.shift) return false;
  if (chord.key == Key::escape) {
    keys_at_ = KeysAt::timeline;
    return true;
  }
  const auto key = std::ranges::find(kTableKeys, chord.key, &TableKeyOf::pressed);
  if (key == kTableKeys.end()) return false;
  visible_table()->press(key->means);
  app_.draw_again();
  return true;
}

// Menus lie over both.
void PanelsController::follow_click(const Rect& inside, const Panel& shown) {
  const bool pressed =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (!pressed || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  keys_at_ = contains(shown.editor_area(), mouse) ? KeysAt::editor
             : contains(inside, mouse)            ? KeysAt::table
                                                  : KeysAt::timeline;
}

bool PanelsController::busy() const {
  const Tab* tab = app_.tabs().page();
  const Panel* panel = tab == nullptr ? nullptr : visible(*tab);
  return panel != nullptr && panel->busy();
}

void PanelsController::apply_settings() {
  if (app_.settings().panel_px > 0) height_px_ = app_.settings().panel_px;
}

// A profile without a clock is best read as a flame graph. A session knows what it showed.
void PanelsController::open_for(Tab& tab) {
  const Session& session = *tab.session;
  if (tab.opened_panel || session.loading() || !session.has_trace()) return;
  tab.opened_panel = true;
  const Timeline& timeline = session.timeline();
  const bool measured = !timeline.weights.empty() || !timeline.axis.unit.text().empty();
  const bool shows_timeline = tab.comparison == nullptr && tab.of_session == nullptr;
  if (timeline.axis == TimeAxis::events && measured && shows_timeline) {
    show(FlameGraphPanel::kWord);
    app_.draw_again();
  }
  const ThreadId active = session.source() ? session.source()->active_thread() : kNoThread;
  const TrackId track =
      index(active) < timeline.threads.size() ? timeline.threads[index(active)].track : kNoTrack;
  if (!shows_timeline || track == kNoTrack) return;
  tab.session->state().selected_tracks = {};
  tab.session->state().selected_tracks.insert(index(track));
  // Rows have no places yet; it is scrolled to with the next frame. The track is there.
  static_cast<void>(app_.controllers().view->go_to_thread(fmt::format("track {}", index(track))));
}

void PanelsController::poll() {
  const SelfTraceMark mark("take answers");
  if (Tab* tab = app_.tabs().page()) open_for(*tab);
  for (const auto& tab : app_.tabs().all) {
    for (const auto& panel : tab->panels) {
      if (panel->poll(*tab->session, panel.get() == visible(*tab))) app_.draw_again();
      if (std::string message = panel->take_message(); !message.empty()) {
        app_.say_of(*tab, std::move(message));
      }
      if (const std::string texts = panel->take_shown_texts(); !texts.empty()) {
        app_.controllers().look->note_text(texts);
      }
    }
  }
}

float PanelsController::height_px(const Rect& area) const {
  if (!open_) return 0;
  const Theme& theme = app_.theme();
  const float most_px = std::max(theme.px(kMinPanelPx), area.height - theme.px(kMinTimelinePx));
  const Tab* tab = app_.tabs().page();
  const bool compared = tab != nullptr && tab->comparison != nullptr;
  const std::optional<float>& dragged_px = compared      ? compared_px_
                                           : session_px_ ? session_px_
                                                         : height_px_;
  const float wanted_px = dragged_px
                              ? theme.px(*dragged_px)
                              : std::min(theme.px(compared ? kComparedPx : kPanelPx),
                                         area.height * (compared ? kComparedShare : kPanelShare));
  return std::round(std::clamp(wanted_px, theme.px(kMinPanelPx), most_px));
}

// It lies over the last pixels of the timeline.
bool PanelsController::drag_border(const Rect& area, const Rect& panel) {
  if (!open_) return false;
  const float half_px = app_.theme().px(kBorderPx);
  ImGui::SetCursorScreenPos({panel.x, panel.y - half_px});
  ImGui::InvisibleButton("splitter", {panel.width, half_px * 2});
  const bool over = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (over) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive()) {
    const bool compared = app_.controllers().compare->shown() != nullptr;
    if (!compared) session_px_.reset();
    (compared ? compared_px_ : height_px_) =
        (area.y + area.height - ImGui::GetIO().MousePos.y) / app_.theme().scale;
    app_.draw_again();
  }
  return over;
}

// At the right end of the tabs: takes the panel's table away. Returns where it begins.
float PanelsController::draw_table_button(const Panel& panel, const Rect& tabs,
                                          Actions& actions) const {
  if (panel.table_word().empty()) return right_of(tabs);
  const Pen pen = pen_of(app_.theme());
  const float size = std::round(pen.px(24));
  const Rect rect{right_of(tabs) - size - pen.px(12), std::round(middle_y(tabs) - size / 2), size,
                  size};
  if (icon_button(pen, "table", rect, {.icon = icon::kCopy, .help = "Copy or save the table"})) {
    run_command(actions, "context-menu", "table");
  }
  return rect.x;
}

// Left of that.
void PanelsController::draw_side_by_side(const Tab& tab, const Rect& tabs, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  constexpr std::string_view kLabel = "Side by side";
  const bool on = tab.comparison->choice.side_by_side;
  const float label_px = text_width(pen.words, kLabel), icon_px = pen.px(14);
  const float width = label_px + icon_px + pen.px(6);
  if (tabs.width < width * 5) return;
  const Rect rect{right_of(tabs) - width - pen.px(14), tabs.y, width, tabs.height};
  const Press press = press_area("side by side", rect);
  const Rgba colour = on || press.hovered ? pen.colours.text : pen.colours.dim;
  const float y = std::round(middle_y(rect)), half = pen.px(6);
  pen.list.AddRect({rect.x, y - half}, {rect.x + icon_px, y + half}, colour, pen.px(2), 0,
                   pen.px(1.2F));
  vertical_line(pen.list, std::round(rect.x + icon_px / 2), y - half, y + half, colour);
  draw_text(pen.list, pen.words, rect.x + icon_px + pen.px(6), y, colour, kLabel);
  if (press.hovered) hint(pen, "Flame graph and histogram beside the names, where there is room");
  if (press.clicked) run_command(actions, "side-by-side", on ? "off" : "on");
}

void PanelsController::draw(Tab& tab, const Rect& area, Actions& actions) {
  if (!open_) return;
  const SelfTraceMark mark("panel");
  const Theme& theme = app_.theme();
  Session& session = *tab.session;
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.x + area.width, area.y},
                                      theme.colours.line);
  std::string& word = tab.comparison != nullptr ? compared_word_ : word_;
  std::vector<Panel*> panels;
  std::vector<PanelTab> labels;
  std::size_t chosen = 0;
  for (const auto& panel : tab.panels) {
    if (!panel->available(session)) continue;
    if (panel->word() == word) chosen = panels.size();
    panels.push_back(panel.get());
    labels.push_back({.label = std::string(panel->label()), .count = panel->shown_count(session)});
  }
  // The tabs and what is below them fill their parts of the area themselves.
  const float tabs_px = std::round(theme.px(kTabsPx));
  const bool compared = tab.comparison != nullptr;
  Panel& shown =
      *panels[draw_panel_tabs(theme, {area.x, area.y, area.width, tabs_px}, labels, chosen)];
  const Rect strip{area.x, area.y, area.width, tabs_px};
  const float right = draw_table_button(shown, strip, actions);
  if (compared) draw_side_by_side(tab, {area.x, area.y, right - area.x, tabs_px}, actions);
  word = shown.word();
  const Rect inside{area.x, area.y + tabs_px, area.width, std::max(0.0F, area.height - tabs_px)};
  follow_click(inside, shown);
  if (TableView* table = shown.table()) table->set_focus(keys_at_ == KeysAt::table);
  ImGui::SetCursorScreenPos({inside.x, inside.y});
  ImGui::BeginChild("panel", {inside.width, inside.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  shown.draw({.session = session, .theme = theme, .area = inside, .app = app_}, actions);
  ImGui::EndChild();
}

}  // namespace cinderscope
