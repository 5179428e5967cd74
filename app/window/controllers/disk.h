// Traces that are read piece by piece: which ones, how much memory they get, their index.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/commands/commands.h"
#include "app/window/status_message.h"
#include "ingest/base/result.h"
#include "ingest/format/load_context.h"

namespace cinderscope {

class AppContext;

// UI thread only.
class DiskController {
 public:
  DiskController(AppContext& app, LoadOptions load) : app_(app), load_(std::move(load)) {}

  void set_lazy_above(std::optional<std::uint64_t> bytes) {  // nullopt: by the settings
    lazy_above_bytes_ = bytes;
  }
  LoadOptions load_options() const;  // of a trace that is opened now
  void share_memory();               // among all open traces
  Status write_index();
  void poll();

 private:
  // The index that is being written; ends soon once it is destroyed.
  struct IndexWrite {
    explicit IndexWrite(LoadOptions options) : control(std::move(options)) {}
    ~IndexWrite() { control.cancel(); }
    LoadContext control;
    MessageOwner owner;
    std::future<Result<std::string>> done;
  };

  AppContext& app_;
  LoadOptions load_;  // of every trace, but for what the settings say
  std::optional<std::uint64_t> lazy_above_bytes_;
  std::unique_ptr<IndexWrite> index_write_;
};

std::span<const Command> disk_commands();

}  // namespace cinderscope
