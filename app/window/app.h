// The program with its window: tabs, the frame loop, and what commands and actions do.
#pragma once

#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/collector/collector_controller.h"
#include "app/commands/commands.h"
#include "app/commands/key_map.h"
#include "app/commands/menu_entries.h"
#include "app/desktop/open_dialog.h"
#include "app/desktop/single_instance.h"
#include "app/script/input_clock.h"
#include "app/script/recent_times.h"
#include "app/session/session.h"
#include "app/store/file_check.h"
#include "app/store/settings.h"
#include "app/store/settings_store.h"
#include "app/window/image_textures.h"
#include "app/window/input_event.h"
#include "app/window/list_painter.h"
#include "app/window/palette_state.h"
#include "app/window/panels/panel.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "app/window/window_fonts.h"
#include "ingest/base/result.h"
#include "ingest/base/ui_priority.h"
#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/chrome/search_field.h"
#include "render/views/chrome/start_page.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class Player;
using SteadyTime = std::chrono::steady_clock::time_point;

// Owns everything with a lifetime but the window, which need not be open before run(). UI thread
// only.
class App {
 public:
  App(Window& window, LoadOptions load);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  void set_lazy_above(std::uint64_t bytes) { lazy_above_bytes_ = bytes; }  // else by the settings

  // From now on the window is as the settings say, and what changes is kept at `places`.
  void keep_settings(UserFolders places, StoredSettings stored);

  // Other starts of the program may hand their files to this window from now on.
  void listen_for_files();

  // A file, a folder or "-": each trace in it becomes a tab. Returns at once.
  void open(const std::string& path);
  // Puts the files on one timeline: that of the active tab, or a new one where there is none.
  // Returns what is wrong, empty if nothing.
  std::string merge(const std::vector<MergeFile>& files);

  // Until the window is closed or the script ends. `player` may be null. The exit status.
  int run(Player* player);

  // -- for scripts and menus
  // Any entry of the command table; returns what is wrong, empty if nothing.
  std::string run_command(std::string_view name, std::string_view argument);
  InputQueue& input() { return input_; }
  bool find(std::string_view name);  // shows and selects the first slice of that name
  void save_screenshot(std::string path) { screenshot_ = std::move(path); }
  Status save_state(const std::string& path);
  void quit() { quitting_ = true; }
  bool loading() const;
  bool searching() const;  // something may still be found, in any tab

 private:
  struct Flight {  // an animated change of the view
    Viewport from, to;
    SteadyTime began;
  };

  // app.cc: the loop and one frame
  bool still() const;
  bool measuring() const;
  void wait_for_first_picture();
  void wait_for_input(const Player* player);
  void collect(std::optional<double> seconds);
  void take_input();
  void step_motion(double seconds);
  void draw_frame();
  void present_frame(std::optional<FrameInProgress>& first);
  bool looks_new();
  void note_response();
  void draw_window(Actions& actions);
  void draw_content(Tab& tab, const Rect& area, Actions& actions);
  void draw_panel(Tab& tab, const Rect& area, Actions& actions);
  Rect draw_note_line(const Rect& area, std::string_view text) const;
  void draw_filter_field(Tab& tab, const Rect& area, Actions& actions);
  void draw_toolbar_and_status(const Rect& toolbar, const Rect& status, Actions& actions);

  // app_open.cc
  SteadyTime asked_now() const;
  void add_tab(const std::string& path, SourceOpener opener, SteadyTime asked);
  void poll_loads();
  void show_progress(Tab& tab);

  // app_fonts.cc
  void update_theme();
  void note_characters(const Timeline& timeline);
  void note_characters(Tab& tab, const SelectionFacts& facts);

  // app_keys.cc, app_palette.cc
  void take_key(const KeyChanged& key);
  void take_help_key(const KeyChanged& key);
  void draw_help();
  void toggle_palette();
  void ask_in_palette(const Command* command);  // for its argument; null: for a command
  void list_palette_rows();
  std::vector<PaletteTarget> palette_targets() const;
  void take_palette_key(const KeyChanged& key);
  void press_in_palette(Key key, Actions& actions);
  void run_chosen(Actions& actions);
  void draw_palette(Actions& actions);
  std::string go_to_thread(std::string_view argument);

  // app_menus.cc
  void ask_for_menu(std::string_view target);
  void draw_context_menu(Actions& actions);

