#include "formats/lincheck/index/index_reader.h"

#include <algorithm>
#include <utility>

#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/thread_walk.h"
#include "ingest/base/parallel.h"

namespace cinderscope::lincheck {
namespace {

// Reads the cells that are no containers; those between them are runs of containers.
class IndexReader {
 public:
  IndexReader(std::span<const std::byte> index, std::span<const std::byte> data,
              const Layout& layout)
      : index_(index), data_(data), layout_(layout) {}

  std::optional<IndexedTrace> read(unsigned jobs) {
    if (!is_whole()) return std::nullopt;
    if (!take_cells(special_cells(jobs)) || !blocks_are_whole()) return std::nullopt;
    return std::move(trace_);
  }

  std::optional<IndexedTrace> read_outline() {
    if (!is_whole()) return std::nullopt;
    const std::uint64_t end = count_ - 1;
    if (kind_of(cell(end)) != Kind::eof) return std::nullopt;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> cells_of_block;  // first, after the last
    for (std::uint64_t i = 0; i < end;) {
      if (kind_of(cell(i)) != Kind::block_start || !add_block(cell(i))) return std::nullopt;
      const Block& block = trace_.map.blocks.back();
      const std::uint64_t usual =
          cells_of_block.empty() ? 0 : cells_of_block.back().second - cells_of_block.back().first;
      const std::uint64_t next = next_block(i, end, usual);
      trace_.cells[block.thread].add(place(i + 1), next - i - 1, block);
      cells_of_block.emplace_back(i + 1, next);
      i = next;
    }
    if (!blocks_are_whole()) return std::nullopt;
    for (const ThreadStream& stream : trace_.map.threads) {
      for (const std::uint32_t block : {stream.blocks.front(), stream.blocks.back()}) {
        for (auto [i, after] = cells_of_block[block]; i < after; ++i) {
          const IndexCell at = cell(i);
          if (is_reference(kind_of(at)) && !add_reference(at, kind_of(at))) return std::nullopt;
        }
      }
    }
    return std::move(trace_);
  }

  // Without a look at the data, nor at the index's own header and footer.
  std::vector<ThreadCells> read_rebuilt(const TraceMap& map, unsigned jobs) {
    count_ = (index_.size() - kHeaderBytes) / kCellBytes;
    trace_.map.dump_mode = map.dump_mode;
    trace_.cells.assign(map.threads.size(), ThreadCells(index_, layout_));
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

  // Begin and end say what it is, and so many cells fit in.
  bool is_whole() {
    JavaReader header(index_);
    if (static_cast<std::uint64_t>(header.i64()) != kIndexMagic) return false;
    if (header.i64() != layout_.version || header.cut()) return false;
    const std::uint64_t cell_bytes = index_.size() - kHeaderBytes;
    if (cell_bytes < kCellBytes + kIndexFooterBytes) return false;
    count_ = (cell_bytes - kIndexFooterBytes) / kCellBytes;
    if (count_ * kCellBytes + kIndexFooterBytes != cell_bytes) return false;
    JavaReader footer(index_, index_.size() - kIndexFooterBytes);
    return static_cast<std::uint64_t>(footer.i64()) == kIndexMagic;
  }

  // The cell with which the block after the last one begins, or `end`. It is searched for by where
  // the objects of cells lie, which a look at the data tells; should that lead astray, cell by
  // cell.
  std::uint64_t next_block(std::uint64_t block_cell, std::uint64_t end, std::uint64_t usual) const {
    const Block& block = trace_.map.blocks.back();
    constexpr std::uint64_t kFewCells = 256, kFirstStep = 1024;
    const std::uint64_t begin = block.end() + 1;
    if (data_has(static_cast<std::int64_t>(begin),
                 layout_.byte_of_kind[static_cast<std::size_t>(Kind::eof)])) {
      return end;
    }
    const auto is_next = [&](std::uint64_t i) {
      const IndexCell at = cell(i);
      return kind_of(at) == Kind::block_start && static_cast<std::uint64_t>(at.start) == begin;
    };
    const auto next_among = [&](std::uint64_t first,
                                std::uint64_t last) -> std::optional<std::uint64_t> {
      for (std::uint64_t i = first; i <= last; ++i) {
        if (is_next(i)) return i;
      }
      return std::nullopt;
    };
    // Objects are spread about evenly: how far into the block one near its end lies tells how many
    // cells are left.
    const std::uint64_t near_end = block_cell + usual - usual / 16;
    if (near_end < end && is_of(block, cell(near_end))) {
      const auto cells = static_cast<double>(near_end - block_cell);
      const double share = static_cast<double>(into_block(block, cell(near_end)) + 1) /
                           static_cast<double>(block.size);
      const auto guess = block_cell + static_cast<std::uint64_t>(
                                          std::min(cells / share, static_cast<double>(end)));
      const std::uint64_t from = std::max(near_end, guess - std::min(guess, kFewCells));
      if (const auto next = next_among(from, std::min(guess + kFewCells, end - 1))) return *next;
    }
    std::uint64_t low = block_cell, step = std::max(usual, kFirstStep);
    std::uint64_t high = std::min(low + step, end);
    while (high < end && is_of(block, cell(high))) {
      low = high;
      step *= 2;
      high = std::min(low + step, end);
    }
    while (high - low > kFewCells) {
      const std::uint64_t middle = low + (high - low) / 2;
      (is_of(block, cell(middle)) ? low : high) = middle;
    }
    if (const auto next = next_among(low + 1, high)) return *next;
    return next_among(block_cell + 1, end - 1).value_or(end);
  }

  // Where in the block's payload what the cell stands for lies, if it does.
  std::uint64_t into_block(const Block& block, const IndexCell& at) const {
    return is_reference(kind_of(at)) ? static_cast<std::uint64_t>(at.start) - block.payload()
                                     : static_cast<std::uint64_t>(at.end) - block.logical;
  }

  // Of the last block: what the cell stands for lies in it.
  bool is_of(const Block& block, const IndexCell& at) const {
    const Kind kind = kind_of(at);
    const std::uint64_t into = into_block(block, at);
    if (into >= block.size) return false;
    if (is_reference(kind)) return true;
    return kind == Kind::trace_point &&
           data_has(static_cast<std::int64_t>(block.payload() + into),
                    layout_.byte_of_kind[static_cast<std::size_t>(Kind::footer)]) &&
           header_before(data_, layout_, trace_.map, block.thread, at).has_value();
  }

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
    if (thread >= trace_.cells.size()) trace_.cells.emplace_back(index_, layout_);
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

std::optional<IndexedTrace> read_outline(std::span<const std::byte> index,
                                         std::span<const std::byte> data, const Layout& layout) {
  if (index.size() < kHeaderBytes) return std::nullopt;
  return IndexReader(index, data, layout).read_outline();
}

std::vector<ThreadCells> cells_of_rebuilt(std::span<const std::byte> index, const TraceMap& map,
                                          const Layout& layout, unsigned jobs) {
  return IndexReader(index, {}, layout).read_rebuilt(map, jobs);
}

}  // namespace cinderscope::lincheck
