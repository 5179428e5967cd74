// Bytes that one thread appends, to a temporary file or to memory, while others read them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/input/byte_blocks.h"
#include "ingest/input/pin.h"
#include "ingest/os/ring_memory.h"
#include "ingest/os/temporary_file.h"

namespace cinderscope {

// Of the free disk, that an unpacked trace takes without a question; 1: all of it.
inline constexpr double kUsualDiskShare = 0.5;

class GrowingFile {
 public:
  // Bytes never move once they are there.
  static Result<std::unique_ptr<GrowingFile>> create(
      double disk_share = kUsualDiskShare, std::uint64_t most_bytes = TemporaryFile::kMostBytes);
  // In memory, where there is no disk: of which it takes half at most. What is dropped makes room
  // for what comes. Bytes come by pin() alone.
  static std::unique_ptr<GrowingFile> create_in_memory();
  // Before the first byte: they lie in memory that is written over again and again, so that nothing
  // reaches the disk, for as long as somebody reads them in order and lets go. Bytes come by pin()
  // alone. The writer waits where the memory is full and nobody waits for more.
  void pass_through_memory();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // One writer thread. False if the disk, the share of it or the reserved range is full: what
  // fitted stays, and trouble() says what is the matter.
  bool append(std::span<const std::byte> bytes);
  // Where the next bytes may be made, so that appending them copies nothing; may be empty.
  std::span<std::byte> room();
  const Diagnostics& trouble() const { return trouble_; }
  std::uint64_t reserved_bytes() const { return file_->reserved_bytes(); }  // of one in a file
  // What other files of the same trace take, which counts for the share of the disk.
  void note_elsewhere(std::uint64_t bytes) { elsewhere_bytes_ = bytes; }
  void close();  // no more comes; from here on 64 zero bytes follow the end
  // From now on the writer waits where it is kReaderAheadBytes before the reader in order, until
  // somebody waits for more. Any thread.
  void let_go(std::uint64_t offset);
  // The writer waits for nobody any more. stop(): nor does it take what does not fit into memory.
  void wait_for_nobody();
  void stop();
  // Everything before this may be dropped once it was let go: it can be had elsewhere. The writer.
  void note_droppable(std::uint64_t offset);

  // Any thread.
  std::span<const std::byte> wait_for(std::uint64_t wanted_bytes) const;  // of one in a file
  std::uint64_t wait_for_size(std::uint64_t wanted_bytes) const;
  bool closed() const { return closed_; }
  // Bytes that are there, which stay for as long as the pin lives. None: some were dropped, or
  // there is no memory for them.
  std::optional<Pin> pin(std::uint64_t offset, std::uint64_t length) const;
  std::uint64_t dropped_bytes() const { return dropped_to_; }  // whose space was given back

  static constexpr std::uint64_t kReaderAheadBytes = 32u << 20;
  static constexpr std::uint64_t kDropStepBytes = 4u << 20;
  static constexpr std::uint64_t kRingBytes = kReaderAheadBytes + (16u << 20);

 private:
  struct Held;
  GrowingFile(std::unique_ptr<TemporaryFile> file, double disk_share)
      : file_(std::move(file)), disk_share_(disk_share) {}
  bool lengthen(std::uint64_t needed_bytes);
  bool append_to_blocks(std::span<const std::byte> bytes);
  bool append_to_file(std::span<const std::byte> bytes);
  bool leave_ring();
  bool stays_whole() const;
  std::shared_ptr<const Held> hold(std::uint64_t begin) const;
  bool wait_for_reader(std::uint64_t more_bytes);
  std::uint64_t may_drop_to() const;
  void drop_what_may_go() const;
  void drop_of_file() const;
  bool stopped_by(std::error_code error);
  void publish(std::uint64_t size_bytes, bool closed);

  std::unique_ptr<TemporaryFile> file_;  // longer than what is published; null: `blocks_`
  double disk_share_;
  std::uint64_t elsewhere_bytes_ = 0;
  Diagnostics trouble_;
  std::atomic<std::uint64_t> size_bytes_{0};
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
  mutable ByteBlocks blocks_;  // under the mutex
  // Has what is kept until that does not fit. Changed under the mutex: by the writer, and once
  // closed by who lets go of the last bytes.
  mutable std::shared_ptr<RingMemory> ring_;
  std::atomic<bool> in_ring_{false};
  // Reading in order, under the mutex.
  bool in_order_ = false, stopped_ = false;
  std::uint64_t let_go_ = 0, droppable_to_ = 0;
  mutable std::uint64_t wanted_bytes_ = 0;            // the most that somebody waited for
  mutable std::multiset<std::uint64_t> held_begins_;  // of pins that live
  mutable std::atomic<std::uint64_t> dropped_to_{0};  // begins a block of a file
  mutable std::atomic<bool> may_drop_{true};          // the file system can
  mutable std::condition_variable room_;
  mutable std::mutex drop_mutex_;  // taken before `mutex_`
};

}  // namespace cinderscope
