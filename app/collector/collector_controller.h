// The collector within the window: listens on a thread of its own and tells which recordings have
// grown and should be read again.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/collector/collect_server.h"

namespace cinderscope {

// Decides when to read growing recordings again: so seldom that reading takes a small share of the
// time. UI thread.
class GrowingRecordings {
 public:
  using Clock = std::chrono::steady_clock;

  void grew(const CollectedRecording& now);
  struct Due {
    std::string folder;
    bool first = false;  // due for the first time
    bool operator==(const Due&) const = default;
  };
  // The recordings to read now. For each, call took() once reading has ended, or again() if it
  // could not be read yet.
  std::vector<Due> due(Clock::time_point now);
  void again(const std::string& folder);
  void took(const std::string& folder, double seconds);
  std::optional<double> seconds_to_next(Clock::time_point now) const;  // empty: nothing has grown

 private:
  struct Growing {
    bool grown = false, was_due = false;
    Clock::time_point read_at;  // when it was read last
    std::chrono::duration<double> pause{0};
  };
  std::map<std::string, Growing> by_folder_;
};

// UI thread.
class CollectorController {
 public:
  // `wake` is called on the collector's thread when due() has something new.
  static Result<std::unique_ptr<CollectorController>> start(CollectOptions options,
                                                            std::function<void()> wake);
  ~CollectorController();  // ends all sessions and writes what is left
  CollectorController(const CollectorController&) = delete;
  CollectorController& operator=(const CollectorController&) = delete;

  std::string address() const { return server_->address(); }
  // Folders to be opened, or read again where they are open.
  std::vector<GrowingRecordings::Due> due();
  void again(const std::string& folder) { growing_.again(folder); }
  void took(const std::string& folder, double seconds) { growing_.took(folder, seconds); }
  std::optional<double> seconds_to_reload() const;

 private:
  CollectorController() = default;

  std::unique_ptr<CollectServer> server_;
  GrowingRecordings growing_;
  std::mutex mutex_;
  std::vector<CollectedRecording> told_;  // by the server; not taken yet
  std::thread thread_;
};

}  // namespace cinderscope
