// What outlives the program: settings, recent files, and what is remembered of each trace.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/desktop/single_instance.h"
#include "app/store/settings_store.h"

namespace cinderscope {

class AppContext;
struct Tab;

// At scale 1.
struct WindowPlacement {
  int width = 0, height = 0;
  bool maximised = false, minimised = false;
};

// Keeps nothing until it is told where. UI thread only.
class StoreController {
 public:
  explicit StoreController(AppContext& app) : app_(app) {}

  // From now on the window is as the settings say, and what changes is kept at `places`.
  void keep(UserFolders places, StoredSettings stored);
  // Other starts of the program may hand their files to this window from now on.
  void listen_for_files();
  // Other windows that open this session are told that it is open here; empty: none is.
  void hold_session(const std::string& path);
  std::string own_socket() const { return listener_ ? listener_->path() : std::string(); }
  // They did, since this was asked last.
  bool take_files_came() { return std::exchange(files_came_, false); }

  void save_soon();   // the settings
  void note_input();  // it may have changed what is to be remembered of the shown trace
  void remember(Tab& tab);
  // What is remembered of the tab's trace was put back, or there is nothing to wait for.
  bool has_put_back(const Tab& tab) const;
  void remember_mapping(const std::string& trace, const std::string& mapping);
  void add_recent(const std::string& path, std::uint64_t size_bytes);
  void forget_recent(const std::string& path);                         // empty: all of them
  void keep_everything(const WindowPlacement& window);                 // at exit
  std::optional<double> seconds_to_save() const;                       // nullopt: nothing is due
  const std::string& settings_path() const { return settings_path_; }  // empty: nothing is kept
  void poll();

 private:
  void poll(Tab& tab);
  void poll_listener();
  void take(const Recalled& recalled);
  void restore_state(Tab& tab);
  void note_what_was_dragged();
  void save_what_is_due();
  void tell(const std::vector<std::string>& problems);

  AppContext& app_;
  std::unique_ptr<SettingsStore> store_;  // null: nothing is kept
  std::unique_ptr<SingleInstanceListener> listener_;
  bool files_came_ = false;
  std::string settings_path_;
  std::optional<std::chrono::steady_clock::time_point> settings_due_, state_due_;
};

std::span<const Command> store_commands();

}  // namespace cinderscope
