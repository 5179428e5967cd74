#include "app/window/controllers/controllers.h"

#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/chrome/menus.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/chrome/paths.h"
#include "app/window/controllers/chrome/settings_page.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/disk.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/export/prepared.h"
#include "app/window/controllers/flows.h"
#include "app/window/controllers/found_traces.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/notices.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/recordings.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/siblings.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/symbols.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/threads.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/table_saver.h"
#include "app/window/places/places.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/tab.h"

namespace cinderscope {

Controllers::Controllers(AppContext& app, LoadOptions load, WindowFonts* fonts)
    : bookmarks(std::make_unique<BookmarksController>(app)),
      compare(std::make_unique<CompareController>(app)),
      disk(std::make_unique<DiskController>(app, std::move(load))),
      drops(std::make_unique<DropChooser>(app)),
      flows(std::make_unique<FlowsController>(app)),
      found_traces(std::make_unique<FoundTracesController>(app)),
      keys(std::make_unique<KeysController>(app)),
      layouts(std::make_unique<LayoutsController>(app)),
      look(std::make_unique<LookController>(app, fonts)),
      menus(std::make_unique<MenusController>(app)),
      merge(std::make_unique<MergeController>(app)),
      missing(std::make_unique<MissingController>(app)),
      notices(std::make_unique<NoticesController>(app)),
      palette(std::make_unique<PaletteController>(app)),
      panels(std::make_unique<PanelsController>(app)),
      parts(std::make_unique<PartsController>(app)),
      paths(std::make_unique<PathsController>(app)),
      packs(std::make_unique<PacksController>(app)),
      pictures(std::make_unique<PicturesController>(app)),
      places(std::make_unique<PlacesController>(app)),
      prepared(std::make_unique<PreparedController>(app)),
      recordings(std::make_unique<RecordingsController>(app)),
      search(std::make_unique<SearchController>(app)),
      sessions(std::make_unique<SessionsController>(app)),
      settings_page(std::make_unique<SettingsPageController>(app)),
      shows(std::make_unique<ShowsController>(app)),
      siblings(std::make_unique<SiblingsController>(app)),
      sql(std::make_unique<SqlController>(app)),
      start(std::make_unique<StartController>(app)),
      store(std::make_unique<StoreController>(app)),
      symbols(std::make_unique<SymbolsController>(app)),
      tables(std::make_unique<TableSaver>(app)),
      tabs(std::make_unique<TabsController>(app)),
      threads(std::make_unique<ThreadsController>(app)),
      view(std::make_unique<ViewController>(app)) {}

Controllers::~Controllers() = default;

void Controllers::apply_settings() {
  look->apply_settings();
  keys->apply_settings();
  panels->apply_settings();
  tabs->apply_settings();
  disk->share_memory();
}

void Controllers::poll() {
  look->poll();
  tabs->poll();
  compare->poll();
  panels->poll();
  parts->poll();
  symbols->poll();
  merge->poll();
  siblings->poll();
  notices->poll();
  prepared->poll();
  search->poll();
  disk->poll();
  recordings->poll();
  store->poll();
  start->poll();
  paths->poll();
  tables->poll();
  sql->poll();
  packs->poll();
  pictures->poll();
  places->poll();
  layouts->poll();
  shows->poll();
  sessions->poll();
}

}  // namespace cinderscope
