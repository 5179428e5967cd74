// The instants nested directly in one call, in time order, for Details.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// Holds indices only, so it stays valid as long as its references do. Any thread.
class NestedInstants {
 public:
  NestedInstants() = default;
  NestedInstants(const Timeline& timeline, const SliceRef& call);

  std::uint64_t count() const { return count_; }
  bool complete() const { return complete_; }  // false: some are still on disk
  InstantRef at(std::uint64_t i) const;        // i < count(); O(log count)

 private:
  // Neighbouring instants of one row.
  struct Run {
    InstantRef first;
    std::uint64_t before = 0;  // instants in the runs before
  };
  void add(const SliceRow& row, InstantRef first, std::int64_t begin_ns, std::int64_t end_ns);

  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
  bool complete_ = true;
};

}  // namespace cinderscope
