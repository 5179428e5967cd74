// Where things stand in the window, from top to bottom.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/window/app.h"
#include "ingest/base/self_trace.h"
#include "ingest/format/capabilities.h"
#include "render/tables/call_table.h"
#include "render/views/chrome/status_bar.h"
#include "render/views/chrome/toolbar.h"
#include "render/views/panels/report.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kToolbarPx = 40, kStatusPx = 24, kPanelTabsPx = 32, kSplitterPx = 5,
                kNoteLinePx = 24;
constexpr float kMinTimelinePx = 160, kMinPanelPx = 96;
// Of the panel while nobody has dragged it: all facts of a call without scrolling, but in a low
// window the timeline keeps the larger part.
constexpr float kPanelPx = 290, kPanelShare = 0.4F;
constexpr float kOverviewPx = 54, kRulerPx = 24;

ImVec2 corner(const Rect& area) {
  return {area.x, area.y};
}
ImVec2 extent(const Rect& area) {
  return {area.width, area.height};
}

ReadState read_state(const Session& session) {
  if (session.loading()) return ReadState::loading;
  return session.phase() == SessionPhase::ready ? ReadState::whole : ReadState::stopped;
}

}  // namespace

void App::draw_window(Actions& actions) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("cinderscope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBackground);  // the frame was cleared with its colour
  ImGui::PushFont(theme_.words);
  const float toolbar_px = std::round(theme_.px(kToolbarPx)),
              status_px = std::round(theme_.px(kStatusPx));
  const Rect toolbar{0, 0, size.x, toolbar_px};
  const Rect status{0, size.y - status_px, size.x, status_px};
  const Rect middle{0, toolbar_px, size.x, std::max(0.0F, size.y - toolbar_px - status_px)};

  Tab* tab = active();
  if (tab == nullptr) {
    const std::vector<RecentRow> recent = recent_rows();
    draw_start({.theme = theme_,
                .area = middle,
                .sample_path = sample_path_,
                .keys = key_help_,
                .recent = recent,
                .chosen = recent_chosen_},
               actions);
  } else if (tab->session->phase() == SessionPhase::failed) {
    draw_error({.theme = theme_,
                .area = middle,
                .path = tab->session->path(),
                .error = tab->session->error()},
               actions);
  } else {
    draw_content(*tab, middle, actions);
  }
  {
    const SelfTraceMark mark("tool bar and status");
    draw_toolbar_and_status(toolbar, status, actions);
  }
  const bool bookmark_menu = draw_bookmark_menu(actions);
  draw_context_menu(actions);
  menu_open_ = menu_open_ || bookmark_menu;
  draw_help();
  draw_palette(actions);
  ImGui::PopFont();
  ImGui::End();
}

void App::draw_toolbar_and_status(const Rect& toolbar, const Rect& status, Actions& actions) {
  Tab* tab = active();
  std::vector<ToolbarTab> titles;
  titles.reserve(tabs_.size());
  for (const auto& each : tabs_) {
    titles.push_back({each->session->title(), each->session->path(),
                      each->session->phase() == SessionPhase::failed});
  }
  ToolbarFrame bar{.tabs = titles, .active = active_, .theme = theme_, .area = toolbar};
  bar.keys_of = [this](std::string_view name) {
    const Command* of = command_named(name);
    return of == nullptr ? std::string() : keys_.all(of->id);
  };
  StatusFrame foot{.theme = theme_, .area = status, .message = message_};
  if (tab != nullptr) {
    Session& session = *tab->session;
    bar.has_trace = session.has_trace();
    bar.can_go_back = session.history().can_go_back();
    bar.can_go_forward = session.history().can_go_forward();
    bar.shows_ns = session.timeline().show_ns_unit;
    foot.loading = session.loading();
    foot.load_seconds = session.load_seconds();
    if (session.loading()) {
      bar.progress = tab->progress.fraction;
      foot.load_fraction = tab->progress.fraction;
      foot.bytes_per_second = tab->progress.bytes_per_second;
    }
    if (session.has_trace()) {
      foot.timeline = &session.timeline();
      foot.state = &session.state();
      foot.kept_bytes =
          tab->kept_bytes + session.children().kept_bytes() + tab->statistics.kept_bytes();
      foot.range_calls = tab->statistics.range_calls(session);
      foot.thread_count = tab->thread_count;
    }
  }
  draw_toolbar(bar, actions);
  draw_search_field(toolbar);
  draw_status(foot, actions);
}