  // app_settings.cc
  std::string set_theme(std::string_view argument);
  std::string bind_keys(std::string_view argument);
  std::string change_keys(const KeyChange& change);
  void apply_look_and_keys();
  void ask_system_theme();
  void poll_system_theme();
  void show_theme(ThemeKind kind);

  // app_commands.cc
  std::string run(const Command& command, std::string_view argument);
  std::string run_file_command(const Command& command, std::string_view argument);
  std::string load_otherwise(const Command& command, std::string_view argument);
  std::string run_view_command(const Command& command, std::string_view argument);
  std::string run_selection_command(const Command& command, std::string_view argument);
  std::string run_thread_command(const Command& command, std::string_view argument);  // app_threads
  std::string run_bookmark_command(const Command& command, std::string_view argument);
  std::string run_settings_command(const Command& command, std::string_view argument);
  std::string run_window_command(const Command& command, std::string_view argument);

  // app_statistics.cc
  void poll_statistics(Tab& tab);
  std::string run_measure_command(const Command& command, std::string_view argument);
  void poll_calls(Tab& tab);
  std::string run_calls_command(const Command& command, std::string_view argument);
  bool dialog_open() const;

  // app_collect.cc
  std::string collect(std::string_view argument);
  void poll_collector();

  // app_threads.cc
  std::string show_time(std::string_view argument);
  void draw_hidden_threads_menu(Actions& actions);  // inside of an open menu

  // app_search.cc
  std::string run_search_command(const Command& command, std::string_view argument);
  void set_search(std::string text);
  bool clear_search();  // false if there is none
  bool take_search_key(const KeyChanged& key);
  bool is_key_of_search(const InputEvent& event) const;
  void step_search();
  void scroll_to(const MatchRef& match);
  void show_match(const MatchRef& match);
  void draw_search_field(const Rect& toolbar);
  void draw_search_panel(Tab& tab, const PanelFrame& frame, Actions& actions);

  // app_disk.cc
  LoadOptions load_options() const;
  void share_memory();
  std::string run_disk_command(const Command& command, std::string_view argument);
  std::string write_index();
  void poll_index();
  bool step_on_disk(Tab& tab);
  void locate_match(Tab& tab);

  // app_merge.cc
  std::string run_merge_command(const Command& command, std::string_view argument);
  void add_merged_tab(const std::vector<MergeFile>& files);
  void read_merged(Tab& tab);
  void take_dropped_for_merge(const FilesDropped& drop);
  void take_chosen_files();  // of the file dialog
  void tell_merge(Tab& tab);
  Rect draw_merge_warning(const Tab& tab, const Rect& area, Actions& actions);

  // app_names.cc
  std::string take_names(std::string_view path);
  bool take_dropped_names(const FilesDropped& drop);  // false: they are no names
  void poll_other_threads(Tab& tab);
  std::string open_all_threads(std::string_view argument);
  Rect draw_thread_offer(const Tab& tab, const Rect& area, Actions& actions);
  void tell_names(Tab& tab);
  void keep_mapping(Tab& tab);
  std::string set_colour_by(std::string_view argument);

  // app_actions.cc
  void apply(const Action& action);
  void show_view(const Viewport& view, bool animate, bool jump);
  void zoom_to(std::int64_t begin_ns, std::int64_t end_ns);
  void select(const SliceRef& slice, bool reveal);
  void move_selection(CommandId direction);
  void close_tab(std::size_t tab);
  void say(std::string message);
  CommandState command_state() const;

  // app_store.cc: settings, recent files, what is remembered of traces
  void apply_settings();  // makes the window as settings_ says
  void apply_settings(Tab& tab) const;
  void settings_changed();       // the same, and saves them soon
  void note_what_was_dragged();  // sizes become settings
  void poll_store();
  void poll_memory(Tab& tab);
  void restore_memory(Tab& tab);
  void remember(Tab& tab);
  void keep_everything();  // at exit
  std::optional<double> seconds_to_store() const;
  std::string run_store_command(const Command& command, std::string_view argument);
  std::vector<RecentRow> recent_rows();
  bool take_start_key(const KeyChord& chord);  // true if it was one of the start page's

  // app_bookmarks.cc
  std::string add_bookmark(std::string_view note);
  std::string step_bookmark(int direction);
  void go_to_bookmark(std::size_t mark);
  std::optional<std::size_t> bookmark_here() const;
  void remove_bookmark(std::size_t mark);
  void write_note(std::size_t mark, bool fresh);
  void leave_note(bool keep);
  void draw_note(const Tab& tab, const Rect& area);
  std::string ask_bookmark_menu(std::string_view argument);
  bool draw_bookmark_menu(Actions& actions);  // true while it is open

