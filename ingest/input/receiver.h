// Fills a growing file in the background from a descriptor or from memory, unpacking on the way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/input/growing_file.h"
#include "ingest/input/zip_reader.h"
#include "ingest/os/mapped_file.h"
#include "ingest/os/stoppable_reader.h"

namespace cinderscope {

class Unpacker;

class Receiver {
 public:
  // A file that is read from its current position on, a pipe or a socket.
  static Result<std::unique_ptr<Receiver>> from_descriptor(UniqueFd source, double disk_share);
  // A part of a file.
  static Result<std::unique_ptr<Receiver>> from_part(UniqueFd source, std::uint64_t offset,
                                                     std::uint64_t bytes, double disk_share);
  // A deflated entry of an archive: `packed` are its bytes.
  static Result<std::unique_ptr<Receiver>> from_entry(std::unique_ptr<MappedFile> packed,
                                                      ZipEntry entry, double disk_share);
  static Result<std::unique_ptr<Receiver>> from_memory(std::vector<std::byte> source);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // Any thread.
  std::span<const std::byte> wait_for(std::uint64_t wanted_bytes) const {
    return file_->wait_for(wanted_bytes);
  }
  bool closed() const { return file_->closed(); }
  bool stopped_early() const { return stopped_early_; }  // closed, and more would have come
  bool refused() const { return refused_; }              // by a limit: nothing of it is to be shown
  std::uint64_t received_bytes() const { return received_bytes_; }  // before unpacking
  Diagnostics damage() const;
  void stop();  // what came so far stays; returns once the thread has ended

 private:
  // One of these is where the bytes come from.
  struct Source {
    std::unique_ptr<StoppableReader> reader;
    std::vector<std::byte> memory;
    std::unique_ptr<MappedFile> entry_bytes;
    ZipEntry entry;
  };

  Receiver(std::unique_ptr<GrowingFile> file, Source source)
      : file_(std::move(file)), source_(std::move(source)) {}
  static Result<std::unique_ptr<Receiver>> start(Source source, double disk_share);
  void run();
  void feed_entry(Unpacker& unpacker);
  bool is_bomb() const;
  std::span<const std::byte> next_piece();

  std::unique_ptr<GrowingFile> file_;
  Source source_;
  std::vector<std::byte> piece_;
  std::atomic<std::uint64_t> received_bytes_{0};
  std::uint64_t made_bytes_ = 0,
                entry_used_bytes_ = 0;  // after unpacking, before; its thread alone
  std::atomic<bool> stopping_{false}, stopped_early_{false}, refused_{false};
  mutable std::mutex mutex_;
  Diagnostics damage_;
  std::mutex join_mutex_;
  std::thread thread_;
};

}  // namespace cinderscope
