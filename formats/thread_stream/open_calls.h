// The calls of one stream that are open, by what their exits name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cinderscope::thread_stream {

// Keys of different families never match.
inline std::uint64_t site_key(std::uint32_t site) {
  return site;
}
inline std::uint64_t address_key(std::uint64_t address) {  // 48 bits
  return std::uint64_t{1} << 48 | address;
}
inline std::uint64_t managed_key(std::uint16_t ordinal, std::uint32_t token) {
  return std::uint64_t{2} << 48 | std::uint64_t{ordinal} << 32 | token;
}

// Nearly all exits close the innermost call. Once one does not, open calls are counted by key for
// as many events as that cost, so that an exit of none costs the same at any depth.
class OpenCalls {
 public:
  void push(std::uint64_t key) {
    keys_.push_back(key);
    if (counting_) [[unlikely]]
      count(key);
  }
  std::size_t depth() const { return keys_.size(); }
  // Something is open.
  void pop() {
    if (counting_) [[unlikely]]
      uncount(keys_.back());
    keys_.pop_back();
  }
  bool innermost_is(std::uint64_t key) const { return !keys_.empty() && keys_.back() == key; }
  // How many calls lie above the innermost of this key; SIZE_MAX if none has it.
  std::size_t above(std::uint64_t key) {
    start_counting();
    const auto found = counts_.find(key);
    if (found == counts_.end()) return SIZE_MAX;
    std::size_t at = keys_.size() - 1;
    while (keys_[at] != key) --at;  // all of these are closed with it
    return keys_.size() - 1 - at;
  }
  void clear() {
    keys_.clear();
    stop_counting();
  }

 private:
  void start_counting() {
    events_left_ = 64 + 4 * keys_.size();
    if (counting_) return;
    counting_ = true;
    for (const std::uint64_t key : keys_) ++counts_[key];
  }
  void stop_counting() {
    counting_ = false;
    counts_ = {};
  }
  void count(std::uint64_t key) {
    ++counts_[key];
    if (--events_left_ == 0) stop_counting();
  }
  void uncount(std::uint64_t key) {
    const auto found = counts_.find(key);
    if (--found->second == 0) counts_.erase(found);
    if (--events_left_ == 0) stop_counting();
  }

  std::vector<std::uint64_t> keys_;
  bool counting_ = false;
  std::size_t events_left_ = 0;  // until counting stops
  std::unordered_map<std::uint64_t, std::size_t> counts_;
};

}  // namespace cinderscope::thread_stream
