#include "app/window/tab.h"

#include <algorithm>

#include "app/places/show_options.h"
#include "app/session/merge_offset.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/panels/all_panels.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "render/views/chrome/missing_trace.h"

namespace cinderscope {

namespace {

// Tabs are made by the UI thread alone.
std::uint64_t next_tab_number() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

Tab::Tab(std::unique_ptr<Session> opened)
    : number(next_tab_number()),
      session(std::move(opened)),
      search(core_count(), [] { Window::wake(); }),
      disk([] { Window::wake(); }),
      panels(session->viewed() == nullptr ? make_panels(*this)
                                          : std::vector<std::unique_ptr<Panel>>()) {}

Tab::~Tab() = default;

Panel* Tab::panel_named(std::string_view word) const {
  const auto found =
      std::ranges::find_if(panels, [word](const auto& panel) { return panel->word() == word; });
  return found == panels.end() ? nullptr : found->get();
}

bool runs_query(const Tab& tab) {
  const Panel* sql = tab.panel_named(SqlPanel::kWord);  // lanes have none
  return sql != nullptr && sql->busy();
}

std::string work_text(const Tab& tab) {
  const Session& session = *tab.session;
  if (session.renaming()) {
    const std::string& path = session.names().mapping_path;
    return "names are being taken from " +
           (path.empty() ? std::string("beside the trace") : shown_file_name(path));
  }
  if (tab.symbols) return tab.symbols->progress_text();
  if (runs_query(tab)) return "a query is running";
  return tab.disk.surveying() ? tab.disk.progress_text() : std::string();
}

}  // namespace cinderscope
