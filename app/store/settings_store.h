// Keeps settings, recent files and saved view states on disk, off the UI thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/desktop/user_folders.h"
#include "app/store/saved_view_state.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"

namespace cinderscope {

// Settings read at the start. A file that cannot be read as such is renamed to its name and
// ".broken".
struct StoredSettings {
  Settings settings;
  StoredMembers members;              // as understood; a save writes those that differ from it
  std::vector<std::string> problems;  // sentences for the user
};
StoredSettings read_settings(const UserFolders& folders);
// The same for who has no window to say it in: the files stay as they are, recent ones are not
// read.
StoredSettings look_at_settings(const UserFolders& folders);
std::string settings_file(const UserFolders& folders);

// The answer to recall(): which file the path is now, and its saved view state.
struct Recalled {
  std::string path;
  FileIdentity identity;
  std::optional<SavedViewState>
      saved;                   // empty if none is kept, or the path holds another trace now
  std::string folder_mapping;  // kept by remember_mapping() for its folder
};

// Results since the last take().
struct StoreNews {
  std::vector<std::string> problems;              // sentences, each once
  std::optional<std::vector<RecentFile>> recent;  // including files opened by other windows
  std::vector<Recalled> recalled;
};

// Called on the UI thread; only the destructor, which writes pending changes, waits for the disk.
// Several windows may share the files: a save writes only the members that this window changed.
class SettingsStore {
 public:
  // `wake` is called on the store's thread when there is something to take().
  SettingsStore(UserFolders folders, StoredMembers members, std::function<void()> wake);
  ~SettingsStore();
  SettingsStore(const SettingsStore&) = delete;
  SettingsStore& operator=(const SettingsStore&) = delete;

  bool keeps_settings() const { return !folders_.config.empty(); }
  bool keeps_state() const { return !folders_.state.empty(); }

  void save(const Settings& settings);
  void add_recent(RecentFile file);
  void forget_recent(std::string path);  // empty: all
  void recall(std::string path);
  // `before` is what this window knew last; what others wrote since stays.
  void remember(std::string path, FileIdentity identity, SavedViewState before,
                SavedViewState saved);
  // Keeps the file with names that is used for all traces of the path's folder; empty: forgets it.
  void remember_mapping(std::string path, std::string mapping_path);

  StoreNews take();

 private:
  using Job = std::function<void()>;
  void run();
  void add(Job job);
  void tell(const Status& status);
  void save_members(const StoredMembers& wanted);
  void add_recent_change(std::function<void(std::vector<RecentFile>&)> change);
  void change_recent(const std::function<void(std::vector<RecentFile>&)>& change);

  const UserFolders folders_;
  StoredMembers members_;          // store's thread only: as this window last knew them
  std::vector<std::string> told_;  // store's thread only
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  StoreNews news_;
  std::size_t recent_due_ = 0;  // changes of recent files that were asked for and not made yet
  bool stop_ = false;
  std::thread thread_;
};

// For tests.
std::optional<FileIdentity> identity_of(const std::string& path, std::uint64_t head_bytes);
bool same_file(const FileIdentity& then, const std::string& path);
inline constexpr std::size_t kMostFilesRemembered = 200, kMostMappingsRemembered = 200;

}  // namespace cinderscope
