// Where things stand in the window, from top to bottom.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/menus.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/chrome/settings_page.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/export/prepared.h"
#include "app/window/controllers/found_traces.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/notices.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/siblings.h"
#include "app/window/controllers/threads.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/search_panel.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/sessions.h"
#include "app/window/shell.h"
#include "app/window/tab.h"
#include "ingest/base/self_trace.h"
#include "ingest/format/capabilities.h"
#include "render/views/chrome/empty_trace.h"
#include "render/views/chrome/error_page.h"
#include "render/views/chrome/status_bar.h"
#include "render/views/chrome/toolbar.h"

namespace cinderscope {

namespace {

constexpr float kToolbarPx = 40, kStatusPx = 24;

// Looked up once for each timeline.
void sum_up(Tab& tab) {
  const Session& session = *tab.session;
  if (tab.generation == session.generation()) return;
  const SelfTraceMark mark("sum up memory");
  tab.generation = session.generation();
  tab.kept_bytes = kept_bytes(session.timeline()).total();
  if (session.source() != nullptr) tab.kept_bytes += session.source()->size().own_bytes;
  tab.thread_count = count_threads(session.timeline());
  self_trace_count("kept MB", static_cast<double>(tab.kept_bytes) / 1e6);
}

std::string_view empty_sentence(const Tab& tab) {
  if (tab.session->phase() == SessionPhase::stopped) return "Loading was stopped before any event.";
  return tab.notices.damage.empty() ? "The trace has no events." : "No events could be read.";
}

}  // namespace

void Shell::draw_window() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("cinderscope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBackground);  // the frame was cleared with its colour
  ImGui::PushFont(theme().words);
  const float toolbar_px = std::round(theme().px(kToolbarPx)),
              status_px = std::round(theme().px(kStatusPx));
  const Rect toolbar{0, 0, size.x, toolbar_px};
  const Rect status{0, size.y - status_px, size.x, status_px};
  const Rect below = controllers_->found_traces->draw_question(
      {0, toolbar_px, size.x, std::max(0.0F, size.y - toolbar_px - status_px)}, actions_);
  const Rect below_session = controllers_->sessions->draw_notices(below, actions_);
  const Rect middle = controllers_->compare->draw_question(below_session, actions_);

  Tab* tab = tabs_.page();
  if (tab == nullptr) {
    controllers_->start->draw(middle, actions_);
  } else if (tab->comparison != nullptr) {
    draw_comparison(*tab, middle);
  } else if (tab->missing != nullptr) {
    MissingController::draw(theme(), *tab, middle, actions_);
  } else if (tab->session->phase() == SessionPhase::failed) {
    draw_error({.theme = theme(),
                .area = middle,
                .path = tab->session->path(),
                .error = tab->session->error()},
               actions_);
  } else {
    draw_trace(*tab, middle);
  }
  draw_drop_chooser(middle);
  draw_toolbar_and_status(toolbar, status);
  controllers_->menus->draw(actions_);
  controllers_->keys->draw_help();
  controllers_->settings_page->draw(actions_);
  controllers_->view->scroll_to_thread();
  controllers_->palette->draw(actions_);
  ImGui::PopFont();
  ImGui::End();
}

// Over all that is in the middle, which gets no press meanwhile.
void Shell::draw_drop_chooser(const Rect& area) {
  if (!controllers_->drops->open()) return;
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("drops", {area.width, area.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  controllers_->drops->draw(area, actions_);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void Shell::draw_toolbar_and_status(const Rect& toolbar, const Rect& status) {
  const SelfTraceMark mark("tool bar and status");
  std::vector<ToolbarTab> titles;
  titles.reserve(tabs_.all.size());
  for (const auto& each : tabs_.all) {
    const bool numbers =
        each->comparison != nullptr && each->comparison->answers.numbers_only(side_a);
    titles.push_back({.title = each->session->title(),
                      .path = each->session->path(),
                      .failed = each->session->phase() == SessionPhase::failed && !numbers});
    if (each->comparison == nullptr) continue;
    titles.back().title = each->comparison->title();
    titles.back().path.clear();
    titles.back().comparison = true;
  }
  ToolbarFrame bar{.tabs = titles, .active = tabs_.shown_index, .theme = theme(), .area = toolbar};
  bar.session = controllers_->sessions->label();
  bar.keys_of = [this](std::string_view name) { return controllers_->keys->map().all(name); };
  StatusFrame foot{.theme = theme(), .area = status, .message = message()};
  const Tab* page = tabs_.page();
  if (page != nullptr && page->comparison != nullptr) {
    controllers_->compare->fill(foot, *page->comparison);
  }
  if (const Tab* tab = tabs_.shown(); tab != nullptr) {
    Session& session = *tab->session;
    bar.has_trace = session.has_trace();
    bar.can_go_back = session.history().can_go_back();
    bar.can_go_forward = session.history().can_go_forward();
    bar.shows_ns = session.state().ruler_in_ns;
    foot.loading = session.loading() && !session.reading_on();
    foot.load_seconds = session.load_seconds();
    foot.work = work_text(*tabs_.page());
    if (foot.work.empty()) foot.work = controllers_->prepared->progress_text(*tabs_.page());
    if (runs_query(*tabs_.page())) foot.end_work = "sql-cancel";
    foot.growing = is_still_written(*tab);
    if (foot.loading) {
      bar.progress = tab->progress.fraction;
      foot.load_fraction = tab->progress.fraction;
      foot.bytes_per_second = tab->progress.bytes_per_second;
      foot.unpacked_bytes = tab->progress.unpacked_bytes;
    }
    if (session.has_trace()) {
      foot.timeline = &session.timeline();
      foot.state = &session.state();
      foot.kept_bytes = tab->kept_bytes + session.children().kept_bytes();
      for (const auto& panel : tab->panels) foot.kept_bytes += panel->kept_bytes();
      if (!is_lane(*tab)) foot.range_calls = tab->panel<StatisticsPanel>().range_calls(session);
      foot.thread_count = tab->thread_count;
    }
  }
  tab_below_pointer_.reset();
  bar.below_pointer = &tab_below_pointer_;
  draw_toolbar(bar, actions_);
  controllers_->search->draw_field(toolbar);
  draw_status(foot, actions_);
}

bool Shell::draws_timeline(const Tab& tab) {
  const Session& session = *tab.session;
  return session.has_trace() && (!session.timeline().empty() || session.loading());
}

void Shell::draw_trace(Tab& tab, const Rect& whole) {
  const Rect below_notices = controllers_->notices->draw(tab, whole, actions_);
  const Rect below_warning = controllers_->merge->draw_warning(tab, below_notices, actions_);
  const Rect area = controllers_->siblings->draw_offer(tab, below_warning, actions_);
  sum_up(tab);
  PanelsController& panels = *controllers_->panels;
  ExportSheet* sheet = open_sheet(*controllers_);
  float panel_px = panels.height_px(area);
  if (sheet != nullptr) panel_px = sheet->height_px(area, panel_px);
  const Rect timeline{area.x, area.y, area.width, std::max(0.0F, area.height - panel_px)};
  const Rect panel{area.x, timeline.y + timeline.height, area.width, panel_px};

  Session& session = *tab.session;
  session.set_width(std::max(1.0F, area.width - theme().px(session.state().gutter_px)));
  session.note_visible();
  session.restore_selection();
  if (!draws_timeline(tab)) {
    panels.drag_border(area, panel);
    draw_empty_trace({.timeline = session.timeline(),
                      .theme = theme(),
                      .area = timeline,
                      .sentence = empty_sentence(tab)},
                     actions_);
    if (sheet != nullptr) return sheet->draw(panel, actions_);
    panels.draw(tab, panel, actions_);
    return;
  }
  const bool over_border = panels.drag_border(area, panel);
  draw_timeline(tab, timeline, timeline_has_mouse(over_border));
  controllers_->threads->draw_filter(tab, timeline, actions_);
  controllers_->bookmarks->draw_note(tab, timeline);
  if (sheet != nullptr) return sheet->draw(panel, actions_);
  panels.draw(tab, panel, actions_);
}

bool Shell::timeline_has_mouse(bool over_border) const {
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  return !popup && !over_border && !controllers_->drops->open() &&
         !controllers_->keys->help_open() && !controllers_->settings_page->open() &&
         !controllers_->palette->open() && !controllers_->threads->typing() &&
         !controllers_->bookmarks->writing();
}

void Shell::draw_timeline(Tab& tab, const Rect& area, bool interactive) {
  Session& session = *tab.session;
  tab.timeline_view.draw({.timeline = session.timeline(),
                          .state = session.state(),
                          .theme = theme(),
                          .area = area,
                          .interactive = interactive,
                          .filter_open = controllers_->threads->shows_filter(session.state()),
                          .loading = session.loading() && !session.reading_on(),
                          .load_fraction = tab.progress.fraction,
                          .matches = controllers_->search->lit(tab),
                          .version = session.version(),
                          .images = host_.images},
                         actions_);
  if (const SliceRef revealed = tab.revealed) {
    // Lanes move far when they line up: until their rows have the heights that they need there.
    if (!is_lane(tab) || !tab.timeline_view.animating()) tab.revealed = {};
    // Its rows have places only now.
    actions_.push_back(
        ScrollTo{tab.timeline_view.scroll_for(session.timeline(), session.state(), revealed)});
  }
}

}  // namespace cinderscope
