// What the two readers of .spall files share: threads, and rounds of scanning and decoding.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/spall/thread_load.h"
#include "ingest/base/diagnostics.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

// Finds the thread of a key; most records belong to the same few threads as those before.
class ThreadIndex {
 public:
  // The index of the key's thread; if that is new, the next free one.
  std::uint32_t find_or_add(const ThreadKey& key) {
    const Recent& recent = recent_[(key.tid ^ key.pid * 7) % kRecentCount];
    return recent.used && recent.key == key ? recent.thread : look_up(key);
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(all_.size()); }

 private:
  struct Hash {
    std::size_t operator()(const ThreadKey& key) const {
      return static_cast<std::size_t>(
          (key.pid * 0x9E3779B97F4A7C15u ^ key.tid) * 0xD6E8FEB86659FD93u >> 20);
    }
  };
  struct Recent {
    ThreadKey key;
    std::uint32_t thread = 0;
    bool used = false;
  };
  static constexpr std::size_t kRecentCount = 64;
  std::uint32_t look_up(const ThreadKey& key);

  std::array<Recent, kRecentCount> recent_{};
  std::unordered_map<ThreadKey, std::uint32_t, Hash> all_;
};

// A file is read in rounds. In each, one worker scans ahead to find where the records of which
// thread lie, while others decode what the scan before has found, a thread each. The rounds' size
// changes nothing in the result.
class EventReader {
 public:
  virtual ~EventReader() = default;

  // Looks for more work, about one window of it; goes on where it stopped. Loader thread or worker.
  virtual void scan() = 0;
  // Between two rounds: what was scanned becomes work. Returns the threads that have any; new ones
  // among them are at the end of `threads()` and must be attached before they are decoded.
  virtual const std::vector<std::uint32_t>& take_scanned() = 0;
  // Decodes some of the work of a thread. Workers, each another thread. Ends within a millisecond
  // of work once `cancelled`: what was decoded is of no use then.
  virtual void decode(std::uint32_t thread, const std::atomic<bool>& cancelled) = 0;

  virtual bool at_end() const = 0;  // nothing is left to scan
  virtual std::uint64_t scanned_bytes() const = 0;
  // Between two rounds: everything before it was decoded.
  virtual std::uint64_t needed_from() const = 0;
  const std::optional<Error>& error() const { return error_; }  // that ended the scan

  std::vector<std::unique_ptr<ThreadLoad>>& threads() { return threads_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }  // of the scan

 protected:
  void add_threads(const std::vector<ThreadKey>& keys) {
    for (const ThreadKey& key : keys) threads_.push_back(std::make_unique<ThreadLoad>(key));
  }

  void fail(const Error& error) { error_ = error; }

  std::vector<std::unique_ptr<ThreadLoad>> threads_;
  Diagnostics diagnostics_;
  std::optional<Error> error_;
};

}  // namespace cinderscope::spall
