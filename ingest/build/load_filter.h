// Which part of a trace a load keeps, for traces that do not fit into memory as a whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// Slices that overlap [from, to), in the axis' unit, absolute; instants and counter values in it.
// All threads, or those whose id is listed, as TID or PID/TID. What is left out is counted.
struct LoadFilter {
  std::int64_t from = INT64_MIN, to = INT64_MAX;
  std::vector<std::string> threads;

  bool is_all() const { return from == INT64_MIN && to == INT64_MAX && threads.empty(); }
  bool has_time(std::int64_t time) const { return time >= from && time < to; }
  // Half open; one of no length counts where it begins.
  bool has_slice(std::int64_t begin, std::int64_t end) const {
    return begin < to && (end > from || begin >= from);
  }
  bool has_thread(std::string_view pid, std::string_view tid) const {
    return threads.empty() || std::any_of(threads.begin(), threads.end(), [&](const auto& thread) {
             return thread == tid || thread == std::string(pid).append("/").append(tid);
           });
  }
};

}  // namespace cinderscope
