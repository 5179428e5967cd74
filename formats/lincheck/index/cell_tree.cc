#include "formats/lincheck/index/cell_tree.h"

#include <algorithm>

namespace cinderscope::lincheck {

void ThreadCells::add(std::uint64_t first_cell_at, std::uint64_t count, const Block& block) {
  if (count == 0) return;
  runs_.push_back({count_, first_cell_at, block.payload(), block.logical});
  count_ += count;
}

std::size_t ThreadCells::run_of(std::uint64_t ordinal, std::size_t near) const {
  if (runs_[near].first <= ordinal &&
      (near + 1 == runs_.size() || ordinal < runs_[near + 1].first)) {
    return near;
  }
  const auto after = std::ranges::upper_bound(runs_, ordinal, {}, &Run::first);
  return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

IndexCell ThreadCells::at(std::uint64_t ordinal, std::size_t& near) const {
  near = run_of(ordinal, near);
  const Run& run = runs_[near];
  return read_cell(index_.data() + run.at + (ordinal - run.first) * kCellBytes);
}

std::uint64_t ThreadCells::place(std::uint64_t ordinal, std::size_t& near) const {
  const IndexCell cell = at(ordinal, near);
  if (cell.kind == container_) return static_cast<std::uint64_t>(cell.end);
  const Run& run = runs_[near];
  return static_cast<std::uint64_t>(cell.start) - run.physical_begin + run.logical_begin;
}

std::optional<std::uint64_t> ThreadCells::container_before(std::uint64_t limit,
                                                           std::size_t& near) const {
  while (limit > 0) {
    if (at(--limit, near).kind == container_) return limit;
  }
  return std::nullopt;
}

std::uint64_t ThreadCells::first_ending_from(std::uint64_t logical, std::uint64_t limit,
                                             std::size_t& near) const {
  const auto ends_before = [&](std::uint64_t ordinal) { return place(ordinal, near) < logical; };
  // Most containers hold little, so the place is near the limit.
  std::uint64_t step = 1;
  std::uint64_t low = limit;
  while (low > 0 && !ends_before(low - 1)) {
    limit = low - 1;
    low = low > step ? low - step : 0;
    step *= 2;
  }
  while (low < limit) {
    const std::uint64_t middle = low + (limit - low) / 2;
    if (ends_before(middle)) {
      low = middle + 1;
    } else {
      limit = middle;
    }
  }
  return low;
}

std::vector<std::uint64_t> ThreadCells::children(std::uint64_t start, std::uint64_t end) const {
  // From the last to the first: what ends right before the container's own end is its last child,
  // and what ends before that one's header is the child before it.
  std::vector<std::uint64_t> found;
  std::size_t near = 0;
  for (auto last = container_before(end, near); last;) {
    const IndexCell cell = at(*last, near);
    if (cell.start < 0 || static_cast<std::uint64_t>(cell.start) < start) break;
    found.push_back(*last);
    const std::uint64_t before =
        first_ending_from(static_cast<std::uint64_t>(cell.start), *last, near);
    last = container_before(before, near);
  }
  std::ranges::reverse(found);
  return found;
}

std::optional<std::uint64_t> ThreadCells::last_child(std::uint64_t ordinal) const {
  std::size_t near = 0;
  const auto last = container_before(ordinal, near);
  return last && at(*last, near).start >= at(ordinal).start ? last : std::nullopt;
}

}  // namespace cinderscope::lincheck
