// What belongs to an id: ids are any number, nearly always small ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cinderscope::thread_stream {

template <class T>
class IdMap {
 public:
  // Those below are looked up without hashing.
  static constexpr std::uint32_t kNear = 1u << 16;

  const T* find(std::uint32_t id) const {
    if (id < near_.size()) return known_[id] ? &near_[id] : nullptr;
    const auto found = far_.find(id);
    return found == far_.end() ? nullptr : &found->second;
  }
  void set(std::uint32_t id, const T& value) {
    if (id >= kNear) {
      far_.insert_or_assign(id, value);
      return;
    }
    if (id >= near_.size()) {
      near_.resize(id + 1);
      known_.resize(id + 1);
    }
    count_ += known_[id] ? 0 : 1;
    known_[id] = true;
    near_[id] = value;
  }
  std::size_t count() const { return count_ + far_.size(); }
  template <class Use>
  void for_each(Use use) const {
    for (std::uint32_t id = 0; id < near_.size(); ++id) {
      if (known_[id]) use(id, near_[id]);
    }
    for (const auto& [id, value] : far_) use(id, value);
  }
  std::uint64_t kept_bytes() const {
    return near_.capacity() * sizeof(T) + far_.size() * (sizeof(T) + 4 * sizeof(void*));
  }

 private:
  std::vector<T> near_;
  std::vector<bool> known_;
  std::size_t count_ = 0;
  std::unordered_map<std::uint32_t, T> far_;
};

}  // namespace cinderscope::thread_stream
