// The processes and threads of a trace, as far as anything names them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope::perfetto {

inline constexpr std::uint32_t kNone = 0xffffffffu;

// Of the names that somebody gives, the one of highest rank; of equals the last in the file.
struct BestName {
  int rank = 0;
  std::uint64_t place = 0;
  std::string text;
  void offer(int new_rank, std::uint64_t at, std::string_view name);
};
enum : int {
  kCommandLineName = 0,
  kCommName = 1,
  kTreeThreadName = 2,
  kTypeThreadName = 3,
  kDescribedThreadName = 4,
  kTypeProcessName = 1,
  kDescribedProcessName = 2,
  kRendererProcessName = 3,
  kTreeProcessName = 4,
};

struct ProcessEntry {
  std::uint64_t machine = 0;
  std::int64_t pid = 0;
  bool is_global = false;  // stands for what belongs to no process
  bool described = false;  // by a descriptor of its own
  std::uint64_t place = 0;
  BestName name;
  std::string labels;
  std::int32_t rank = 0;
};
struct ThreadEntry {
  std::uint32_t process = kNone;
  std::int64_t tid = 0;
  bool has_tid = true;
  bool described = false;
  std::uint64_t place = 0;
  BestName name;
  std::int32_t rank = 0;
};

// A pid or tid may be used again; what only tells the number is then about the one that was
// described last before it. Any thread.
class Owners {
 public:
  // A descriptor of its own, in the order of the file: tells of the one that was only named so far,
  // else of another one.
  std::uint32_t describe_process(std::uint64_t machine, std::int64_t pid, std::uint64_t place);
  std::uint32_t describe_thread(std::uint32_t process, std::int64_t tid, std::uint64_t place);
  void put_thread(std::int64_t tid, std::int64_t pid, std::uint64_t machine);

  std::uint32_t process_at(std::uint64_t machine, std::int64_t pid, std::uint64_t place);
  std::uint32_t thread_at(std::uint64_t machine, std::int64_t pid, std::int64_t tid,
                          std::uint64_t place);
  // Events that tell a process, but no thread.
  std::uint32_t thread_without_id(std::uint32_t process, std::uint64_t place);
  // The process that a thread is known to belong to; false if none is.
  bool pid_of(std::uint64_t machine, std::int64_t tid, std::int64_t& pid);
  std::int64_t pid_of_thread(std::uint32_t thread);
  std::uint32_t process_of_thread(std::uint32_t thread);
  void move_thread(std::uint32_t thread, std::uint32_t process);
  // Of a thread of which only its own id is known.
  std::uint32_t thread_of_unknown(std::uint64_t machine, std::int64_t tid, std::uint64_t place);
  std::uint32_t global_process(std::uint64_t place);
  std::uint32_t unknown_process(
      std::uint64_t place);  // of threads that belong to nobody knows whom

  void name_process(std::uint32_t process, int rank, std::uint64_t place, std::string_view name);
  void name_thread(std::uint32_t thread, int rank, std::uint64_t place, std::string_view name);
  // A thread of any process.
  void name_tid(std::uint64_t machine, std::int64_t tid, std::uint64_t place,
                std::string_view comm);
  ProcessEntry& process(std::uint32_t i) { return processes_[i]; }
  ThreadEntry& thread(std::uint32_t i) { return threads_[i]; }

  // Loader thread, while nobody else asks: gives those that are new their ids, by their places.
  void add_to(TimelineBuilder& out);
  void tell_names(TimelineBuilder& out, bool by_rank_processes, bool by_rank_threads) const;
  ProcessId process_id(std::uint32_t i) const { return process_ids_[i]; }
  ThreadId thread_id(std::uint32_t i) const { return thread_ids_[i]; }
  std::size_t thread_count() const { return threads_.size(); }

 private:
  using Key = std::tuple<std::uint64_t, std::int64_t>;
  std::uint32_t add_process(ProcessEntry entry, std::uint64_t place);
  std::uint32_t add_thread(ThreadEntry entry, std::uint64_t place);
  std::uint32_t process_of(std::uint64_t machine, std::int64_t pid, std::uint64_t place);

  std::mutex mutex_;
  std::deque<ProcessEntry> processes_;
  std::deque<ThreadEntry> threads_;
  std::map<Key, std::vector<std::uint32_t>> by_pid_;
  std::map<std::tuple<std::uint64_t, std::int64_t, std::int64_t>, std::vector<std::uint32_t>>
      by_tid_;
  std::map<Key, std::int64_t> pid_of_tid_;
  std::map<Key, BestName> comms_;                      // by tid
  std::map<std::uint32_t, std::uint32_t> without_id_;  // by process
  std::uint32_t global_ = kNone, unknown_ = kNone;
  std::vector<ProcessId> process_ids_;
  std::vector<ThreadId> thread_ids_;
};

}  // namespace cinderscope::perfetto
