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

Status sort(AppContext& app, const CommandArguments& arguments) {
  if (const auto column = statistics_column(arguments.text())) statistics_of(app).sort_by(*column);
  return shown(app);
}

Status filter(AppContext& app, const CommandArguments& arguments) {
  statistics_of(app).filter_by(arguments.text());
  return shown(app);
}

Status copy(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().tables->copy(statistics_of(app), arguments);
}

Status save(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().tables->save(statistics_of(app), arguments);
}

std::vector<std::string> offered_path(AppContext& app) {
  return {table_path_beside(*app.tabs().shown(), "statistics")};
}

constexpr auto kGroup = CommandGroup::measure;
constexpr auto kTrace = CommandNeeds::single_trace;

constexpr Command kCommands[] = {
    {"scope", "[trace|thread|range|connected]", "", "Statistics scope", kGroup, kTrace, scope},
    {"slices", "[calls|samples|both]", "", "Measure calls, samples or both", kGroup, kTrace,
     slices},
    {"whole-calls", "[on|off]", "", "Include whole calls at range edges", kGroup, kTrace,
     whole_calls},
    {"sort-statistics", "COLUMN", "", "Sort the statistics", kGroup, kTrace, sort, {}, columns},
    {"filter-statistics", "[WORDS]", "", "Show the names that contain WORDS", kGroup, kTrace,
     filter},
    {"copy-statistics", "[tsv|markdown]", "", "Copy the statistics", kGroup, kTrace, copy},
    {"save-statistics",
     "PATH [force]",
     "",
     "Save the statistics",
     kGroup,
     kTrace,
     save,
     {},
     offered_path},
};

}  // namespace

std::span<const Command> statistics_commands() {
  return kCommands;
}

}  // namespace cinderscope
