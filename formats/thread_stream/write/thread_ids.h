// Numbers of threads for a file that has u64 alone.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace cinderscope::thread_stream {

// Of decimal texts; "7#2" is the second thread 7, which readers number again.
std::optional<std::uint64_t> thread_number(std::string_view text);

// Others are numbered from 2^32 on.
class ThreadIds {
 public:
  // First all texts, then numbers are given.
  void note(std::string_view text) {
    if (const auto number = thread_number(text)) taken_.insert(*number);
  }
  std::uint64_t id_of(std::string_view text) {
    const auto number = thread_number(text);
    return number ? *number : new_id();
  }
  std::uint64_t new_id() {
    while (!taken_.insert(next_).second) ++next_;
    return next_;
  }

 private:
  std::set<std::uint64_t> taken_;
  std::uint64_t next_ = std::uint64_t{1} << 32;
};

}  // namespace cinderscope::thread_stream
