// Opening, reloading and closing traces, and how far they have been read.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/desktop/open_dialog.h"
#include "app/session/session.h"
#include "ingest/base/result.h"

namespace cinderscope {

class AppContext;
class CommandArguments;
struct Tab;

// UI thread only.
class TabsController {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  explicit TabsController(AppContext& app) : app_(app) {}
  ~TabsController();

  // A file, a folder or "-": each trace in it becomes a tab. Returns at once.
  void open(const std::string& path);
  Tab& add(const std::string& path, SourceOpener opener, SteadyTime asked);
  void show(std::size_t tab);
  void close(std::size_t tab);
  // Asks for files, to be opened or merged; an Error where no file dialog is installed.
  Status ask_for_files(bool merges);
  bool dialog_open() const { return dialog_.open(); }

  // When the user asked for a trace that is opened now: with the start of the program until the
  // window is open, just now afterwards.
  SteadyTime asked_now() const;
  void window_is_open() { window_is_open_ = true; }

  void apply_settings();
  void apply_settings(Tab& tab) const;
  void poll();
  bool loading() const;  // any of them
  bool closing() const { return !closing_.empty(); }

 private:
  struct Expansion {
    std::string path;
    std::future<Result<std::vector<std::string>>> traces;
    std::shared_ptr<std::string> left_out;  // written before `traces` is ready
    SteadyTime asked;
  };
  void poll_expansions();
  void add_traces_of(const Expansion& folder, const Result<std::vector<std::string>>& traces);
  void poll(Tab& tab);
  void show_progress(Tab& tab);
  void take_chosen_files();

  AppContext& app_;
  std::vector<Expansion> expanding_;               // folders that are being looked through
  std::vector<std::unique_ptr<Session>> closing_;  // until their loaders have ended
  OpenDialog dialog_;
  bool dialog_merges_ = false;  // what is chosen in it goes on the shown timeline
  bool window_is_open_ = false;
};

std::span<const Command> tab_commands();

}  // namespace cinderscope
