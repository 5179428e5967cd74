// Reads an index file: all of it, or just what the outer levels of a trace need.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "formats/lincheck/index/cell_tree.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {

// What a healthy index says. Its containers are believed until they are looked at; all else is
// checked against the data here.
struct IndexedTrace {
  TraceMap map;
  std::vector<ThreadCells> cells;  // by thread
};
// nullopt if anything in it is wrong. `jobs` threads help.
std::optional<IndexedTrace> read_index(std::span<const std::byte> index,
                                       std::span<const std::byte> data, const Layout& layout,
                                       unsigned jobs);

// Just so much of it as the outer levels need: blocks, the roots of the threads, and the objects of
// each thread's first and last block. Where blocks begin is searched for, so that the time goes by
// their number, not by that of the cells; what is used is checked, the rest is not looked at.
// nullopt also where only a look at all cells helps: the index of a dump.
std::optional<IndexedTrace> read_outline(std::span<const std::byte> index,
                                         std::span<const std::byte> data, const Layout& layout);

// Of an index that was rebuilt from these data, which may be cut: by the map of that scan.
std::vector<ThreadCells> cells_of_rebuilt(std::span<const std::byte> index, const TraceMap& map,
                                          const Layout& layout, unsigned jobs);

}  // namespace cinderscope::lincheck
