// The live collector in the window: recordings open as they come, and are read again as they grow.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/collector/collector_controller.h"
#include "app/commands/commands.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class RecordingsController {
 public:
  explicit RecordingsController(AppContext& app) : app_(app) {}

  bool collecting() const { return collecting_ != nullptr; }
  // Empty texts: where agents usually look for it, and the user's folder of recordings.
  Status start(const std::string& address, const std::string& folder);
  void end();
  void poll();
  std::optional<double> seconds_to_reload() const;  // nullopt: nothing is due

 private:
  AppContext& app_;
  std::unique_ptr<CollectorController> collecting_;  // null: no agents are listened for
};

std::span<const Command> recording_commands();

}  // namespace cinderscope
