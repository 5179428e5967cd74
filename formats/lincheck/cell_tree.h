// The containers of each thread as the index lists them: found without reading any data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/lincheck/index_cell.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {

// Cells of one thread's containers, in order of their ends: a container comes right behind all that
// is in it. An ordinal is a place in that order.
class ThreadCells {
 public:
  explicit ThreadCells(std::span<const std::byte> index) : index_(index) {}

  void add(std::uint64_t first_cell_at, std::uint64_t count);  // neighbours in the file
  std::uint64_t count() const { return count_; }
  IndexCell at(std::uint64_t ordinal) const;

  // Ordinals of the containers right inside [start, end of ordinal `end`), in order of time; a
  // wrong index gives too few. A container's own are children(cell.start, ordinal).
  std::vector<std::uint64_t> children(std::uint64_t start, std::uint64_t end) const;
  bool has_children(std::uint64_t ordinal) const;

 private:
  struct Run {
    std::uint64_t first = 0;  // ordinal
    std::uint64_t at = 0;     // in the file
  };
  // The first ordinal below `limit` whose container ends at `logical` or later.
  std::uint64_t first_ending_from(std::uint64_t logical, std::uint64_t limit) const;

  std::span<const std::byte> index_;
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
};

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

// Of an index that was rebuilt from these data, which may be cut: by the map of that scan.
std::vector<ThreadCells> cells_of_rebuilt(std::span<const std::byte> index, const TraceMap& map,
                                          const Layout& layout, unsigned jobs);

}  // namespace cinderscope::lincheck
