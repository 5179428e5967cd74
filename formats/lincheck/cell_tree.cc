#include "formats/lincheck/cell_tree.h"

#include <algorithm>
#include <utility>

#include "formats/lincheck/java_reader.h"
#include "ingest/parallel.h"

namespace cinderscope::lincheck {

void ThreadCells::add(std::uint64_t first_cell_at, std::uint64_t count) {
  if (count == 0) return;
  runs_.push_back({count_, first_cell_at});
  count_ += count;
}

IndexCell ThreadCells::at(std::uint64_t ordinal) const {
  const auto after = std::ranges::upper_bound(runs_, ordinal, {}, &Run::first);
  const Run& run = *std::prev(after);
  return read_cell(index_.data() + run.at + (ordinal - run.first) * kCellBytes);
}

std::uint64_t ThreadCells::first_ending_from(std::uint64_t logical, std::uint64_t limit) const {
  const auto ends_before = [&](std::uint64_t ordinal) {
    return static_cast<std::uint64_t>(at(ordinal).end) < logical;
  };
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
  std::uint64_t limit = end;
  while (limit > 0) {
    const IndexCell cell = at(limit - 1);
    if (cell.start < 0 || static_cast<std::uint64_t>(cell.start) < start) break;
    found.push_back(limit - 1);
    limit = first_ending_from(static_cast<std::uint64_t>(cell.start), limit - 1);
  }
  std::ranges::reverse(found);
  return found;
}

bool ThreadCells::has_children(std::uint64_t ordinal) const {
  return ordinal > 0 && at(ordinal - 1).start >= at(ordinal).start;
}

namespace {

// Reads the cells that are no containers; those between them are runs of containers.
class IndexReader {
 public:
  IndexReader(std::span<const std::byte> index, std::span<const std::byte> data,
              const Layout& layout)
      : index_(index), data_(data), layout_(layout) {}

  std::optional<IndexedTrace> read(unsigned jobs) {
    JavaReader header(index_);
    if (static_cast<std::uint64_t>(header.i64()) != kIndexMagic) return std::nullopt;
    if (header.i64() != layout_.version || header.cut()) return std::nullopt;
    const std::uint64_t cell_bytes = index_.size() - kHeaderBytes;
    if (cell_bytes < kCellBytes + kIndexFooterBytes) return std::nullopt;
    count_ = (cell_bytes - kIndexFooterBytes) / kCellBytes;
    if (count_ * kCellBytes + kIndexFooterBytes != cell_bytes) return std::nullopt;
    JavaReader footer(index_, index_.size() - kIndexFooterBytes);
    if (static_cast<std::uint64_t>(footer.i64()) != kIndexMagic) return std::nullopt;

    if (!take_cells(special_cells(jobs)) || !blocks_are_whole()) return std::nullopt;
    return std::move(trace_);
  }

  // Without a look at the data, nor at the index's own header and footer.
  std::vector<ThreadCells> read_rebuilt(const TraceMap& map, unsigned jobs) {
    count_ = (index_.size() - kHeaderBytes) / kCellBytes;
    trace_.map.dump_mode = map.dump_mode;
    trace_.cells.assign(map.threads.size(), ThreadCells(index_));
    std::uint64_t next = 0;
    std::size_t block = 0;
    for (const std::uint64_t i : special_cells(jobs)) {
      if (i > next) runs_.emplace_back(next, i - next);
      next = i + 1;
      if (kind_of(cell(i)) != Kind::block_start) continue;
      if (!map.dump_mode && block > 0) give_runs(map.blocks[block - 1].thread);
      if (map.dump_mode) give_runs(map.blocks[block].thread);
      ++block;
    }
    if (count_ > next) runs_.emplace_back(next, count_ - next);
    if (block > 0) give_runs(map.blocks[block - 1].thread);
    return std::move(trace_.cells);
  }

 private:
  static constexpr std::uint64_t kChunkCells = 1 << 18;

  static std::uint64_t place(std::uint64_t cell) { return kHeaderBytes + cell * kCellBytes; }
  IndexCell cell(std::uint64_t i) const { return read_cell(index_.data() + place(i)); }

  std::vector<std::uint64_t> special_cells(unsigned jobs) const {
    const std::byte container{layout_.byte_of_kind[static_cast<std::size_t>(Kind::trace_point)]};
    std::vector<std::vector<std::uint64_t>> found((count_ + kChunkCells - 1) / kChunkCells);
    parallel_for(found.size(), jobs, [&](std::size_t chunk) {
      const std::uint64_t end = std::min(count_, (chunk + 1) * kChunkCells);
      for (std::uint64_t i = chunk * kChunkCells; i < end; ++i) {
        if (index_[static_cast<std::size_t>(place(i))] != container) found[chunk].push_back(i);
      }
    });
    std::vector<std::uint64_t> all;
    for (const auto& chunk : found) all.insert(all.end(), chunk.begin(), chunk.end());
    return all;
  }

