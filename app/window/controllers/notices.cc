#include "app/window/controllers/notices.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/session.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/prepared.h"
#include "app/window/controllers/siblings.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/replacing.h"
#include "app/window/tab.h"
#include "ingest/format/capabilities.h"
#include "render/text/report_text.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

// Reading a file on takes at most a sixth of the time.
constexpr double kPauseTimes = 5, kLeastPauseSeconds = 1;
// A file that was read on this long ago is not written any more: what is cut now stays cut.
constexpr std::chrono::seconds kStillWritten{61};

// It has grown as its format lets expect.
bool is_to_be_read_on(const Session& session) {
  return session.disk_change().what == FileChange::grown && session.source() != nullptr &&
         session.source()->grows() && session.can_reload();
}

Clock::time_point next_reading(const Tab& tab) {
  if (!tab.notices.grew) return {};
  const double pause_s = std::max(kLeastPauseSeconds, kPauseTimes * tab.session->load_seconds());
  return *tab.notices.grew +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause_s));
}

std::string change_text(const Session& session) {
  const DiskChange& change = session.disk_change();
  switch (change.what) {
    case FileChange::none:
      return {};
    case FileChange::grown:
      return fmt::format("\"{}\" has grown since it was read.", change.file);
    case FileChange::shrunk:
      return fmt::format("\"{}\" has become shorter since it was read.", change.file);
    case FileChange::overwritten:
      return fmt::format("\"{}\" has changed on disk since it was read.", change.file);
    case FileChange::replaced:
      return fmt::format("\"{}\" was replaced by another file since it was read.", change.file);
  }
  return {};
}

std::string shown_change(const Tab& tab) {
  const Session& session = *tab.session;
  if (tab.notices.change_kept || session.loading() || is_to_be_read_on(session)) return {};
  return change_text(session);
}

std::string shown_damage(const Tab& tab) {
  const Session& session = *tab.session;
  const bool shown = !tab.notices.damage_dismissed && !session.loading() && !is_still_written(tab);
  return shown ? tab.notices.damage : std::string();
}

std::string shown_symbols(const Tab& tab) {
  const TabNotices& notices = tab.notices;
  if (tab.symbols) return "Names of native functions are being looked up.";
  const bool shown = notices.symbols_wanted && !notices.symbols_dismissed &&
                     !tab.session->loading() && !tab.session->renaming() && !is_still_written(tab);
  return shown ? "Native functions are shown by address; the files they came from may name them."
               : std::string();
}

bool wants_symbols(const Session& session) {
  const NativeSymbols* symbols =
      session.source() == nullptr ? nullptr : session.source()->native_symbols();
  return symbols != nullptr && symbols->can_read() && symbols->wanted();
}

}  // namespace

bool is_still_written(const Tab& tab) {
  return tab.notices.grew && Clock::now() - *tab.notices.grew < kStillWritten;
}

void NoticesController::poll() {
  for (const auto& tab : app_.tabs().all) poll(*tab);
}

void NoticesController::poll(Tab& tab) {
  Session& session = *tab.session;
  session.watch_files(active_ && &tab == app_.tabs().shown());
  TabNotices& notices = tab.notices;
  if (notices.generation != session.generation() && !session.loading()) {
    notices.generation = session.generation();
    notices.damage_dismissed = notices.change_kept = false;
  }
  if (notices.version != session.version()) {
    notices.version = session.version();
    notices.damage = damage_sentence(session.timeline(), session.several_files());
    notices.symbols_wanted = wants_symbols(session);
  }
  // Of one that grows nothing else says so once it does no more.
  const bool growing = is_still_written(tab);
  if (std::exchange(notices.shown_growing, growing) != growing) app_.draw_again(1);
  if (is_to_be_read_on(session) && Clock::now() >= next_reading(tab)) read_on(tab);
}

void NoticesController::read_on(Tab& tab) {
  tab.notices.grew = Clock::now();
  tab.session->read_on();
  app_.draw_again();
}

