// The direct children of one slice, added up by name.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "ingest/model/slice_set.h"

namespace cinderscope {

struct ChildTotal {
  StringId name = kEmptyString;
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;  // of all durations, each call by itself
  std::int64_t longest_ns = 0;
  SliceRef longest;
};

struct ChildTotals {
  std::vector<ChildTotal> names;  // by total, largest first; equal ones by count, then by id
  std::uint64_t count = 0;        // of all children
  bool on_disk = false;           // some are still on disk and so are not counted
};

// Slices of async tracks have no children. Any thread; incomplete once cancelled. `show_some` gets
// what is known so far every few hundred milliseconds; may be empty.
ChildTotals child_totals(const SliceSet& slices, const SliceRef& of,
                         const std::atomic<bool>& cancelled,
                         const std::function<void(const ChildTotals&)>& show_some = {});

// How many slices child_totals() would go through; at most `most`, which means that or more.
std::uint64_t slices_to_look_at(const SliceSet& slices, const SliceRef& of, std::uint64_t most);

}  // namespace cinderscope
