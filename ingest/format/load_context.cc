#include "ingest/format/load_context.h"

#include <algorithm>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/steady_clock.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

// A load that goes on when less than this is free ends all that runs on the machine; of a machine
// with little memory it is a share of what was free before.
constexpr std::uint64_t kLeastFreeBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kLeastFreeShare = 8;
constexpr std::int64_t kCheckMemoryEveryMs = 20;

}  // namespace

LoadContext::LoadContext(LoadOptions options)
    : options_(std::move(options)),
      jobs_(options_.jobs == 0 ? core_count() : options_.jobs),
      started_ms_(steady_now_ms()) {}

void LoadContext::begin_input(std::uint64_t bytes_before, std::uint64_t bytes,
                              std::uint64_t bytes_after) {
  bytes_before_ = bytes_before;
  bytes_after_ = bytes_after;
  done_bytes_ = bytes_before;
  is_replay_ = false;
  columns_on_disk_ = false;  // it has a builder of its own
  set_total_bytes(bytes);
}

void LoadContext::hand_out(Timeline snapshot) {
  if (receive_) receive_(std::move(snapshot));
}

bool LoadContext::memory_is_left(TimelineBuilder& builder) {
  const bool has_limit = options_.memory_limit_bytes > 0;
  if ((options_.beyond_memory && !has_limit) || short_of_memory_) return !short_of_memory_;
  const std::int64_t now_ms = steady_now_ms();
  if (now_ms - memory_checked_ms_ < kCheckMemoryEveryMs) return true;
  memory_checked_ms_ = now_ms;
  if (has_limit && !columns_on_disk_ && own_memory_bytes() >= options_.memory_limit_bytes) {
    columns_on_disk_ = builder.keep_columns_on_disk();
  }
  if (options_.beyond_memory) return true;
  const std::uint64_t free_bytes = options_.free_memory();
  if (least_free_bytes_ == UINT64_MAX) {
    least_free_bytes_ = std::min(kLeastFreeBytes, free_bytes / kLeastFreeShare);
  }
  // The estimate was wrong: what comes from here goes to disk, and the load goes on.
  if (!columns_on_disk_ && free_bytes < 2 * least_free_bytes_) {
    columns_on_disk_ = builder.keep_columns_on_disk();
  }
  short_of_memory_ = free_bytes < least_free_bytes_;
  return !short_of_memory_;
}

bool LoadContext::tick(TimelineBuilder& builder, std::uint64_t done_bytes) {
  self_trace_memory();
  if (!memory_is_left(builder) || (refused_ && refused_())) return false;
  if (is_replay_) return !cancelled_;
  done_bytes_ = bytes_before_ + done_bytes;
  if (cancelled_) return false;
  if (receive_ && done_bytes >= next_snapshot_bytes_ &&
      steady_now_ms() - started_ms_ >= options_.snapshots.first_after_ms) {
    receive_(builder.snapshot());
    next_snapshot_bytes_ = std::max<std::uint64_t>(1, done_bytes * 2);
  }
  return !cancelled_;
}

}  // namespace cinderscope
