// Fills a growing file in the background from a descriptor or from memory, unpacking on the way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/input/growing_file.h"
#include "ingest/os/stoppable_reader.h"

namespace cinderscope {

class Receiver {
 public:
  // A file that is read from its current position on, a pipe or a socket.
  static Result<std::unique_ptr<Receiver>> from_descriptor(UniqueFd source, double disk_share);
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
  Receiver(std::unique_ptr<GrowingFile> file, std::unique_ptr<StoppableReader> reader,
           std::vector<std::byte> memory);
  static Result<std::unique_ptr<Receiver>> start(std::unique_ptr<StoppableReader> reader,
                                                 std::vector<std::byte> memory, double disk_share);
  void run();
  std::span<const std::byte> next_piece();

  std::unique_ptr<GrowingFile> file_;
  std::unique_ptr<StoppableReader> reader_;  // or
  std::vector<std::byte> memory_;            // the source
  std::vector<std::byte> piece_;
  std::atomic<std::uint64_t> received_bytes_{0};
  std::atomic<bool> stopping_{false}, stopped_early_{false}, refused_{false};
  mutable std::mutex mutex_;
  Diagnostics damage_;
  std::mutex join_mutex_;
  std::thread thread_;
};

}  // namespace cinderscope
