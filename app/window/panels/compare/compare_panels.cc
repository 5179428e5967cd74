#include "app/window/panels/compare/compare_panels.h"

#include "app/window/panels/compare/compare_report_panel.h"
#include "app/window/panels/compare/compared_details_panel.h"
#include "app/window/panels/compare/compared_flame_panel.h"
#include "app/window/panels/compare/compared_histogram_panel.h"
#include "app/window/panels/compare/compared_names_panel.h"
#include "app/window/panels/compare/compared_runs_panel.h"
#include "app/window/panels/compare/compared_threads_panel.h"
#include "app/window/sql/sql_panel.h"

namespace cinderscope {

std::vector<std::unique_ptr<Panel>> make_compare_panels(ComparePage& page) {
  std::vector<std::unique_ptr<Panel>> panels;
  auto flame = std::make_unique<ComparedFlamePanel>(page);
  auto histogram = std::make_unique<ComparedHistogramPanel>(page);
  panels.push_back(std::make_unique<ComparedNamesPanel>(page, *flame, *histogram));
  panels.push_back(std::move(flame));
  panels.push_back(std::move(histogram));
  panels.push_back(std::make_unique<ComparedDetailsPanel>(page));
  panels.push_back(std::make_unique<ComparedRunsPanel>(page));
  panels.push_back(std::make_unique<ComparedThreadsPanel>(page));
  panels.push_back(std::make_unique<SqlPanel>(&page, nullptr));
  panels.push_back(std::make_unique<CompareReportPanel>(page));
  return panels;
}

}  // namespace cinderscope
