#include "app/window/run_window.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/desktop/single_instance.h"
#include "app/output/exit_status.h"
#include "app/script/player.h"
#include "app/store/settings_store.h"
#include "app/store/state_files.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/disk.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/tabs.h"
#include "app/window/frame_loop.h"
#include "app/window/places/open_items.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/sessions.h"
#include "app/window/window.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

namespace {

constexpr int kWidth = 1600, kHeight = 1000;
constexpr int kLeastWidth = 320, kLeastHeight = 240;  // that a window is given again

// True if a window that is open already has taken the files. Standard input is this process' own.
bool handed_over(const WindowOptions& options) {
  std::vector<std::string> items;
  for (const std::string& file : options.files) {
    if (file == "-") return false;
    items.push_back(is_place(file) ? file : absolute_path(file));
  }
  for (ShowWord word : options.show) {
    if (word.option == "--layout") word.values.front() = absolute_path(word.values.front());
    items.push_back(handed_over(word));
  }
  return hand_over(hand_over_folder(), this_screen(), items);
}

}  // namespace

int run_window(const WindowOptions& options) {
  Script script;
  if (!options.play_script.empty()) {
    Result<Script> read = read_script(options.play_script);
    if (!read) {
      fmt::print(stderr, "{}\n", read.error().text);
      return kExitUsage;
    }
    script = std::move(*read);
  }
  Result<ShowOptions> shown = show_options(options.show);
  if (!shown) {
    fmt::print(stderr, "{}\n", shown.error().text);
    return kExitUsage;
  }
  const UserFolders places = user_folders(!options.play_script.empty());
  StoredSettings stored = read_settings(places);
  const Settings& settings = stored.settings;
  const bool scripted = !options.play_script.empty();
  const bool asked = settings.hand_over && !scripted && !options.files.empty();
  if ((options.reuse || asked) && !options.compare && !options.new_window && handed_over(options))
    return kExitOk;
  const bool sized = settings.window_width >= kLeastWidth && settings.window_height >= kLeastHeight;
  const int width = sized ? settings.window_width : kWidth;
  const int height = sized ? settings.window_height : kHeight;
  const bool maximised = settings.maximised;
  enable_ui_priority();
  Window window;
  FrameLoop frames(window, options.load);
  const Controllers& controllers = frames.shell().controllers();
  controllers.sessions->look_in(options.look_in);
  controllers.sessions->save_absolute(options.absolute);
  controllers.disk->set_lazy_above(options.lazy_above_bytes);
  controllers.store->keep(places, std::move(stored));
  if (!scripted || options.reuse) controllers.store->listen_for_files();
  if (options.merge || options.compare) controllers.shows->expect(*shown);
  if (options.merge) {
    std::vector<MergeFile> files;
    files.reserve(options.files.size());
    for (const std::string& file : options.files) files.push_back(merge_file_from(file));
    if (const Status merged = controllers.merge->add(files); !merged) {
      fmt::print(stderr, "{}\n", merged.error().text);
      return kExitUsage;
    }
  } else if (options.compare) {
    const bool two = options.files.size() == 2;
    Status started = two ? CompareController::check(options.files[0], options.files[1])
                         : refused("--compare needs A and B.");
    if (started) {
      started = controllers.compare->start(options.files[0], options.files[1], options.pair_by);
    }
    if (!started) {
      fmt::print(stderr, "{}\n", started.error().text);
      return kExitUsage;
    }
  } else {
    open_items(frames.shell(), options.files, *shown);
  }
  // Loading goes on while the display is asked for a window.
  if (const Status opened = window.open("Cinderscope", width, height, maximised); !opened) {
    fmt::print(stderr, "{} {}\n", opened.error().text, opened.error().expected);
    return kExitCannotOpen;
  }
  if (options.play_script.empty()) return frames.run(nullptr);
  Player player(std::move(script));
  return frames.run(&player);
}

}  // namespace cinderscope
