// The commands of the table of calls.
#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/calls_panel.h"
#include "app/window/panels/table_saver.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

// The panel, which comes into sight.
Result<CallsPanel*> shown_calls(AppContext& app) {
  Tab& tab = *app.tabs().shown();
  auto& calls = tab.panel<CallsPanel>();
  if (!calls.available(*tab.session)) return refused("This trace has no list of calls.");
  app.controllers().panels->show(CallsPanel::kWord);
  return &calls;
}

Status show(AppContext& app, const CommandArguments& arguments) {
  const Result<CallsPanel*> calls = shown_calls(app);
  if (!calls) return calls.error();
  const bool statements =
      arguments.switched((*calls)->shown() == CallsShown::statements, "statements");
  return (*calls)->show(statements ? CallsShown::statements : CallsShown::calls,
                        *app.tabs().shown()->session);
}

Status sort_calls(AppContext& app, const CommandArguments& arguments) {
  const Result<CallsPanel*> calls = shown_calls(app);
  return calls ? (*calls)->sort_by(arguments.text()) : calls.error();
}

Status filter_calls(AppContext& app, const CommandArguments& arguments) {
  const Result<CallsPanel*> calls = shown_calls(app);
  if (!calls) return calls.error();
  (*calls)->filter_by(arguments.text());
  return ok();
}

Status copy_calls(AppContext& app, const CommandArguments& arguments) {
  const Result<CallsPanel*> calls = shown_calls(app);
  return calls ? app.controllers().tables->copy(**calls, arguments) : calls.error();
}

Status save_calls(AppContext& app, const CommandArguments& arguments) {
  const Result<CallsPanel*> calls = shown_calls(app);
  return calls ? app.controllers().tables->save(**calls, arguments) : calls.error();
}

std::vector<std::string> offered_calls_path(AppContext& app) {
  return {
      table_path_beside(*app.tabs().shown(), app.tabs().shown()->panel<CallsPanel>().table_word())};
}

constexpr Command kCallsCommands[] = {
    {"calls-shown", "[calls|statements]", "",
     "Show the table of calls, or of the statements that they ran", CommandGroup::measure,
     CommandNeeds::single_trace, show},
    {"sort-calls", "COLUMN", "", "Sort the table of calls", CommandGroup::measure,
     CommandNeeds::single_trace, sort_calls},
    {"filter-calls", "[TEXT]", "", "Show the calls with TEXT; duration > 100ms compares",
     CommandGroup::measure, CommandNeeds::single_trace, filter_calls},
    {"copy-calls", "[tsv|markdown]", "", "Copy the table of calls", CommandGroup::measure,
     CommandNeeds::single_trace, copy_calls},
    {"save-calls",
     "PATH [force]",
     "",
     "Save the table of calls",
     CommandGroup::measure,
     CommandNeeds::single_trace,
     save_calls,
     {},
     offered_calls_path},
};

}  // namespace

std::span<const Command> calls_commands() {
  return kCallsCommands;
}

}  // namespace cinderscope