void App::draw_content(Tab& tab, const Rect& whole, Actions& actions) {
  const Rect area = draw_thread_offer(tab, draw_merge_warning(tab, whole, actions), actions);
  Session& session = *tab.session;
  if (tab.generation != session.generation()) {
    tab.generation = session.generation();
    const SelfTraceMark mark("sum up memory");
    tab.kept_bytes = kept_bytes(session.timeline()).total();
    if (session.source() != nullptr) tab.kept_bytes += session.source()->size().own_bytes;
    tab.thread_count = count_threads(session.timeline());
    tab.has_calls = has_calls(session.timeline());
    self_trace_count("kept MB", static_cast<double>(tab.kept_bytes) / 1e6);
  }
  const float most_px = std::max(theme_.px(kMinPanelPx), area.height - theme_.px(kMinTimelinePx));
  const float wanted_px =
      panel_px_ ? theme_.px(*panel_px_) : std::min(theme_.px(kPanelPx), area.height * kPanelShare);
  const float panel_px =
      panel_open_ ? std::round(std::clamp(wanted_px, theme_.px(kMinPanelPx), most_px)) : 0;
  const Rect timeline{area.x, area.y, area.width, std::max(0.0F, area.height - panel_px)};
  const Rect panel{area.x, timeline.y + timeline.height, area.width, panel_px};

  const float gutter_px = theme_.px(session.state().gutter_px);
  session.set_width(std::max(1.0F, area.width - gutter_px));
  session.note_visible();
  session.restore_selection();
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  bool over_splitter = false;
  if (panel_open_) {
    // The border between both can be dragged; it lies over the last pixels of the timeline.
    const float half_px = theme_.px(kSplitterPx);
    ImGui::SetCursorScreenPos({panel.x, panel.y - half_px});
    ImGui::InvisibleButton("splitter", {panel.width, half_px * 2});
    over_splitter = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (over_splitter) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    if (ImGui::IsItemActive()) {
      panel_px_ = (area.y + area.height - ImGui::GetIO().MousePos.y) / theme_.scale;
      draw_again();
    }
  }
  const bool in_filter =
      filter_open_ && ImGui::GetIO().WantCaptureKeyboard && ImGui::IsAnyItemActive();
  tab.timeline_view.draw({.timeline = session.timeline(),
                          .state = session.state(),
                          .theme = theme_,
                          .area = timeline,
                          .interactive = !popup && !help_open_ && !palette_.open &&
                                         !over_splitter && !in_filter && !note_,
                          .loading = session.loading(),
                          .load_fraction = tab.progress.fraction,
                          .matches = tab.search.shown_matches(),
                          .version = session.generation() + session.children_generation(),
                          .images = images_},
                         actions);
  if (const SliceRef revealed = std::exchange(tab.revealed, {})) {
    // Its rows have places only now.
    actions.push_back(
        ScrollTo{tab.timeline_view.scroll_for(session.timeline(), session.state(), revealed)});
  }
  draw_filter_field(tab, timeline, actions);
  draw_note(tab, timeline);
  if (panel_open_) draw_panel(tab, panel, actions);
}

// A text field over the gutter's corner beside the ruler; an icon in its place while it is closed.
void App::draw_filter_field(Tab& tab, const Rect& area, Actions& actions) {
  const TimelineState& state = tab.session->state();
  const float width_px = theme_.px(state.gutter_px);
  const float y = area.y + theme_.px(kOverviewPx);
  const float height_px = theme_.px(kRulerPx);
  if (!filter_open_ && state.filter.empty()) {
    const float side_px = height_px;
    ImGui::SetCursorScreenPos({area.x + width_px - side_px - theme_.px(4), y});
    const bool clicked = ImGui::InvisibleButton("open filter", {side_px, side_px});
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PushFont(theme_.icons);
    const char* icon = "\uf0b0";
    const ImVec2 glyph = ImGui::CalcTextSize(icon);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImGui::GetWindowDrawList()->AddText(
        {at.x + (side_px - glyph.x) / 2, at.y + (side_px - glyph.y) / 2},
        hovered ? theme_.colours.text : theme_.colours.dim, icon);
    ImGui::PopFont();
    if (hovered) hint(pen_of(theme_), "Show only threads whose name contains a text");
    if (clicked) actions.push_back(RunCommand{"filter", {}});
    return;
  }
  std::array<char, 256> text{};
  state.filter.copy(text.data(), text.size() - 1);
  ImGui::SetCursorScreenPos({area.x, y});
  ImGui::BeginChild("filter", {width_px - 1, height_px}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, y}, {area.x + width_px - 1, y + height_px},
                                            theme_.colours.raised);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, theme_.colours.raised);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {theme_.px(12), (height_px - ImGui::GetFontSize()) / 2});
  ImGui::SetNextItemWidth(width_px - 1);
  if (std::exchange(filter_focus_, false)) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputTextWithHint("##filter", "filter threads", text.data(), text.size())) {
    actions.push_back(SetFilter{text.data()});
  }
  if (ImGui::IsItemDeactivated() && text[0] == '\0') filter_open_ = false;
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