  bool take_cells(const std::vector<std::uint64_t>& special) {
    if (special.empty() || special.back() != count_ - 1) return false;
    if (kind_of(cell(count_ - 1)) != Kind::eof) return false;
    trace_.map.dump_mode = kind_of(cell(0)) != Kind::block_start;
    std::uint64_t next = 0;  // the first cell that was not looked at
    for (const std::uint64_t i : special) {
      if (i > next) runs_.emplace_back(next, i - next);
      next = i + 1;
      const IndexCell at = cell(i);
      const Kind kind = kind_of(at);
      if (kind == Kind::block_start) {
        if (!trace_.map.dump_mode) give_runs();
        if (!add_block(at)) return false;
        if (trace_.map.dump_mode) give_runs();
      } else if (is_reference(kind)) {
        if (!add_reference(at, kind)) return false;
      } else if (kind != Kind::eof || i != count_ - 1) {
        return false;
      }
    }
    if (!trace_.map.dump_mode) give_runs();
    return runs_.empty();
  }

  Kind kind_of(const IndexCell& at) const { return layout_.kind_of_byte[at.kind]; }

  // Runs belong to the block whose cell was the last (or, in a dump, is the next) one.
  void give_runs() {
    if (!trace_.map.blocks.empty()) give_runs(trace_.map.blocks.back().thread);
  }
  void give_runs(std::uint32_t thread) {
    ThreadCells& cells = trace_.cells[thread];
    for (const auto& [first, count] : runs_) cells.add(place(first), count);
    runs_.clear();
  }

  bool data_has(std::int64_t at, std::uint8_t kind) const {
    return at >= 0 && static_cast<std::uint64_t>(at) < data_.size() &&
           data_[static_cast<std::size_t>(at)] == std::byte{kind};
  }

  bool add_block(const IndexCell& at) {
    const std::uint8_t end_kind = layout_.byte_of_kind[static_cast<std::size_t>(Kind::block_end)];
    if (!data_has(at.start, at.kind) || !data_has(at.end, end_kind)) return false;
    if (at.end < at.start + static_cast<std::int64_t>(kBlockStartBytes)) return false;
    const auto begin = static_cast<std::uint64_t>(at.start);
    if (JavaReader(data_, begin + 1).i32() != at.id) return false;
    TraceMap& map = trace_.map;
    const std::uint64_t expected = map.blocks.empty() ? kHeaderBytes : map.blocks.back().end() + 1;
    if (begin != expected) return false;  // blocks follow each other without gaps
    const std::uint32_t thread = map.thread_of(at.id);
    if (thread >= trace_.cells.size()) trace_.cells.emplace_back(index_);
    ThreadStream& stream = map.threads[thread];
    const std::uint64_t size = static_cast<std::uint64_t>(at.end) - begin - kBlockStartBytes;
    stream.blocks.push_back(static_cast<std::uint32_t>(map.blocks.size()));
    map.blocks.push_back({.begin = begin, .size = size, .logical = stream.size, .thread = thread});
    stream.size += size;
    return true;
  }

  bool add_reference(const IndexCell& at, Kind kind) {
    if (!data_has(at.start, at.kind)) return false;
    const std::uint64_t id_at = static_cast<std::uint64_t>(at.start) + 1 +
                                (kind == Kind::code_location && layout_.location_kind ? 1 : 0);
    if (JavaReader(data_, id_at).i32() != at.id) return false;
    trace_.map.references[static_cast<std::size_t>(kind)].set(at.id,
                                                              static_cast<std::uint64_t>(at.start));
    return true;
  }

  bool blocks_are_whole() {
    TraceMap& map = trace_.map;
    map.end = map.blocks.empty() ? kHeaderBytes : map.blocks.back().end() + 1;
    return data_has(static_cast<std::int64_t>(map.end),
                    layout_.byte_of_kind[static_cast<std::size_t>(Kind::eof)]);
  }

  std::span<const std::byte> index_, data_;
  const Layout& layout_;
  std::uint64_t count_ = 0;  // of cells
  IndexedTrace trace_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs_;  // of no block yet: first, count
};

}  // namespace

std::optional<IndexedTrace> read_index(std::span<const std::byte> index,
                                       std::span<const std::byte> data, const Layout& layout,
                                       unsigned jobs) {
  if (index.size() < kHeaderBytes) return std::nullopt;
  return IndexReader(index, data, layout).read(jobs);
}

std::vector<ThreadCells> cells_of_rebuilt(std::span<const std::byte> index, const TraceMap& map,
                                          const Layout& layout, unsigned jobs) {
  return IndexReader(index, {}, layout).read_rebuilt(map, jobs);
}

}  // namespace cinderscope::lincheck