  Tab* active() { return tabs_.empty() ? nullptr : tabs_[active_].get(); }
  const Tab* active() const { return tabs_.empty() ? nullptr : tabs_[active_].get(); }
  void draw_again(int frames = 3) { frames_due_ = std::max(frames_due_, frames); }

  Window& window_;
  LoadOptions load_;  // of every trace that is opened, but for what the settings say
  std::optional<std::uint64_t> lazy_above_bytes_;
  std::vector<std::unique_ptr<Tab>> tabs_;
  std::vector<std::unique_ptr<Session>> closing_;  // until their loaders have ended
  std::size_t active_ = 0;
  struct Expansion {
    std::string path;
    std::future<Result<std::vector<std::string>>> traces;
    std::shared_ptr<std::string> left_out;  // written before `traces` is ready
    SteadyTime asked;
  };
  std::vector<Expansion> expanding_;                 // folders that are being looked through
  std::unique_ptr<CollectorController> collecting_;  // null: nobody listens for agents
  OpenDialog open_dialog_;
  bool dialog_merges_ = false;  // what is chosen in it goes on the shown timeline

  // The index that is being written; ends soon once it is destroyed.
  struct IndexWrite {
    explicit IndexWrite(LoadOptions options) : control(options) {}
    ~IndexWrite() { control.cancel(); }
    LoadContext control;
    std::future<Result<std::string>> done;
  };
  std::unique_ptr<IndexWrite> index_write_;

  Settings settings_;
  std::unique_ptr<SettingsStore> store_;
  std::unique_ptr<SingleInstanceListener> hand_over_;
  FileCheck file_check_;
  std::vector<std::string> checked_paths_;  // of recent files, for the start page that is shown
  std::map<std::string, FileFacts> file_facts_;
  // The bookmark whose note is being written, and the trace that it belongs to.
  struct OpenNote {
    const Session* session = nullptr;
    std::size_t mark = 0;
    std::string text;
    bool fresh = false, focus = true;
  };
  std::optional<OpenNote> note_;
  std::size_t menu_bookmark_ = 0;
  std::optional<std::size_t> recent_chosen_;  // by the keys, on the start page
  std::optional<SteadyTime> settings_due_, memory_due_;
  Theme theme_;
  float user_scale_ = 1;
  bool style_stale_ = true;
  WindowFonts fonts_;
  std::future<ThemeKind> system_theme_;  // valid while the desktop is being asked
  std::uint32_t noted_names_ = 0;        // of the active tab's string pool
  const StringPool* noted_pool_ = nullptr;
  KeyMap keys_;
  std::vector<KeyHelp> key_help_, all_key_help_;  // of the commands that have keys, and of all
  const Command* listening_ = nullptr;            // the next key is for it
  PaletteState palette_;
  std::optional<TrackId> thread_to_show_;
  std::string sample_path_;

  InputQueue input_;
  std::vector<CommandId> held_;  // commands whose keys are down
  std::optional<Flight> flight_;
  int frames_due_ = 3;
  bool reduced_motion_ = false, quitting_ = false;
  bool help_open_ = false, key_help_whole_ = false;
  std::vector<MenuEntry> menu_;          // of what was under the pointer when it was asked for
  bool hidden_threads_in_menu_ = false;  // those are listed below
  bool menu_asked_ = false, menu_open_ = false, menu_closes_ = false;
  bool bookmark_menu_asked_ = false;
  bool filter_open_ = false, filter_focus_ = false;
  SearchField search_field_;
  std::optional<MatchRef> scroll_due_;  // after the next frame
  bool panel_open_ = true;
  PanelId panel_tab_ = PanelId::details;
  std::optional<float> panel_px_;  // at scale 1, once the user has dragged it
  std::string message_;
  SteadyTime message_until_, last_frame_, last_collected_;
  bool running_ = false;
  std::string screenshot_;
  RecentTimes frame_times_;  // CPU of layout and draw lists, without the GPU's part
  InputClock input_clock_;
  ImageTextures images_;
  ListPainter painter_;
  // What the window shows, so that a frame that looks the same is not drawn again; unset: nothing
  // that can be relied on.
  std::optional<std::uint64_t> shown_digest_;
  bool nothing_new_ = false;     // in the last frame
  std::uint64_t presented_ = 0;  // frames
};

}  // namespace cinderscope
