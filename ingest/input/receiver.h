// Fills a growing file in the background from a descriptor or from memory, unpacking on the way.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/input/growing_file.h"
#include "ingest/input/pin.h"
#include "ingest/input/unpack/checkpoints.h"
#include "ingest/input/unpack/packed_pieces.h"
#include "ingest/input/zip_reader.h"
#include "ingest/os/mapped_file.h"
#include "ingest/os/stoppable_reader.h"

namespace cinderscope {

class Unpacker;

class Receiver {
 public:
  // A file that is read from its current position on, a pipe or a socket.
  static Result<std::unique_ptr<Receiver>> from_descriptor(UniqueFd source, double disk_share);
  // A packed file of so many bytes, or a part of a file: what can be read again.
  static Result<std::unique_ptr<Receiver>> from_file(UniqueFd source, std::uint64_t bytes,
                                                     double disk_share);
  static Result<std::unique_ptr<Receiver>> from_part(UniqueFd source, std::uint64_t offset,
                                                     std::uint64_t bytes, double disk_share);
  // A deflated entry of an archive: `packed` are its bytes.
  static Result<std::unique_ptr<Receiver>> from_entry(std::unique_ptr<MappedFile> packed,
                                                      ZipEntry entry, double disk_share);
  static Result<std::unique_ptr<Receiver>> from_memory(std::vector<std::byte> source);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // Where what comes is kept: blocks of memory, where there is no disk; a temporary file; or memory
  // that is written over again, with a file for what does not pass through it.
  enum class Keeping : std::uint8_t { blocks, file, ring };
  // For tests: those that are made from now on keep bytes as they would on another system.
  static void keep_in(Keeping keeping);
  static Keeping usual_keeping();

  // Any thread.
  std::uint64_t wait_for(std::uint64_t wanted_bytes) const {
    return restored_bytes_ ? *restored_bytes_ : file_->wait_for_size(wanted_bytes);
  }
  bool closed() const { return file_->closed(); }
  bool stopped_early() const { return stopped_early_; }  // closed, and more would have come
  bool refused() const { return refused_; }              // by a limit: nothing of it is to be shown
  std::uint64_t received_bytes() const { return received_bytes_; }  // before unpacking
  Diagnostics damage() const;
  void stop();  // what came so far stays; returns once the thread has ended

  // Fewer bytes than asked for only where the content ends, or where bytes were dropped and the
  // file does not give them any more (is_lost).
  Pin pin(std::uint64_t offset, std::uint64_t length) const;
  bool is_lost() const { return pieces_ && pieces_->is_lost(); }
  // Bytes before `offset` may be dropped, as far as they can be unpacked again.
  void let_go(std::uint64_t offset) {
    if (pieces_) file_->let_go(offset);
  }
  std::uint64_t unpacked_bytes() const {  // which are kept
    if (restored_bytes_) return 0;
    const std::uint64_t made_bytes = wait_for(0);
    return made_bytes - std::min(made_bytes, file_->dropped_bytes());
  }

  // Any byte can be had without unpacking what lies before it: all has come, and it is covered.
  bool is_covered() const {
    return pieces_ && closed() && !stopped_early_ && checkpoints_->covered_to() == wait_for(0);
  }
  bool can_be_covered() const { return pieces_ != nullptr; }
  // What tells how to: for the same file when it is opened again. After restore() nothing is
  // unpacked but what is asked for. False, and as before, where it does not fit. Before any other
  // thread uses it.
  void save(FieldWriter& out) const { checkpoints_->save(out); }
  bool restore(FieldReader& in);

 private:
  // One of these is where the bytes come from.
  struct Source {
    std::unique_ptr<StoppableReader> reader;
    std::vector<std::byte> memory;
    std::unique_ptr<MappedFile> entry_bytes;
    ZipEntry entry;
    UniqueFd again;  // of a packed file: to read pieces of it once more
    std::uint64_t begin = 0, packed_bytes = 0;
  };

  Receiver(std::unique_ptr<GrowingFile> file, Source source);
  static Result<std::unique_ptr<Receiver>> start(Source source, double disk_share);
  void run();
  void note_droppable(const Unpacker& unpacker);
  Pin pin_across(std::uint64_t offset, std::uint64_t size) const;
  void feed_entry(Unpacker& unpacker);
  bool is_bomb() const;
  std::span<const std::byte> next_piece();

  std::unique_ptr<Checkpoints> checkpoints_;  // of a file that can be read again
  std::unique_ptr<PackedPieces> pieces_;
  std::unique_ptr<GrowingFile> file_;
  Source source_;
  std::vector<std::byte> piece_;
  std::atomic<std::uint64_t> received_bytes_{0};
  std::optional<std::uint64_t> restored_bytes_;  // the content's length
  std::uint64_t made_bytes_ = 0,
                entry_used_bytes_ = 0;  // after unpacking, before; its thread alone
  std::atomic<bool> stopping_{false}, stopped_early_{false}, refused_{false};
  mutable std::mutex mutex_;
  Diagnostics damage_;
  std::mutex join_mutex_;
  std::thread thread_;
};

}  // namespace cinderscope
