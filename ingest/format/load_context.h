// What passes between a load and its surroundings: cancel, progress, snapshots; and its options.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "ingest/format/load_options.h"

namespace cinderscope {

class TimelineBuilder;
struct Timeline;

class LoadContext {
 public:
  explicit LoadContext(LoadOptions options = {});

  const LoadOptions& options() const { return options_; }
  unsigned jobs() const { return jobs_; }
  std::uint64_t window_bytes() const { return options_.window_bytes; }
  std::uint64_t lazy_above_bytes() const { return options_.lazy_above_bytes; }
  const SymbolOptions& names() const { return options_.names; }
  const LoadFilter& keep() const { return options_.keep; }

  // -- cancel: any thread
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }
  std::atomic<bool>& cancel_flag() { return cancelled_; }
  const std::atomic<bool>& cancel_flag() const { return cancelled_; }

  // -- progress: read by any thread
  std::uint64_t done_bytes() const { return done_bytes_; }
  std::uint64_t total_bytes() const { return total_bytes_; }  // 0 while unknown
  // Loader thread.
  void set_total_bytes(std::uint64_t bytes) { total_bytes_ = bytes_before_ + bytes + bytes_after_; }
  // Called by a source between two windows, while no other thread touches the builder. Notes the
  // progress, hands out a snapshot when one is due, returns false once cancelled or short of
  // memory.
  bool tick(TimelineBuilder& builder, std::uint64_t done_bytes);

  // -- limits: loader thread
  // tick() is false, too, once `refused` is true.
  void end_if(std::function<bool()> refused) { refused_ = std::move(refused); }
  // True once tick() ended the load because there was hardly any memory left.
  bool short_of_memory() const { return short_of_memory_; }

  // -- snapshots: handed to `receive` on the loader thread; without a receiver none are made
  void on_snapshot(std::function<void(Timeline)> receive) { receive_ = std::move(receive); }
  bool shows_snapshots() const { return receive_ != nullptr; }
  void hand_out(Timeline snapshot);  // one that a source made itself
  void no_more_snapshots() { receive_ = nullptr; }

  // -- several inputs, one after the other: loader thread
  // What is read from now on is one input of about `bytes`; its progress counts beside that of the
  // others.
  void begin_input(std::uint64_t bytes_before, std::uint64_t bytes, std::uint64_t bytes_after);
  void use_names(SymbolOptions names) { options_.names = std::move(names); }
  // Nobody will read on what is read from now on.
  void never_read_on() { options_.reads_on = false; }

  // From now on the same input is read a second time: progress and snapshots stay as they are.
  void begin_replay() { is_replay_ = true; }

 private:
  // What was there when memory was looked at first, before most of it was kept.
  struct FirstMemory {
    std::uint64_t done_bytes = 0, own_bytes = 0;
  };
  std::uint64_t memory_to_expect();
  bool memory_is_left(TimelineBuilder& builder);

  LoadOptions options_;
  unsigned jobs_;
  std::atomic<bool> cancelled_{false};
  std::atomic<std::uint64_t> done_bytes_{0}, total_bytes_{0};
  std::uint64_t bytes_before_ = 0, bytes_after_ = 0;  // of other inputs
  std::function<void(Timeline)> receive_;
  std::function<bool()> refused_;
  std::int64_t started_ms_;
  std::uint64_t next_snapshot_bytes_ = 0;
  bool is_replay_ = false;
  bool short_of_memory_ = false;
  bool columns_on_disk_ = false;
  std::optional<FirstMemory> first_memory_;
  std::int64_t memory_checked_ms_ = INT64_MIN / 2;
  std::uint64_t least_free_bytes_ = UINT64_MAX;  // below that a load ends; not known yet
};

}  // namespace cinderscope
