#include "app/window/panels/all_panels.h"

#include "app/window/panels/calls_panel.h"
#include "app/window/panels/details_panel.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/report_panel.h"
#include "app/window/panels/search_panel.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"

namespace cinderscope {

std::vector<std::unique_ptr<Panel>> make_panels(Tab& tab) {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(std::make_unique<DetailsPanel>());
  auto statistics = std::make_unique<StatisticsPanel>(tab.scope, tab.disk);
  auto sql = std::make_unique<SqlPanel>(nullptr, statistics.get());
  panels.push_back(std::move(statistics));
  panels.push_back(std::make_unique<FlameGraphPanel>(tab.scope, tab.search));
  panels.push_back(std::make_unique<SearchPanel>(tab.search, tab.disk));
  panels.push_back(std::move(sql));
  panels.push_back(std::make_unique<ReportPanel>(tab.disk));
  panels.push_back(std::make_unique<CallsPanel>());
  return panels;
}

}  // namespace cinderscope
