// Columns on disk: an unlinked file for the bytes of sealed chunks, while a trace is loaded that
// memory does not hold.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "ingest/base/chunk_arena.h"
#include "ingest/base/result.h"
#include "ingest/os/read_ahead.h"
#include "ingest/os/temporary_file.h"

namespace cinderscope {

// Lives as long as any chunk in it.
class ColumnFile : public ChunkArena, private ChunkPages {
 public:
  // Where temporary files lie (TMPDIR). An Error where there can be none.
  static Result<std::shared_ptr<ColumnFile>> create();

  // Null once the disk, of which some is left to others, is full: chunks stay in memory then.
  const std::byte* keep(std::span<const std::byte> bytes) override;
  const ChunkPages* pages() const override { return this; }

  std::uint64_t kept_bytes() const { return used_bytes_; }
  bool is_full() const { return full_; }

 private:
  explicit ColumnFile(std::unique_ptr<TemporaryFile> file) : file_(std::move(file)) {}
  bool reserve(std::uint64_t end);
  bool at_hand(std::span<const std::byte> bytes) const override;

  std::unique_ptr<TemporaryFile> file_;
  std::atomic<std::uint64_t> used_bytes_{0}, reserved_bytes_{0};
  std::atomic<bool> full_{false};
  std::mutex mutex_;              // over the file's length
  mutable ReadAhead read_ahead_;  // last: it ends before the file goes
};

}  // namespace cinderscope
