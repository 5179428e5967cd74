// The containers of each thread as the index lists them: found without reading any data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/lincheck/index/index_cell.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {

// Cells of one thread's containers, in order of their ends: a container comes right behind all that
// is in it. An ordinal is a place in that order. Cells of reference objects may stand between them,
// so that a whole block can be taken without a look at each cell.
class ThreadCells {
 public:
  ThreadCells(std::span<const std::byte> index, const Layout& layout)
      : index_(index),
        container_(layout.byte_of_kind[static_cast<std::size_t>(Kind::trace_point)]) {}

  // Neighbours in the file. Where reference objects are among them: `block` is the one they and the
  // ends of the containers lie in.
  void add(std::uint64_t first_cell_at, std::uint64_t count, const Block& block = {});
  std::uint64_t count() const { return count_; }  // of ordinals
  IndexCell at(std::uint64_t ordinal) const {
    std::size_t near = 0;
    return at(ordinal, near);
  }
  // Faster for many cells near each other: the caller keeps `near` between the calls, 0 at first.
  IndexCell at(std::uint64_t ordinal, std::size_t& near) const;

  // Ordinals of the containers right inside [start, end of ordinal `end`), in order of time; a
  // wrong index gives too few. A container's own are children(cell.start, ordinal).
  std::vector<std::uint64_t> children(std::uint64_t start, std::uint64_t end) const;
  // The last of a container's own.
  std::optional<std::uint64_t> last_child(std::uint64_t ordinal) const;

 private:
  struct Run {
    std::uint64_t first = 0;  // ordinal
    std::uint64_t at = 0;     // in the file
    // What makes a physical offset in its block a logical one.
    std::uint64_t physical_begin = 0, logical_begin = 0;
  };
  std::size_t run_of(std::uint64_t ordinal, std::size_t near) const;
  // Where a container ends or another object begins, logical: what all cells are ordered by.
  std::uint64_t place(std::uint64_t ordinal, std::size_t& near) const;
  // The last container below `limit`.
  std::optional<std::uint64_t> container_before(std::uint64_t limit, std::size_t& near) const;
  // The first ordinal below `limit` whose place is at `logical` or later.
  std::uint64_t first_ending_from(std::uint64_t logical, std::uint64_t limit,
                                  std::size_t& near) const;

  std::span<const std::byte> index_;
  std::uint8_t container_;  // the kind of their cells
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
};

}  // namespace cinderscope::lincheck
