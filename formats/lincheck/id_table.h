// Values by the ids of a trace: dense as a rule, anything in a damaged file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cinderscope::lincheck {

template <class T>
class IdTable {
 public:
  explicit IdTable(T none = T{}) : none_(none) {}

  void set(std::int32_t id, T value) {
    if (id < 0) return;
    const auto at = static_cast<std::size_t>(id);
    ++set_;
    if (at >= dense_.size() && at < kSpread * (set_ + kSpread)) dense_.resize(at + 1, none_);
    if (at < dense_.size()) {
      dense_[at] = value;
    } else {
      sparse_[id] = value;
    }
  }
  T find(std::int32_t id) const {
    if (id >= 0 && static_cast<std::size_t>(id) < dense_.size()) {
      const T value = dense_[static_cast<std::size_t>(id)];
      if (value != none_ || sparse_.empty()) return value;
    }
    if (sparse_.empty()) return none_;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? none_ : found->second;
  }
  // In no order that means anything.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < dense_.size(); ++i) {
      if (dense_[i] != none_) visit(static_cast<std::int32_t>(i), dense_[i]);
    }
    for (const auto& [id, value] : sparse_) {
      if (static_cast<std::size_t>(id) >= dense_.size()) visit(id, value);
    }
  }

 private:
  static constexpr std::size_t kSpread = 8;  // of ids: so many places are kept for each one set

  T none_;
  std::size_t set_ = 0;
  std::vector<T> dense_;
  std::unordered_map<std::int32_t, T> sparse_;
};

}  // namespace cinderscope::lincheck
