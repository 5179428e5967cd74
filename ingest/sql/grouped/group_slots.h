// Numbers the groups in the order in which they are met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ingest/sql/grouped/grouped_scan.h"

namespace cinderscope {

inline constexpr std::uint32_t kNoSlot = UINT32_MAX;

struct GroupPlaceHash {
  std::size_t operator()(const GroupPlace& place) const {
    std::uint64_t hash = std::uint64_t{place.row_keys} << 32 | place.name_keys;
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
  }
};
using GroupNumbers = std::unordered_map<GroupPlace, std::uint32_t, GroupPlaceHash>;

// For one thread. What lies along a row has few names and one set of its other keys: these are
// found without a look into the map.
class GroupSlots {
 public:
  // With `known` no others are made: those that are missing have kNoSlot.
  explicit GroupSlots(std::size_t name_keys, const GroupNumbers* known = nullptr)
      : by_name_(name_keys), known_(known) {}

  std::uint32_t slot(GroupPlace place) {
    Found& found = by_name_[place.name_keys];
    if (found.row_keys != place.row_keys) [[unlikely]]
      found = {place.row_keys, look_up(place)};
    return found.slot;
  }
  const std::vector<GroupPlace>& places() const { return places_; }  // by slot

 private:
  struct Found {
    std::uint32_t row_keys = UINT32_MAX, slot = 0;
  };
  std::uint32_t look_up(GroupPlace place) {
    if (known_ != nullptr) {
      const auto found = known_->find(place);
      return found == known_->end() ? kNoSlot : found->second;
    }
    const auto [found, is_new] =
        all_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back(place);
    return found->second;
  }

  std::vector<Found> by_name_;
  const GroupNumbers* known_;
  GroupNumbers all_;
  std::vector<GroupPlace> places_;
};

}  // namespace cinderscope
