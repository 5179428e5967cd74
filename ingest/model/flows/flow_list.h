// Flows: the name of each and where its points begin, in as few bits as these need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ingest/model/columns/narrow_numbers.h"
#include "ingest/model/ids.h"

namespace cinderscope {

struct Flow {
  StringId name = kEmptyString;
  std::uint32_t first_point = 0;
  bool by_bind_id = false;
};

class FlowList {
 public:
  FlowList() = default;
  explicit FlowList(std::span<const Flow> flows);

  std::size_t size() const { return first_point_.size(); }
  Flow operator[](std::size_t i) const {
    return {StringId{static_cast<std::uint32_t>(name_[i])}, first_point(i), by_bind_id_[i] != 0};
  }
  std::uint32_t first_point(std::size_t i) const {
    return static_cast<std::uint32_t>(first_point_[i]);
  }
  // The last one that begins at this point or before it.
  std::uint32_t flow_of(std::uint64_t point) const;
  std::size_t kept_bytes() const {
    return name_.kept_bytes() + first_point_.kept_bytes() + by_bind_id_.kept_bytes();
  }

 private:
  NarrowNumbers name_, first_point_, by_bind_id_;
};

}  // namespace cinderscope
