#include "app/window/sessions/missing.h"

#include <utility>

#include "app/commands/arguments.h"
#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"

namespace cinderscope {

Tab& MissingController::ask_where(MissingTrace missing) {
  const auto nothing = [](LoadContext&) -> Result<OpenedSource> {
    return Error{
        .code = ErrorCode::cannot_read, .text = "The trace was not found.", .expected = {}};
  };
  TabsController& tabs = *app_.controllers().tabs;
  Tab& tab = tabs.add(missing.name, nothing, tabs.asked_now(), true);
  tab.missing = std::make_unique<MissingTrace>(std::move(missing));
  return tab;
}

Status MissingController::locate(const std::string& path) {
  Tab* tab = app_.tabs().shown();
  if (tab == nullptr || tab->missing == nullptr) return refused("No trace is missing here.");
  open_found(*tab, absolute_path(path));
  app_.controllers().sessions->note_located(*tab, absolute_path(path));
  return ok();
}

void MissingController::open_found(Tab& tab, const std::string& path) {
  tab.missing.reset();
  tab.session->replace(path, shown_file_name(path),
                       [path](LoadContext& context) { return open_source(path, context); });
  app_.draw_again();
}

Status MissingController::use_found() {
  Tab* tab = app_.tabs().shown();
  if (tab == nullptr || tab->missing == nullptr || tab->missing->found.empty()) {
    return refused("Nothing was found in its place.");
  }
  if (tab->of_session != nullptr) {
    begin_replacing(*tab, *tab->of_session, tab->missing->name, tab->missing->began_ns);
  }
  return locate(std::string(tab->missing->found));
}

bool MissingController::take_dropped(const std::vector<std::string>& paths) {
  const Tab* tab = app_.tabs().shown();
  return paths.size() == 1 && tab != nullptr && tab->missing != nullptr && locate(paths.front());
}

void MissingController::draw(const Theme& theme, const Tab& tab, const Rect& area,
                             Actions& actions) {
  draw_missing_trace({.theme = theme, .area = area, .missing = *tab.missing}, actions);
}

namespace {

Status locate_trace(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().missing->locate(arguments.text());
}

Status use_trace(AppContext& app, const CommandArguments& /*arguments*/) {
  return app.controllers().missing->use_found();
}

constexpr Command kMissingCommands[] = {
    {"locate-trace", "PATH", "", "Say where the missing trace is", CommandGroup::file,
     CommandNeeds::tab, locate_trace},
    {"use-trace", "", "", "Use what was found in the missing trace's place", CommandGroup::file,
     CommandNeeds::tab, use_trace},
};

}  // namespace

std::span<const Command> missing_commands() {
  return kMissingCommands;
}

}  // namespace cinderscope
