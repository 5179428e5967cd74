// Saving a part of the shown trace as a file of any format.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/commands/commands.h"
#include "app/convert/convert.h"
#include "app/questions/background_task.h"

namespace cinderscope {

class AppContext;

// UI thread only. One at a time; a newer one cancels the one before, which leaves nothing behind.
class PartsController {
 public:
  explicit PartsController(AppContext& app);
  ~PartsController();

  // The selected range, or all; the ending of the path decides about the format.
  Status save(const std::string& path, bool replace);
  bool saving() const { return task_.busy(); }
  void poll();  // says what was saved

 private:
  struct Saved {
    std::string path;
    Result<Converted> result;
  };

  AppContext& app_;
  std::shared_ptr<LoadContext> control_;  // of the newest
  BackgroundTask<Saved> task_;
};

std::span<const Command> part_commands();

}  // namespace cinderscope
