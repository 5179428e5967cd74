// What a loader is told from outside and tells the outside: cancel, progress, limits, snapshots.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "ingest/build/load_filter.h"

namespace cinderscope {

class TimelineBuilder;
struct Timeline;

// For formats whose names lie in a file of their own.
struct SymbolOptions {
  std::string mapping_path;         // that file; empty: the one that lies beside the trace
  bool colours_by_package = false;  // of a method: equal within a package, else by its name
  bool operator==(const SymbolOptions&) const = default;
};

struct LoadOptions {
  unsigned jobs = 0;                      // worker threads; 0 = one per core
  std::uint64_t window_bytes = 4u << 20;  // input handled at a time; tests go down to 64
  // Formats that can leave inner calls on disk do so for inputs larger than this.
  std::uint64_t lazy_above_bytes = std::uint64_t{1} << 30;
  SymbolOptions names;
  LoadFilter keep;
  bool beyond_memory = false;  // load although it will probably not fit into memory
};

class LoadContext {
 public:
  explicit LoadContext(LoadOptions options = {});

  unsigned jobs() const { return jobs_; }
  std::uint64_t window_bytes() const { return options_.window_bytes; }
  std::uint64_t lazy_above_bytes() const { return options_.lazy_above_bytes; }
  const SymbolOptions& names() const { return options_.names; }
  const LoadFilter& keep() const { return options_.keep; }
  const LoadOptions& options() const { return options_; }

  // Any thread.
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }
  const std::atomic<bool>& cancel_flag() const { return cancelled_; }
  std::uint64_t done_bytes() const { return done_bytes_; }
  std::uint64_t total_bytes() const { return total_bytes_; }  // 0 while unknown
  void set_total_bytes(std::uint64_t bytes) { total_bytes_ = bytes_before_ + bytes + bytes_after_; }

  // Loader thread: for what is read from now on.
  void use_names(SymbolOptions names) { options_.names = std::move(names); }

  // Loader thread: what is read from now on is one of several inputs, of about `bytes`; its
  // progress counts beside that of the others.
  void begin_part(std::uint64_t bytes_before, std::uint64_t bytes, std::uint64_t bytes_after);

  // Called by a source between two windows, when no other thread touches the builder. Notes the
  // progress, hands out a snapshot when one is due, returns false once cancelled.
  bool tick(TimelineBuilder& builder, std::uint64_t done_bytes);

  // Receives snapshots on the loader thread. Without one none are made. First after 40 ms, then
  // when the records read have doubled, so that their cost stays below that of the load.
  void on_snapshot(std::function<void(Timeline)> receive) { receive_ = std::move(receive); }
  // For a source that has something to show of its own, and nothing of what follows.
  void hand_out(Timeline snapshot);
  void no_more_snapshots() { receive_ = nullptr; }

 private:
  LoadOptions options_;
  unsigned jobs_;
  std::atomic<bool> cancelled_{false};
  std::atomic<std::uint64_t> done_bytes_{0}, total_bytes_{0};
  std::function<void(Timeline)> receive_;
  std::int64_t started_ms_;
  std::uint64_t next_snapshot_bytes_ = 0;
  std::uint64_t bytes_before_ = 0, bytes_after_ = 0;  // of other parts
};

}  // namespace cinderscope
