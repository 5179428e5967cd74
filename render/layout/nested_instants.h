// The instants that lie right inside one call, in order: what Details lists.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

class NestedInstants {
 public:
  NestedInstants() = default;
  NestedInstants(const Timeline& timeline, const SliceRef& call);

  std::uint64_t count() const { return count_; }
  bool complete() const { return complete_; }  // false: some are still on disk
  InstantRef at(std::uint64_t i) const;        // i < count()

 private:
  // Neighbours in one row.
  struct Part {
    InstantRef first;
    std::uint64_t before = 0;  // in the parts before
  };
  void add(const SliceRow& row, InstantRef first, std::int64_t begin_ns, std::int64_t end_ns);

  std::vector<Part> parts_;
  std::uint64_t count_ = 0;
  bool complete_ = true;
};

}  // namespace cinderscope
