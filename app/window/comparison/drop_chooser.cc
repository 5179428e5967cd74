#include "app/window/comparison/drop_chooser.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/commands/arguments.h"
#include "app/compare/side_text.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

struct Field {
  std::string_view word, label, help;
};
constexpr std::array<Field, 4> kFields = {{
    {"open", "Open", "Each in a tab of its own"},
    {"merge", "Same timeline", "Put on one axis of time"},
    {"compare", "Compare", "Side by side: what changed?"},
    {"replace", "In its place", "Threads, searches and panels stay"},
}};
constexpr float kGapPx = 16, kWidestPx = 300, kHighestPx = 180, kOnceMorePx = 36;

}  // namespace

bool DropChooser::asks(const std::vector<std::string>& paths) {
  const Tab* page = app_.tabs().page();
  const bool has_trace = page != nullptr && !is_lane(*page) && page->session->has_trace() &&
                         page->session->can_reload();
  // A merged timeline is of several already.
  const bool single = has_trace && page->merged_files.empty();
  const bool two = paths.size() == 2 || (paths.size() == 1 && single);
  if (!two || !app_.settings().ask_on_drop) return false;
  paths_ = paths;
  may_replace_ = false;
  app_.draw_again();
  return true;
}

bool DropChooser::asks_on_head(std::size_t tab, const std::string& path) {
  const TabList& tabs = app_.tabs();
  if (tab >= tabs.all.size()) return false;
  const Tab& on = *tabs.all[tab];
  const bool single = on.comparison == nullptr && on.merged_files.empty() && on.missing == nullptr;
  const bool whole = on.session->has_trace() && !on.session->loading() && on.session->can_reload();
  if (!single || !whole) return false;
  app_.controllers().tabs->show(tab);
  paths_ = {path};
  may_replace_ = true;
  return true;
}

Status DropChooser::choose(std::string_view word) {
  if (paths_.empty()) return refused("Nothing was dropped.");
  const std::vector<std::string> paths = std::exchange(paths_, {});
  app_.draw_again();
  if (word == "cancel") return ok();
  if (word == "always") {
    app_.settings().ask_on_drop = false;
    app_.settings_changed();
  }
  if (word == "merge") {
    // Of two on a window without a trace the first makes the timeline.
    app_.controllers().merge->add_dropped(paths);
    return ok();
  }
  if (word == "replace") {
    if (!may_replace_) return refused("Drop it on the head of the tab that it is to replace.");
    return app_.controllers().sessions->replace_trace(paths.front(), app_.tabs().shown_index);
  }
  if (word != "compare") {
    app_.controllers().tabs->open_all(paths);
    return ok();
  }
  SideText a, b;
  a.paths = {paths.size() == 2 ? paths[0] : app_.tabs().page()->session->path()};
  b.paths = {paths.back()};
  app_.controllers().compare->start(std::move(a), std::move(b));
  return ok();
}

bool DropChooser::take_key(const KeyChord& chord) {
  if (!open() || chord.ctrl || chord.alt) return false;
  constexpr std::array<std::pair<Key, std::string_view>, 6> kKeys = {{{Key::d1, "open"},
                                                                      {Key::d2, "merge"},
                                                                      {Key::d3, "compare"},
                                                                      {Key::d4, "replace"},
                                                                      {Key::enter, "compare"},
                                                                      {Key::escape, "cancel"}}};
  for (const auto& [key, word] : kKeys) {
    if (chord.key != key || (word == "replace" && !may_replace_)) continue;
    if (const Status done = choose(word); !done) app_.say(done.error().text);
    return true;
  }
  return false;
}

void DropChooser::draw(const Rect& area, Actions& actions) {
  if (!open()) return;
  const Pen pen = pen_of(app_.theme());
  fill(pen.list, area, with_alpha(pen.colours.background, 235));
  ImGui::PushID("drop chooser");
  const float gap = pen.px(kGapPx);
  const std::size_t count = kFields.size() - (may_replace_ ? 0 : 1);
  const auto fields = static_cast<float>(count);
  const float width =
      std::round(std::min((area.width - (fields + 1) * gap) / fields, pen.px(kWidestPx)));
  const float height =
      std::round(std::min(area.height - pen.px(kOnceMorePx) - 3 * gap, pen.px(kHighestPx)));
  const float all_px = width * fields + gap * (fields - 1);
  float x = std::round(area.x + (area.width - all_px) / 2);
  const float y = std::round(area.y + (area.height - height - pen.px(kOnceMorePx)) / 2);
  constexpr std::array<std::string_view, 4> kKeyTexts = {"1", "2", "3, Enter", "4"};
  for (std::size_t i = 0; i < count; ++i) {
    const Field& field = kFields.at(i);
    const Rect rect{x, y, width, height};
    const Press press = press_area(i, rect);
    const ImVec2 corner{rect.x, rect.y}, opposite{right_of(rect), bottom_of(rect)};
    pen.list.AddRectFilled(corner, opposite, press.hovered ? pen.colours.raised : pen.colours.panel,
                           pen.px(8));
    pen.list.AddRect(corner, opposite, press.hovered ? pen.colours.accent : pen.colours.line,
                     pen.px(8), 0, pen.px(press.hovered ? 2 : 1));
    const auto line = [&](const ImFont& font, float line_y, Rgba colour, std::string_view text) {
      const float text_px = std::min(text_width(font, text), rect.width - pen.px(16));
      draw_cut_text(pen.list, font, rect.x + (rect.width - text_px) / 2, line_y, text_px + 1,
                    colour, text);
    };
    const float middle = middle_y(rect);
    line(pen.title, middle - pen.px(14), pen.colours.text, field.label);
    line(pen.words, middle + pen.px(10), pen.colours.dim, field.help);
    line(pen.numbers, bottom_of(rect) - pen.px(16), pen.colours.dim, kKeyTexts.at(i));
    if (press.clicked) run_command(actions, "drop-choice", std::string(field.word));
    x += width + gap;
  }
  constexpr std::string_view kAlways = "Always open";
  const float text_px = text_width(pen.words, kAlways);
  const Rect always{std::round(area.x + (area.width - text_px) / 2), y + height + gap, text_px,
                    pen.px(22)};
  const Press press = press_area("always", always);
  draw_text(pen.list, pen.words, always.x, middle_y(always),
            press.hovered ? pen.colours.text : pen.colours.dim, kAlways);
  if (press.hovered) {
    hint(pen, "What is dropped opens without being asked about; \"ask-on-drop on\" asks again");
  }
  if (press.clicked) run_command(actions, "drop-choice", "always");
  ImGui::PopID();
}

namespace {

Status drop_choice(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().drops->choose(arguments.text());
}

Status ask_on_drop(AppContext& app, const CommandArguments& arguments) {
  bool& asks = app.settings().ask_on_drop;
  asks = arguments.switched(asks);
  app.settings_changed();
  app.say(asks ? "it is asked what is to be done with two traces that are dropped"
               : "what is dropped opens");
  return ok();
}

constexpr Command kDropChooserCommands[] = {
    {"drop-choice", "open|merge|compare|replace|always|cancel", "",
     "What to do with dropped traces", CommandGroup::file, CommandNeeds::nothing, drop_choice},
    {"ask-on-drop", "[on|off]", "", "Ask what to do with two traces that are dropped",
     CommandGroup::window, CommandNeeds::nothing, ask_on_drop},
};

}  // namespace

std::span<const Command> drop_commands() {
  return kDropChooserCommands;
}

}  // namespace cinderscope
