// Opening, reloading and closing traces, and how far they have been read.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
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

  // A file, a folder or "-": each trace in it becomes a tab; of many it is asked which. Returns at
  // once.
  void open(const std::string& path);
  // Several at once; from many on it is asked which.
  void open_all(const std::vector<std::string>& paths);
  // `held`: it is read once somebody calls begin().
  Tab& add(const std::string& path, SourceOpener opener, SteadyTime asked, bool held = false);
  void show(std::size_t tab);
  void close(std::size_t tab);
  void list() const;  // in the palette

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
  void open_file(const std::string& path, SteadyTime asked);
  void open_sessions();
  void poll_expansions();
  void add_traces_of(const Expansion& folder, const Result<std::vector<std::string>>& traces);
  void poll(Tab& tab);
  void show_progress(Tab& tab);

  AppContext& app_;
  std::vector<Expansion> expanding_;               // folders that are being looked through
  std::vector<std::unique_ptr<Session>> closing_;  // until their loaders have ended
  bool window_is_open_ = false;
};

std::span<const Command> tab_commands();

}  // namespace cinderscope
