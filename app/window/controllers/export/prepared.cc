#include "app/window/controllers/export/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/prepared_copies.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/number_text.h"
#include "ingest/build/added_tracks.h"
#include "render/text/size_text.h"

namespace cinderscope {

PreparedController::PreparedController(AppContext& app)
    : app_(app), writing_([] { Window::wake(); }) {}

PreparedController::~PreparedController() {
  if (progress_) progress_->cancelled = true;
}

bool PreparedController::is_worth_it(const Tab& tab) const {
  const Session& session = *tab.session;
  return session.source() != nullptr && !session.prepared() && !is_lane(tab) &&
         session.load_seconds() > least_seconds_ && !session.disk_change() &&
         !session.load_options().prepared_folder.empty() && can_be_prepared(session.timeline()) &&
         can_have_copy(session.opened(), session.load_options());
}

std::string PreparedController::offer_text(const Tab& tab) const {
  if (!tab.notices.copy_offered || app_.settings().prepared_copies != PreparedChoice::ask) {
    return {};
  }
  return fmt::format("Keep a prepared copy ({}) so that this trace reopens at once?",
                     size_text(tab.notices.copy_bytes));
}

Status PreparedController::keep() {
  Tab& tab = *app_.tabs().shown();
  if (tab.session->source() == nullptr) return refused("The trace is still being read.");
  if (tab.session->prepared()) return refused("This trace was opened from its prepared copy.");
  return start(tab);
}

Status PreparedController::start(Tab& tab) {
  if (busy()) return refused("A prepared copy is being written already.");
  Session& session = tab.session->viewed() != nullptr ? *tab.session->viewed() : *tab.session;
  tab.notices.copy_offered = false;
  of_ = &session;
  progress_ = std::make_shared<CopyProgress>();
  progress_->wake = [] { Window::wake(); };
  // Chunks and names are shared with what is shown.
  Timeline timeline = session.timeline();
  remove_added_tracks(timeline);
  writing_.start([progress = progress_, options = session.load_options(), opened = session.opened(),
                  timeline = std::move(timeline),
                  limits = copy_limits(app_.settings())](const BackgroundQuestion<Written>&) {
    return Written{write_copy(opened, timeline, options, *progress, limits)};
  });
  app_.draw_again();
  return ok();
}

void PreparedController::poll() {
  for (const auto& tab : app_.tabs().all) {
    TabNotices& notices = tab->notices;
    const std::uint64_t now = tab->session->generation();
    if (tab->session->source() == nullptr || notices.copy_generation == now) continue;
    notices.copy_generation = now;
    notices.copy_offered = is_worth_it(*tab);
    if (!notices.copy_offered) continue;
    notices.copy_bytes = prepared_bytes(tab->session->timeline());
    if (app_.settings().prepared_copies == PreparedChoice::always && !busy()) {
      static_cast<void>(start(*tab));
    }
  }
  if (!progress_) return;
  const auto tab = std::ranges::find_if(
      app_.tabs().all, [this](const auto& each) { return each->session.get() == of_; });
  if (tab == app_.tabs().all.end()) progress_->cancelled = true;
  if (const auto written = writing_.take()) {
    const bool is_shown = tab != app_.tabs().all.end();
    if (is_shown && written->status) app_.say_of(**tab, "a prepared copy was written");
    if (is_shown && !written->status) app_.say_of(**tab, written->status.error().text);
    progress_.reset();
    of_ = nullptr;
  }
  const int percent = percent_now();
  if (std::exchange(shown_percent_, percent) != percent) app_.draw_again(1);
}

int PreparedController::percent_now() const {
  if (!progress_) return -1;
  const auto done = static_cast<double>(progress_->done_bytes);
  const double total = std::max(1.0, static_cast<double>(progress_->total_bytes));
  return static_cast<int>(std::min(99.0, 100 * done / total));
}

std::string PreparedController::progress_text(const Tab& tab) const {
  if (!progress_ || tab.session.get() != of_) return {};
  return fmt::format("writing a prepared copy ({} %)", percent_now());
}

namespace {

Status keep_copy(AppContext& app, const CommandArguments& /*arguments*/) {
  return app.controllers().prepared->keep();
}

Status prepared_copies(AppContext& app, const CommandArguments& arguments) {
  PreparedChoice& choice = app.settings().prepared_copies;
  if (arguments.is("ask")) choice = PreparedChoice::ask;
  if (arguments.is("never")) choice = PreparedChoice::never;
  if (arguments.is("always")) {
    choice = PreparedChoice::always;
    const Tab* tab = app.tabs().shown();
    // It is the answer to an offer.
    if (tab != nullptr && tab->notices.copy_offered && !app.controllers().prepared->busy()) {
      static_cast<void>(app.controllers().prepared->keep());
    }
  }
  app.settings_changed();
  constexpr std::array<std::string_view, 3> kSaid = {"after a long load a prepared copy is offered",
                                                     "a prepared copy is kept after a long load",
                                                     "no prepared copies are kept"};
  app.say(std::string(kSaid.at(static_cast<std::size_t>(choice))));
  return ok();
}

Status prepared_size(AppContext& app, const CommandArguments& arguments) {
  std::uint64_t& setting = app.settings().prepared_most_mb;
  setting = megabytes_from(arguments.text()).value_or(Settings().prepared_most_mb);
  app.say(fmt::format("prepared copies take at most {} MB together", setting));
  app.settings_changed();
  return ok();
}

Status prepared_share(AppContext& app, const CommandArguments& arguments) {
  const auto usual = std::int64_t{Settings().prepared_percent};
  const std::int64_t percent = parse_number<std::int64_t>(arguments.text()).value_or(usual);
  if (percent > 100) return refused("prepared-share takes at most 100 percent.");
  app.settings().prepared_percent = static_cast<int>(percent);
  app.say(fmt::format("prepared copies take at most {} % of the free disk", percent));
  app.settings_changed();
  return ok();
}

constexpr Command kCommands[] = {
    {"keep-copy", "", "", "Keep a prepared copy of this trace", CommandGroup::file,
     CommandNeeds::trace, keep_copy},
    {"prepared-copies", "ask|always|never", "", "Keep prepared copies after a long load",
     CommandGroup::window, CommandNeeds::nothing, prepared_copies},
    {"prepared-size", "[SIZE|auto]", "", "Disk that prepared copies take together",
     CommandGroup::window, CommandNeeds::nothing, prepared_size},
    {"prepared-share", "[N|auto]", "", "Percent of the free disk that prepared copies take",
     CommandGroup::window, CommandNeeds::nothing, prepared_share},
};

}  // namespace

std::span<const Command> prepared_commands() {
  return kCommands;
}

}  // namespace cinderscope