std::optional<double> NoticesController::seconds_to_read_on() const {
  std::optional<double> seconds;
  const auto at_most = [&seconds](Clock::time_point due) {
    const std::chrono::duration<double> left = due - Clock::now();
    seconds = std::max(0.0, std::min(seconds.value_or(left.count()), left.count()));
  };
  for (const auto& tab : app_.tabs().all) {
    if (is_to_be_read_on(*tab->session)) at_most(next_reading(*tab));
    if (tab->notices.shown_growing) at_most(*tab->notices.grew + kStillWritten);
  }
  return seconds;
}

std::vector<std::string> NoticesController::texts(const Tab& tab) const {
  std::vector<std::string> texts;
  for (std::string text :
       {shown_change(tab), shown_damage(tab), shown_symbols(tab), LayoutsController::notice(tab),
        replaced_notice(tab), app_.controllers().prepared->offer_text(tab), tab.merge_warning,
        SiblingsController::offer_text(tab)}) {
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

Rect NoticesController::draw(const Tab& tab, const Rect& area, Actions& actions) {
  Rect left = area;
  const auto draw_one = [&](const char* id, const std::string& text,
                            std::vector<NoticeAnswer> answers, bool warns = true) {
    if (text.empty()) return;
    const float height = std::round(app_.theme().px(kNoticePx));
    ImGui::PushID(id);
    draw_notice({.theme = app_.theme(),
                 .area = {left.x, left.y, left.width, height},
                 .text = text,
                 .answers = std::move(answers),
                 .warns = warns},
                actions);
    ImGui::PopID();
    left.y += height;
    left.height = std::max(0.0F, left.height - height);
  };
  std::vector<NoticeAnswer> answers;
  if (tab.session->can_reload()) answers.push_back({"Reload, keep the view", {"reload", ""}});
  answers.push_back({"Keep as is", {"dismiss-notice", "changed"}});
  draw_one("changed", shown_change(tab), std::move(answers));
  draw_one("damage", shown_damage(tab),
           {{"Load report", {"panel", "report"}}, {"Dismiss", {"dismiss-notice", "damage"}}});
  std::vector<NoticeAnswer> look_up{{"Cancel", {"symbols", "cancel"}}};
  if (!tab.symbols) {
    look_up = {{"Look up names", {"symbols", ""}}, {"Dismiss", {"dismiss-notice", "symbols"}}};
  }
  draw_one("symbols", shown_symbols(tab), std::move(look_up));
  draw_one("layout", LayoutsController::notice(tab),
           {{"Undo", {"undo-layout", ""}}, {"Dismiss", {"dismiss-notice", "layout"}}}, false);
  std::vector<NoticeAnswer> of_replaced;
  if (offers_bookmarks(tab))
    of_replaced.push_back({"Take bookmarks along", {"take-bookmarks", ""}});
  of_replaced.push_back({"Dismiss", {"dismiss-notice", "replaced"}});
  draw_one("replaced", replaced_notice(tab), std::move(of_replaced));
  draw_one("copy", app_.controllers().prepared->offer_text(tab),
           {{"Keep", {"keep-copy", ""}},
            {"Always", {"prepared-copies", "always"}},
            {"Never", {"prepared-copies", "never"}}},
           false);
  return left;
}

void NoticesController::dismiss(std::string_view notice) {
  Tab* tab = app_.tabs().shown();
  if (tab == nullptr) return;
  TabNotices& notices = tab->notices;
  if (notice == "changed") notices.change_kept = true;
  if (notice == "damage") notices.damage_dismissed = true;
  if (notice == "symbols") notices.symbols_dismissed = true;
  if (notice == "layout" && tab->layout != nullptr) tab->layout->told = false;
  if (notice == "replaced") tab->replaced.reset();
  app_.draw_again();
}

namespace {

Status dismiss_notice(AppContext& app, const CommandArguments& arguments) {
  app.controllers().notices->dismiss(arguments.text());
  return ok();
}

constexpr Command kNoticesCommands[] = {
    {"dismiss-notice", "changed|damage|symbols|layout|replaced", "",
     "Close a notice about this trace's file", CommandGroup::file, CommandNeeds::trace,
     dismiss_notice},
};

}  // namespace

std::span<const Command> notice_commands() {
  return kNoticesCommands;
}

}  // namespace cinderscope
