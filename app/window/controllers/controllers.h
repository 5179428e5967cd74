// The parts of the window's behaviour, each with the state that it alone changes.
#pragma once

#include <memory>

#include "ingest/format/load_context.h"

namespace cinderscope {

class AppContext;
class BookmarksController;
class CompareController;
class DiskController;
class DropChooser;
class FlowsController;
class FoundTracesController;
class KeysController;
class LayoutsController;
class LookController;
class MenusController;
class MergeController;
class MissingController;
class NoticesController;
class PaletteController;
class PanelsController;
class PartsController;
class PathsController;
class PacksController;
class PicturesController;
class PlacesController;
class PreparedController;
class RecordingsController;
class SearchController;
class SessionsController;
class SettingsPageController;
class ShowsController;
class SiblingsController;
class SqlController;
class StartController;
class StoreController;
class SymbolsController;
class TableSaver;
class TabsController;
class ThreadsController;
class ViewController;
class WindowFonts;

// Built and ended together; they reach each other through AppContext::controllers().
struct Controllers {
  // `load` holds for every trace that is opened; `fonts` may be null: the default font is used.
  Controllers(AppContext& app, LoadOptions load, WindowFonts* fonts);
  ~Controllers();
  Controllers(const Controllers&) = delete;
  Controllers& operator=(const Controllers&) = delete;

  // Makes everything as the settings say.
  void apply_settings();
  // Before each frame: takes what other threads have found, and goes on with it.
  void poll();

  std::unique_ptr<BookmarksController> bookmarks;
  std::unique_ptr<CompareController> compare;           // two traces side by side
  std::unique_ptr<DiskController> disk;                 // traces that are read piece by piece
  std::unique_ptr<DropChooser> drops;                   // what was dropped, where it is asked
  std::unique_ptr<FlowsController> flows;               // from call to call along flows
  std::unique_ptr<FoundTracesController> found_traces;  // which of many are to be opened
  std::unique_ptr<KeysController> keys;                 // the keyboard, and the help about it
  std::unique_ptr<LayoutsController> layouts;           // of sessions, on other traces
  std::unique_ptr<LookController> look;                 // theme, scale, letters
  std::unique_ptr<MenusController> menus;               // context menus
  std::unique_ptr<MergeController> merge;               // several files on one timeline
  std::unique_ptr<MissingController> missing;           // traces that were not found
  std::unique_ptr<NoticesController> notices;           // about the trace's file
  std::unique_ptr<PaletteController> palette;
  std::unique_ptr<PanelsController> panels;          // what is below the timeline
  std::unique_ptr<PartsController> parts;            // of the trace, saved as files
  std::unique_ptr<PathsController> paths;            // arguments that are paths
  std::unique_ptr<PacksController> packs;            // sessions with their traces, as files
  std::unique_ptr<PicturesController> pictures;      // of what is shown, as files
  std::unique_ptr<PlacesController> places;          // lines of text that say where one is
  std::unique_ptr<PreparedController> prepared;      // copies with which traces open at once
  std::unique_ptr<RecordingsController> recordings;  // of live agents
  std::unique_ptr<SearchController> search;
  std::unique_ptr<SessionsController> sessions;  // the file that keeps all tabs
  std::unique_ptr<SettingsPageController> settings_page;
  std::unique_ptr<ShowsController> shows;        // what is to be shown once it is open
  std::unique_ptr<SiblingsController> siblings;  // other threads of the same recording
  std::unique_ptr<SqlController> sql;            // queries that are saved and were run
  std::unique_ptr<StartController> start;        // the page without a trace
  std::unique_ptr<StoreController> store;        // what outlives the program
  std::unique_ptr<SymbolsController> symbols;    // names in a file of their own
  std::unique_ptr<TableSaver> tables;            // of panels, copied or saved
  std::unique_ptr<TabsController> tabs;          // opening and closing
  std::unique_ptr<ThreadsController> threads;    // rows of the gutter
  std::unique_ptr<ViewController> view;          // what part is seen, what is selected
};

}  // namespace cinderscope
