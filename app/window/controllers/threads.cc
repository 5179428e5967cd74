#include "app/window/controllers/threads.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/thread_choices.h"
#include "app/commands/thread_commands.h"
#include "app/commands/thread_moves.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/tab.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/timeline/timeline.h"
#include "render/views/widgets/imgui_versions.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostThreadsInMenu = 30;

// ImGui takes what follows "##" for an id.
std::string menu_text(std::string_view name) {
  std::string text = drawable(name.substr(0, 200));
  for (std::size_t at = text.find("##"); at != std::string::npos; at = text.find("##", at)) {
    text.insert(at + 1, " ");
  }
  return text;
}

}  // namespace

void ThreadsController::filter(const std::string& text) {
  TimelineState& state = app_.tabs().shown()->session->state();
  state.filter = text;
  state.scroll_px = 0;  // what is left may all lie above
  if (text.empty()) filter_open_ = filter_focus_ = true;
}

bool ThreadsController::typing() const {
  return filter_open_ && ImGui::GetIO().WantCaptureKeyboard && ImGui::IsAnyItemActive();
}

void ThreadsController::draw_filter_icon(const Rect& corner, Actions& actions) {
  const Theme& theme = app_.theme();
  ImGui::SetCursorScreenPos({corner.x, corner.y});
  const bool clicked = ImGui::InvisibleButton("open filter", {corner.width, corner.height});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PushFont(theme.icons);
  const char* icon = "\uf0b0";
  const ImVec2 glyph = ImGui::CalcTextSize(icon);
  const ImVec2 at = ImGui::GetItemRectMin();
  ImGui::GetWindowDrawList()->AddText(
      {at.x + (corner.width - glyph.x) / 2, at.y + (corner.height - glyph.y) / 2},
      hovered ? theme.colours.text : theme.colours.dim, icon);
  ImGui::PopFont();
  if (hovered) hint(pen_of(theme), "Show only threads whose name contains a text");
  if (clicked) actions.push_back(RunCommand{"filter", {}});
}

void ThreadsController::draw_filter(const Tab& tab, const Rect& area, Actions& actions) {
  const Theme& theme = app_.theme();
  const TimelineState& state = tab.session->state();
  const Rect head = timeline_parts(state, theme, area).ruler_head;
  const float width_px = head.width, height_px = head.height, y = head.y;
  if (!shows_filter(state)) {
    const float x = head.x + width_px - height_px - theme.px(4);
    return draw_filter_icon({x, y, height_px, height_px}, actions);
  }
  std::array<char, 256> text{};
  state.filter.copy(text.data(), text.size() - 1);
  ImGui::SetCursorScreenPos({area.x, y});
  ImGui::BeginChild("filter", {width_px - 1, height_px}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, y}, {area.x + width_px - 1, y + height_px},
                                            theme.colours.raised);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, theme.colours.raised);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {theme.px(12), (height_px - ImGui::GetFontSize()) / 2});
  // How many the text leaves stands at the field's end.
  std::string count;
  float count_px = 0;
  if (!state.filter.empty()) {
    count =
        fmt::format("{} of {}", count_text(state.filtered_tracks), count_text(state.all_tracks));
    count_px = ImGui::CalcTextSize(count.c_str()).x + theme.px(12);
    const float top = y + (height_px - ImGui::GetFontSize()) / 2;
    ImGui::GetWindowDrawList()->AddText({area.x + width_px - count_px, top}, theme.colours.dim,
                                        count.c_str());
  }
  ImGui::SetNextItemWidth(std::max(width_px - 1 - count_px, theme.px(40)));
  if (std::exchange(filter_focus_, false)) focus_next_item();
  if (ImGui::InputTextWithHint("##filter", "filter threads", text.data(), text.size())) {
    actions.push_back(RunCommand{"filter", quoted_argument(text.data())});
  }
  if (ImGui::IsItemDeactivated() && text[0] == '\0') filter_open_ = false;
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

