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
// Of what is kept upper levels and heads of chunks stay in memory when columns go to disk: up to
// this share of it.
constexpr std::uint64_t kInMemoryShare = 7;

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
  first_memory_.reset();
  set_total_bytes(bytes);
}

void LoadContext::hand_out(Timeline snapshot) {
  if (receive_) receive_(std::move(snapshot));
}

// Own memory, and what will come to it from here on although columns go to disk, if the rest of the
// input is as what was read so far.
std::uint64_t LoadContext::memory_to_expect() {
  const std::uint64_t own_bytes = options_.own_memory(), done = done_bytes_;
  if (!first_memory_) first_memory_ = {.done_bytes = done, .own_bytes = own_bytes};
  const std::uint64_t left = total_bytes_ > done ? total_bytes_ - done : 0;
  if (done <= first_memory_->done_bytes || own_bytes <= first_memory_->own_bytes) return own_bytes;
  const double of_a_byte = static_cast<double>(own_bytes - first_memory_->own_bytes) /
                           static_cast<double>(done - first_memory_->done_bytes);
  const double to_come = of_a_byte * static_cast<double>(left) / kInMemoryShare;
  return own_bytes + static_cast<std::uint64_t>(std::min(to_come, 0x1p62));
}

bool LoadContext::memory_is_left(TimelineBuilder& builder) {
  const bool has_limit = options_.memory_limit_bytes > 0;
  if ((options_.beyond_memory && !has_limit) || short_of_memory_) return !short_of_memory_;
  const std::int64_t now_ms = steady_now_ms();
  if (now_ms - memory_checked_ms_ < kCheckMemoryEveryMs) return true;
  memory_checked_ms_ = now_ms;
  if (has_limit && !columns_on_disk_ && memory_to_expect() >= options_.memory_limit_bytes) {
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
  if (!is_replay_) done_bytes_ = bytes_before_ + done_bytes;
  if (!memory_is_left(builder) || (refused_ && refused_())) return false;
  if (is_replay_ || cancelled_) return !cancelled_;
  if (receive_ && done_bytes >= next_snapshot_bytes_ &&
      steady_now_ms() - started_ms_ >= options_.snapshots.first_after_ms) {
    receive_(builder.snapshot());
    next_snapshot_bytes_ = std::max<std::uint64_t>(1, done_bytes * 2);
  }
  return !cancelled_;
}

}  // namespace cinderscope
