// The commands that measure: which part of the trace, and the table of names.
#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/panels/table_saver.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

StatisticsPanel& statistics_of(AppContext& app) {
  return app.tabs().shown()->panel<StatisticsPanel>();
}

// Makes the change seen. The flame graph measures the same part of the trace, so it need not make
// way.
Status shown(AppContext& app) {
  PanelsController& panels = *app.controllers().panels;
  const bool seen = panels.shows(StatisticsPanel::kWord) || panels.shows(FlameGraphPanel::kWord);
  if (!seen) panels.show(StatisticsPanel::kWord);
  return ok();
}

Status scope(AppContext& app, const CommandArguments& arguments) {
  const Session& session = *app.tabs().shown()->session;
  const Status measured = statistics_of(app).measure(arguments.text(), session);
  return measured ? shown(app) : measured;
}

Status slices(AppContext& app, const CommandArguments& arguments) {
  const Status measured = statistics_of(app).measure_slices(arguments.text());
  return measured ? shown(app) : measured;
}

Status whole_calls(AppContext& app, const CommandArguments& arguments) {
  StatisticsPanel& statistics = statistics_of(app);
  statistics.count_whole_calls(arguments.switched(statistics.counts_whole_calls()));
  return shown(app);
}

std::vector<std::string> columns(AppContext& /*app*/) {
  std::vector<std::string> keys;
  for (const StatisticsColumn& column : statistics_columns()) keys.push_back(column.head.key);
  return keys;
}

Status sort_names(AppContext& app, const CommandArguments& arguments) {
  if (const auto column = statistics_column(arguments.text())) statistics_of(app).sort_by(*column);
  return shown(app);
}

Status filter_names(AppContext& app, const CommandArguments& arguments) {
  statistics_of(app).filter_by(arguments.text());
  return shown(app);
}

Status copy_names(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().tables->copy(statistics_of(app), arguments);
}

Status save_names(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().tables->save(statistics_of(app), arguments);
}

std::vector<std::string> offered_statistics_path(AppContext& app) {
  return {table_path_beside(*app.tabs().shown(), "statistics")};
}

constexpr Command kStatisticsCommands[] = {
    {"scope", "[trace|thread|range|connected]", "", "Statistics scope", CommandGroup::measure,
     CommandNeeds::single_trace, scope},
    {"slices", "[calls|samples|both]", "", "Measure calls, samples or both", CommandGroup::measure,
     CommandNeeds::single_trace, slices},
    {"whole-calls", "[on|off]", "", "Include whole calls at range edges", CommandGroup::measure,
     CommandNeeds::single_trace, whole_calls},
    {"sort-statistics",
     "COLUMN",
     "",
     "Sort the statistics",
     CommandGroup::measure,
     CommandNeeds::single_trace,
     sort_names,
     {},
     columns},
    {"filter-statistics", "[WORDS]", "", "Show the names that contain WORDS", CommandGroup::measure,
     CommandNeeds::single_trace, filter_names},
    {"copy-statistics", "[tsv|markdown]", "", "Copy the statistics", CommandGroup::measure,
     CommandNeeds::single_trace, copy_names},
    {"save-statistics",
     "PATH [force]",
     "",
     "Save the statistics",
     CommandGroup::measure,
     CommandNeeds::single_trace,
     save_names,
     {},
     offered_statistics_path},
};

}  // namespace

std::span<const Command> statistics_commands() {
  return kStatisticsCommands;
}

}  // namespace cinderscope
