// A TrackDescriptor, and the older descriptors of processes and threads, as they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cinderscope::perfetto {

struct ProcessDescription {
  bool has_pid = false;
  std::int64_t pid = 0;
  std::string_view name, first_argument;
  std::string labels;
  std::uint64_t chrome_type = 0;
};
struct ThreadDescription {
  bool has_pid = false, has_tid = false;
  std::int64_t pid = 0, tid = 0;
  std::string_view name;
  std::uint64_t chrome_type = 0;
  std::optional<std::int64_t> reference_us;
};
struct CounterDescription {
  enum : std::uint64_t { kThreadTime = 1, kInstructions = 2 };
  std::uint64_t type = 0;
  std::int64_t unit_multiplier = 1;
  std::uint64_t unit = 0;
  std::string_view unit_name;
  bool incremental = false;
};

// Which siblings share one heading, and in which order they come. Other numbers: by name, and as
// they come.
enum : std::uint64_t { kMergeNever = 2, kMergeByKey = 3 };
enum : std::uint64_t { kOrderByName = 1, kOrderByTime = 2, kOrderByRank = 3 };

struct TrackDescriptor {
  bool has_uuid = false;
  std::uint64_t uuid = 0, parent = 0;
  std::string_view name;
  std::uint64_t merging = 0;  // of siblings: a Merging
  std::string merge_key;
  std::uint64_t ordering = 0;                           // of children: an Ordering
  std::int32_t rank = 0;                                // among its siblings
  bool ranks_processes = false, ranks_threads = false;  // of the children of uuid 0
  bool is_state = false;
  std::optional<ProcessDescription> process;
  std::optional<ThreadDescription> thread;
  std::optional<CounterDescription> counter;
};

// false: damaged.
bool read_descriptor(std::string_view body, TrackDescriptor& out);
ProcessDescription read_process_description(std::string_view body);
ThreadDescription read_thread_description(std::string_view body);

}  // namespace cinderscope::perfetto