// A dim line at the upper edge; returns what is left below it.
Rect App::draw_note_line(const Rect& area, std::string_view text) const {
  const Pen pen = pen_of(theme_);
  const float line_px = std::round(theme_.px(kNoteLinePx));
  const Rect line{area.x, area.y, area.width, std::min(line_px, area.height)};
  fill(pen.list, line, pen.colours.panel);
  draw_cut_text(pen.list, pen.words, line.x + theme_.px(16), middle_y(line),
                line.width - theme_.px(32), pen.colours.dim, text);
  return {area.x, area.y + line.height, area.width, area.height - line.height};
}

void App::draw_panel(Tab& tab, const Rect& area, Actions& actions) {
  const SelfTraceMark mark("panel");
  Session& session = *tab.session;
  const Timeline& timeline = session.timeline();
  const float tabs_px = std::round(theme_.px(kPanelTabsPx));
  // The tabs and what is below them fill their parts of the area themselves.
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(corner(area), {area.x + area.width, area.y}, theme_.colours.line);
  const std::uint64_t oddities = timeline.diagnostics.total();
  std::vector<PanelTab> tabs = {
      {.label = "Details"},
      {.label = "Statistics"},
      {.label = "Flame graph"},
      {.label = "Search", .count = tab.search.match_count()},
      {.label = "Load report", .count = oddities, .count_in_accent = true}};
  if (tab.has_calls) {
    tabs.push_back({.label = "Calls"});
  } else if (panel_tab_ == PanelId::calls) {
    panel_tab_ = PanelId::details;
  }
  panel_tab_ = static_cast<PanelId>(draw_panel_tabs(theme_, {area.x, area.y, area.width, tabs_px},
                                                    tabs, static_cast<std::size_t>(panel_tab_)));
  const Rect inside{area.x, area.y + tabs_px, area.width, std::max(0.0F, area.height - tabs_px)};
  ImGui::SetCursorScreenPos(corner(inside));
  ImGui::BeginChild("panel", extent(inside), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const PanelFrame frame{.session = session, .theme = theme_, .area = inside};
  if (panel_tab_ == PanelId::statistics) {
    PanelFrame below = frame;
    if (tab.disk.needed()) below.area = draw_note_line(inside, tab.disk.measured_text());
    tab.statistics.draw(below, actions);
  } else if (panel_tab_ == PanelId::flame_graph) {
    tab.flame_graph.draw(frame, tab.search.finder(), actions);
  } else if (panel_tab_ == PanelId::calls) {
    tab.calls.draw(frame, actions);
  } else if (panel_tab_ == PanelId::search) {
    draw_search_panel(tab, frame, actions);
  } else if (panel_tab_ == PanelId::details) {
    tab.all_of_name.ask(session);
    tab.details_view.draw({.timeline = timeline,
                           .state = session.state(),
                           .source = session.source(),
                           .theme = theme_,
                           .area = inside,
                           .generation = session.generation() + session.children_generation(),
                           .counts_calls = true,
                           .all_of_name = tab.all_of_name.found()},
                          actions);
    note_characters(tab, tab.details_view.facts());
  } else {
    LoadReport report{.timeline = timeline,
                      .path = session.path(),
                      .load_seconds = session.load_seconds(),
                      .read = read_state(session)};
    bool offers_index = false;
    if (session.format() != nullptr) report.format = session.format()->description();
    if (const TraceSource* source = session.source()) {
      report.stored_bytes = source->size().stored_bytes;
      report.inflated_bytes = source->size().inflated_bytes;
      report.on_disk = tab.disk.progress_text();
      offers_index = source->index_file() != nullptr && source->index_file()->is_wanted();
    }
    draw_report({report, theme_, inside, offers_index}, actions);
  }
  ImGui::EndChild();
}

}  // namespace cinderscope
