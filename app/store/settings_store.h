// Keeps settings, recent files and what is remembered of traces on disk, off the UI thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/store/saved_view_state.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"

namespace cinderscope {

// What a start finds. A file that is no settings file is set aside under its name and ".broken".
struct StoredSettings {
  Settings settings;
  StoredMembers members;              // as far as they were understood: what a later save compares
  std::vector<std::string> problems;  // sentences for the user
};
StoredSettings read_settings(const StorePlaces& places);

// What became of a trace's path: what it is now and what is remembered of it.
struct Recalled {
  std::string path;
  FileIdentity identity;
  std::optional<SavedViewState>
      memory;                  // empty if there is none or the path holds another trace now
  std::string folder_mapping;  // what remember_mapping() keeps for its folder
};

// What the store has done since the last take().
struct StoreNews {
  std::vector<std::string> problems;              // sentences, each of them once
  std::optional<std::vector<RecentFile>> recent;  // with what other windows opened
  std::vector<Recalled> recalled;
};

// All calls come from the UI thread and none of them waits for a disk, but for the destructor,
// which writes what is left. Several windows may share the files: a save writes only what this
// window changed.
class SettingsStore {
 public:
  // `wake` is called on the store's thread when there is something to take().
  SettingsStore(StorePlaces places, StoredMembers members, std::function<void()> wake);
  ~SettingsStore();
  SettingsStore(const SettingsStore&) = delete;
  SettingsStore& operator=(const SettingsStore&) = delete;

  bool keeps_settings() const { return !places_.config.empty(); }
  bool keeps_state() const { return !places_.state.empty(); }

  void save(const Settings& settings);
  void add_recent(RecentFile file);
  void forget_recent(std::string path);  // empty: all
  void recall(std::string path);
  void remember(std::string path, FileIdentity identity, SavedViewState memory);
  // The file with names that holds for the trace of that path and all others of its folder; an
  // empty one is forgotten.
  void remember_mapping(std::string path, std::string mapping_path);

  StoreNews take();

 private:
  using Job = std::function<void()>;
  void run();
  void add(Job job);
  void tell(const Status& status);
  void save_members(const StoredMembers& wanted);
  void change_recent(const std::function<void(std::vector<RecentFile>&)>& change);

  const StorePlaces places_;
  StoredMembers members_;          // store's thread only: as this window last knew them
  std::vector<std::string> told_;  // store's thread only
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  StoreNews news_;
  bool stop_ = false;
  std::thread thread_;
};

// Parts of the above, for tests: what a path holds now, and the file that remembers it.
std::optional<FileIdentity> identity_of(const std::string& path, std::uint64_t head_bytes);
bool same_file(const FileIdentity& then, const std::string& path);
inline constexpr std::size_t kMostFilesRemembered = 200, kMostMappingsRemembered = 200;

}  // namespace cinderscope
