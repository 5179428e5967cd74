#include "app/window/sql/sql_commands.h"

#include <fmt/format.h>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/view.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_examples.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

SqlPanel& panel_of(AppContext& app) {
  return app.tabs().page()->panel<SqlPanel>();
}

// Makes it seen.
SqlPanel& shown_panel(AppContext& app) {
  app.controllers().panels->show(SqlPanel::kWord);
  return panel_of(app);
}

Status sql(AppContext& app, const CommandArguments& arguments) {
  SqlPanel& panel = shown_panel(app);
  if (!arguments.empty()) panel.set_text(arguments.text());
  return app.controllers().panels->give_keys(KeysAt::editor);
}

std::optional<SavedQuery> query_meant(AppContext& app, const std::string& name) {
  return app.controllers().sql->named(name, app.tabs().page()->session->path());
}

Status open(AppContext& app, const CommandArguments& arguments) {
  const std::optional<SavedQuery> query = query_meant(app, arguments.text());
  if (!query) return refused(fmt::format("There is no saved query \"{}\".", arguments.text()));
  shown_panel(app).set_text(query->text, query->name);
  return app.controllers().panels->give_keys(KeysAt::editor);
}

Status run(AppContext& app, const CommandArguments& arguments) {
  SqlPanel& panel = shown_panel(app);
  const Session& session = *app.tabs().page()->session;
  if (arguments.empty() || arguments.is("all")) {
    return panel.run(app, session, arguments.is("all"));
  }
  const std::optional<SavedQuery> query = query_meant(app, arguments.text());
  if (!query) return refused(fmt::format("There is no saved query \"{}\".", arguments.text()));
  panel.set_text(query->text, query->name);
  return panel.run(app, session, true);
}

std::vector<std::string> query_names(AppContext& app) {
  std::vector<std::string> names;
  const Tab* tab = app.tabs().page();
  const SqlController& sql = *app.controllers().sql;
  for (const SavedQuery& query : sql.queries()) names.push_back(query.name);
  if (tab != nullptr) {
    for (const SavedQuery& query : sql.queries_beside(tab->session->path())) {
      names.push_back(query.name);
    }
  }
  for (const SqlExample& example : sql_examples()) names.emplace_back(example.name);
  return names;
}

Status save(AppContext& app, const CommandArguments& arguments) {
  SqlPanel& panel = panel_of(app);
  if (panel.text().empty()) return refused("There is no query to save.");
  const std::string& name = arguments.text();
  if (Status saved = app.controllers().sql->save({name, panel.text()}); !saved) return saved;
  panel.note_saved(name);
  app.say_of_shown(fmt::format("saved as {}", name));
  return ok();
}

Status remove(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().sql->remove(arguments.text());
}

Status show(AppContext& app, const CommandArguments& arguments) {
  SqlPanel& panel = panel_of(app);
  return panel.show(app, arguments.switched(panel.shows()));
}

Status follow(AppContext& app, const CommandArguments& arguments) {
  SqlPanel& panel = panel_of(app);
  panel.follow(arguments.switched(panel.follows()));
  return ok();
}

Status cancel(AppContext& app, const CommandArguments& /*arguments*/) {
  panel_of(app).cancel();
  return ok();
}

// A saved query is run for it, unless its rows are those that are shown.
Status track(AppContext& app, const CommandArguments& arguments) {
  SqlPanel& panel = panel_of(app);
  const std::string& name = arguments.text();
  const std::optional<SavedQuery> query = name.empty() ? std::nullopt : query_meant(app, name);
  if (query && panel.rows().title() != name) {
    app.controllers().sql->note_run(query->text);
    panel.tracks().add_later(*query);
    return ok();
  }
  return panel.add_track(app, name);
}

Status close_track(AppContext& app, const CommandArguments& arguments) {
  return panel_of(app).close_track(*app.tabs().page()->session, arguments.text());
}

Status sort(AppContext& app, const CommandArguments& arguments) {
  return panel_of(app).rows().sort(arguments.text());
}

Status filter(AppContext& app, const CommandArguments& arguments) {
  return panel_of(app).rows().filter_by(arguments.text());
}

Status column(AppContext& app, const CommandArguments& arguments) {
  return panel_of(app).rows().show_column(arguments.text(), arguments.text(1));
}

std::vector<std::string> columns(AppContext& app) {
  return app.tabs().page() == nullptr ? std::vector<std::string>()
                                      : panel_of(app).rows().column_words();
}

Status go(AppContext& app, const CommandArguments& arguments) {
  const std::int64_t row = arguments.number().value_or(0);
  return panel_of(app).go(app, static_cast<std::uint64_t>(row), arguments.text(1) == "zoom");
}

constexpr auto kGroup = CommandGroup::measure;
constexpr auto kTrace = CommandNeeds::trace;

constexpr Command kCommands[] = {
    {"sql", "[TEXT]", "", "Ask by SQL", kGroup, kTrace, sql},
    {"sql-run", "[NAME|all]", "", "Run the query, or a saved one", kGroup, kTrace, run},
    {"sql-open", "NAME", "", "Open a saved query", kGroup, kTrace, open, {}, query_names},
    {"sql-save", "NAME", "", "Save the query", kGroup, kTrace, save},
    {"sql-remove", "NAME", "", "Remove a saved query", kGroup, kTrace, remove, {}, query_names},
    {"sql-cancel", "", "", "End the query", kGroup, kTrace, cancel},
    {"sql-show", "[on|off]", "", "Show the query's rows in the timeline", kGroup, kTrace, show},
    {"sql-track", "[NAME]", "", "Show the query's rows as a track", kGroup, kTrace, track},
    {"sql-close-track", "[NAME]", "", "Close tracks of queries", kGroup, kTrace, close_track},
    {"sql-follow", "[on|off]", "", "Follow the rows of the query", kGroup, kTrace, follow},
    {"sql-go", "N [zoom]", "", "Go to a row of the query", kGroup, kTrace, go},
    {"sql-sort", "COLUMN", "", "Sort the rows of the query", kGroup, kTrace, sort, {}, columns},
    {"sql-filter", "[WORDS]", "", "Show the rows that contain WORDS", kGroup, kTrace, filter},
    {"sql-column",
     "COLUMN time|duration|number|text|slice|instant",
     "",
     "Show a column of the query otherwise",
     kGroup,
     kTrace,
     column,
     {},
     columns},
};

}  // namespace

std::span<const Command> sql_commands() {
  return kCommands;
}

}  // namespace cinderscope
