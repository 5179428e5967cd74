// The trace of a part that is saved, as writing needs it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/convert/open_inputs.h"
#include "app/window/controllers/export/parts.h"

namespace cinderscope {

// The file is read anew where what is shown is not all that writing needs, or has only one reader:
// a trace whose inner calls are on disk.
struct PartsController::Reading {
  std::vector<MergeFile> files;
  std::uint64_t generation = 0;
  bool is_shown = false;  // it is what the tab has loaded
  std::shared_ptr<LoadContext> control;

  std::mutex mutex;
  std::optional<Result<OpenedTrace>> trace;

  const Result<OpenedTrace>& opened() {
    if (!trace) trace.emplace(open_inputs(files, *control));
    return *trace;
  }
};

}  // namespace cinderscope