void ThreadsController::draw_hidden_threads_menu(Actions& actions) {
  const Timeline& timeline = app_.tabs().shown()->session->timeline();
  const TimelineState& state = app_.tabs().shown()->session->state();
  if (state.hidden_tracks.empty() || !ImGui::BeginMenu("Hidden threads")) return;
  std::size_t shown = 0;
  for (const std::uint32_t track : state.hidden_tracks) {
    if (track >= timeline.tracks.size()) continue;
    if (shown == kMostThreadsInMenu) {
      const std::string rest = fmt::format("and {} more", state.hidden_tracks.size() - shown);
      ImGui::MenuItem(rest.c_str(), nullptr, false, false);
      break;
    }
    ++shown;
    const Track& facts = timeline.tracks[track];
    const std::string name = menu_text(track_label(timeline, facts));
    const std::string process = menu_text(process_label(timeline, facts.process));
    ImGui::PushID(static_cast<int>(track));
    if (ImGui::MenuItem(name.c_str(), process.c_str())) {
      actions.push_back(RunCommand{"show", track_argument(TrackId(track))});
    }
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

namespace {

// What a command of threads changes.
struct Shown {
  const Timeline& timeline;
  TimelineState& state;
};

Shown shown(AppContext& app) {
  Session& session = *app.tabs().shown()->session;
  return {session.timeline(), session.state()};
}

template <bool kCollapse>
Status fold(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  return fold_threads(arguments.text(), kCollapse, on.timeline, on.state);
}

template <bool kHide>
Status hide(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  return hide_threads(arguments.text(), kHide, on.timeline, on.state);
}

Status solo(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  return solo_threads(arguments.text(), on.timeline, on.state);
}

template <bool kPin>
Status pin(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  return pin_threads(arguments.text(), kPin, on.timeline, on.state);
}

Status move(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  return move_thread(arguments.text(0), arguments.text(1), arguments.text(2), on.timeline,
                     on.state);
}

Status group(AppContext& app, const CommandArguments& arguments) {
  return group_threads(arguments.text(), shown(app).state);
}

Status show_all(AppContext& app, const CommandArguments& /*arguments*/) {
  show_all_threads(shown(app).state);
  app.controllers().threads->close_filter();
  return ok();
}

Status filter(AppContext& app, const CommandArguments& arguments) {
  app.controllers().threads->filter(arguments.text());
  return ok();
}

Status sort(AppContext& app, const CommandArguments& arguments) {
  TrackOrder order = TrackOrder::sort_index;
  if (arguments.is("time")) order = TrackOrder::first_time;
  if (arguments.is("name")) order = TrackOrder::name;
  if (arguments.is("id")) order = TrackOrder::id;
  if (arguments.is("activity")) order = TrackOrder::activity;
  sort_threads(order, shown(app).state);
  return ok();
}

Status limit(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  constexpr std::int64_t kMost = UINT32_MAX;
  const std::int64_t rows = arguments.is("off") ? 0 : std::min(*arguments.number(), kMost);
  return limit_depth(static_cast<std::uint32_t>(rows), arguments.text(1), on.timeline, on.state);
}

Status select(AppContext& app, const CommandArguments& arguments) {
  const Shown on = shown(app);
  return select_threads(arguments.text(0), arguments.text(1), on.timeline, on.state);
}

Status hide_without_matches(AppContext& app, const CommandArguments& arguments) {
  bool& hides = shown(app).state.hide_without_matches;
  hides = arguments.switched(hides);
  app.say_of_shown(hides ? "threads without matches are hidden while something is searched for"
                         : "threads without matches are shown");
  return ok();
}

Status fit_rows(AppContext& app, const CommandArguments& arguments) {
  bool& fits = app.settings().fit_rows;
  fits = arguments.switched(fits);
  app.say(fits ? "threads are as high as what is in view" : "threads show all their rows");
  app.settings_changed();
  return ok();
}

constexpr Command kThreadsCommands[] = {
    {"collapse", "[THREAD]", "", "Collapse the thread", CommandGroup::threads, CommandNeeds::trace,
     fold<true>},
    {"expand", "[THREAD]", "", "Expand the thread", CommandGroup::threads, CommandNeeds::trace,
     fold<false>},
    {"hide", "[THREAD]", "", "Hide the thread", CommandGroup::threads, CommandNeeds::trace,
     hide<true>},
    {"show", "[THREAD]", "", "Show the thread again", CommandGroup::threads, CommandNeeds::trace,
     hide<false>},
    {"solo", "[THREAD|off]", "", "Show only this thread", CommandGroup::threads,
     CommandNeeds::trace, solo},
    {"pin", "[THREAD]", "", "Pin the thread to the top", CommandGroup::threads, CommandNeeds::trace,
     pin<true>},
    {"unpin", "[THREAD]", "", "Unpin the thread", CommandGroup::threads, CommandNeeds::trace,
     pin<false>},
    {"move-thread", "THREAD up|down|top|bottom|before|after [THREAD]", "", "Move the thread",
     CommandGroup::threads, CommandNeeds::trace, move},
    {"group", "process|none|REGEX", "", "Group threads", CommandGroup::threads, CommandNeeds::trace,
     group},
    {"show-all", "", "", "Show all threads, expanded", CommandGroup::threads, CommandNeeds::trace,
     show_all},
    {"filter", "[WORDS]", "", "Show the threads that contain WORDS", CommandGroup::threads,
     CommandNeeds::trace, filter},
    {"sort", "index|time|name|id|activity", "", "Order of the threads", CommandGroup::threads,
     CommandNeeds::trace, sort},
    {"select-threads", "toggle|to|only|none [THREAD]", "", "Select threads in the gutter",
     CommandGroup::threads, CommandNeeds::trace, select},
    {"depth-limit", "N|off [THREAD]", "", "Show at most N rows of the thread",
     CommandGroup::threads, CommandNeeds::trace, limit},
    {"fit-rows", "[on|off]", "", "Fit the height of threads to what is in view",
     CommandGroup::threads, CommandNeeds::nothing, fit_rows},
    {"hide-without-matches", "[on|off]", "", "Show only threads with matches of the search",
     CommandGroup::threads, CommandNeeds::trace, hide_without_matches},
};

}  // namespace

std::span<const Command> thread_commands() {
  return kThreadsCommands;
}

}  // namespace cinderscope
