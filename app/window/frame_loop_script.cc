// What a script asks of the window, and what it is told.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "app/script/state_json.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/export/prepared.h"
#include "app/window/controllers/notices.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/view.h"
#include "app/window/frame_loop.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/search_facts.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/panels/table_saver.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"
#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope {

Status FrameLoop::run_command(std::string_view name, std::string_view arguments) {
  return shell_->run_command(name, arguments);
}

bool FrameLoop::find(std::string_view name) {
  return shell_->controllers().view->find(name);
}

bool FrameLoop::loading() const {
  return shell_->controllers().tabs->loading();
}

bool FrameLoop::saving() const {
  const Controllers& controllers = shell_->controllers();
  return controllers.parts->saving() || controllers.tables->busy() || controllers.packs->busy() ||
         controllers.pictures->busy() || controllers.sessions->busy() ||
         controllers.prepared->busy();
}

std::string FrameLoop::take_failed_save() {
  const Controllers& controllers = shell_->controllers();
  std::string failed;
  for (ExportSheet* sheet : std::initializer_list<ExportSheet*>{
           controllers.parts.get(), controllers.pictures.get(), controllers.packs.get()}) {
    const std::string next = sheet->take_failed();
    if (failed.empty()) failed = next;
  }
  for (const std::string& next :
       {controllers.tables->take_failed(), controllers.sessions->take_failed(),
        controllers.compare->take_failed()}) {
    if (failed.empty()) failed = next;
  }
  return failed;
}

bool FrameLoop::comparing() const {
  return shell_->controllers().compare->comparing();
}

bool FrameLoop::searching() const {
  return shell_->controllers().search->searching();
}

bool FrameLoop::querying() const {
  const auto& tabs = shell_->tabs().all;
  return std::ranges::any_of(tabs, [](const auto& tab) { return runs_query(*tab); });
}

bool FrameLoop::measuring() const {
  if (shell_->controllers().look->building_fonts() && !window_.minimised()) return true;
  return shell_->measuring();
}

std::string FrameLoop::state() const {
  const WindowSize size = window_.size();
  const Theme& theme = shell_->theme();
  WindowFacts facts{.width = size.width_px, .height = size.height_px, .scale = theme.scale};
  facts.theme = theme.kind == ThemeKind::dark ? "dark" : "light";
  facts.last_frame_ms = frame_times_.last_ms();
  facts.median_frame_ms = frame_times_.percentile_ms(0.5);
  facts.p99_frame_ms = frame_times_.percentile_ms(0.99);
  facts.input_frames = input_clock_.times().count();
  facts.last_input_ms = input_clock_.times().last_ms();
  facts.median_input_ms = input_clock_.times().percentile_ms(0.5);
  facts.p99_input_ms = input_clock_.times().percentile_ms(0.99);
  facts.longest_input_ms = input_clock_.times().percentile_ms(1);
  facts.presented_frames = presented_;
  std::vector<std::string> files;
  for (const auto& tab : shell_->tabs().all) {
    if (!is_lane(*tab)) files.push_back(tab->session->path());
  }
  facts.session = shell_->controllers().sessions->state_json();
  Tab* tab = shell_->tabs().shown();
  if (tab == nullptr) return state_json(facts, files, nullptr);
  facts.first_picture_ms = tab->first_picture_ms;
  facts.search = search_facts(tab->search, tab->disk, *tab->session);
  facts.comparison = shell_->controllers().compare->state_json();
  if (const ComparePage* page = shell_->controllers().compare->shown()) {
    facts.notices = shell_->controllers().compare->notes(*page);
    const Tab& whole = *shell_->tabs().page();
    facts.query = whole.panel<SqlPanel>().state_json(*whole.session);
    return state_json(facts, files, tab->session.get());
  }
  facts.flame_graph = tab->panel<FlameGraphPanel>().state_json(*tab->session);
  facts.query = tab->panel<SqlPanel>().state_json(*tab->session);
  facts.work = work_text(*tab);
  if (facts.work.empty()) facts.work = shell_->controllers().prepared->progress_text(*tab);
  facts.growing = is_still_written(*tab);
  facts.notices = shell_->controllers().notices->texts(*tab);
  return state_json(facts, files, tab->session.get(),
                    tab->panel<StatisticsPanel>().facts(*tab->session));
}

// A script that waits for the file never reads a half of it.
Status FrameLoop::save_state(const std::string& path) {
  return replace_file(path_of(path), state() + '\n');
}

}  // namespace cinderscope
