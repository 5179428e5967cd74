#include "formats/lincheck/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "formats/lincheck/index/index_cell.h"
#include "formats/lincheck/objects.h"

namespace cinderscope::lincheck {
namespace {

struct OpenContainer {
  std::uint64_t start = 0;  // logical, behind the header
  std::int32_t event = 0;
  PointClass point = PointClass::call;
};

class Scan {
 public:
  Scan(const Bytes& data, const Layout& layout, const ScanOptions& options)
      : data_(data), layout_(layout), options_(options) {}

  TraceMap run() {
    std::uint64_t at = kHeaderBytes;
    bytes_ = data_(kHeaderBytes);
    while (!over_) {
      const std::uint64_t window_end = at + options_.window_bytes;
      if (bytes_.size() < window_end + kAheadBytes) bytes_ = data_(window_end + kAheadBytes);
      JavaReader in(bytes_, at);
      while (in.at() < window_end && !over_) {
        at = in.at();
        step(in);
        if (!in.cut()) {
          at = in.at();
          continue;
        }
        if (over_) break;  // damage was found before the end
        if (!read_on()) {
          end_of_bytes(at);
        } else {
          in = JavaReader(bytes_, at);
        }
      }
      at = in.cut() ? at : in.at();
      if (options_.tick && !options_.tick(at)) over_ = true;
    }
    map_.has_counts = true;
    return std::move(map_);
  }

 private:
  static constexpr std::uint64_t kAheadBytes = 1024;  // most objects are shorter

  // More bytes than there were; false if there are no more.
  bool read_on() {
    const std::size_t had = bytes_.size();
    bytes_ = data_(had + std::max<std::uint64_t>(options_.window_bytes, had / 2));
    return bytes_.size() > had;
  }

  // Changes nothing that counts before the object is known to be whole.
  void step(JavaReader& in) {
    const std::uint64_t at = in.at();
    const std::uint8_t byte = in.u8();
    if (in.cut()) return;
    const Kind kind = layout_.kind_of_byte[byte];
    if (!in_block_) {
      if (kind == Kind::eof) {
        finish(at);
      } else if (kind == Kind::block_start) {
        begin_block(in, at);
      } else {
        damaged(at, fmt::format("A block is expected and a byte {} found", byte));
      }
      return;
    }
    if (kind == Kind::trace_point) {
      add_point(in, at);
    } else if (kind == Kind::footer) {
      add_footer(in, at);
    } else if (is_reference(kind)) {
      add_reference(in, at, kind);
    } else if (kind == Kind::block_end) {
      close_block(at);
    } else {
      damaged(at, fmt::format("There is no object of kind {} in a block", byte));
    }
  }

  void begin_block(JavaReader& in, std::uint64_t at) {
    const std::int32_t id = in.i32();
    if (in.cut()) return;
    thread_ = map_.thread_of(id);
    if (thread_ >= open_.size()) open_.resize(std::size_t{thread_} + 1);
    map_.blocks.push_back({.begin = at,
                           .logical = map_.threads[thread_].size,
                           .clock = clock_.latest(),
                           .thread = thread_});
    in_block_ = true;
    if (map_.blocks.size() == 1) {
      map_.dump_mode = options_.dump_mode.value_or(starts_a_dump(in, id));
    }
    if (!options_.cells) return;
    // The recorder shifts the meaningless ends of objects from -1 as it does with those of points.
    shift_ = static_cast<std::int64_t>(at + kBlockStartBytes - map_.threads[thread_].size);
    cells_.clear();
    if (!map_.dump_mode) add_cell(Kind::block_start, id, static_cast<std::int64_t>(at), 0);
  }

  // Dumps begin with the thread's name; those who record while running write it last.
  bool starts_a_dump(JavaReader in, std::int32_t id) const {
    return layout_.kind_of_byte[in.u8()] == Kind::thread_name && in.i32() == id && !in.cut();
  }

  void close_block(std::uint64_t at) {
    Block& block = map_.blocks.back();
    block.size = at - block.payload();
    map_.threads[thread_].size += block.size;
    map_.threads[thread_].blocks.push_back(static_cast<std::uint32_t>(map_.blocks.size() - 1));
    in_block_ = false;
    if (!options_.cells) return;
    const IndexCell cell{layout_.byte_of_kind[static_cast<std::size_t>(Kind::block_start)],
                         map_.threads[thread_].id, static_cast<std::int64_t>(block.begin),
                         static_cast<std::int64_t>(at)};
    if (map_.dump_mode) {
      append_cell(cells_, cell);
    } else {
      write_cell(cells_.data(), cell);
    }
    options_.cells(cells_);
    cells_.clear();
  }

  void add_reference(JavaReader& in, std::uint64_t at, Kind kind) {
    std::int32_t id = 0;
    const bool known = skip_reference(in, layout_, kind, id);
    if (in.cut()) return;
    if (!known) return damaged(at, "A type in a descriptor is of no known kind");
    map_.references[static_cast<std::size_t>(kind)].set(id, at);
    if (options_.cells) add_cell(kind, id, static_cast<std::int64_t>(at), shift_ - 1);
  }

  void add_point(JavaReader& in, std::uint64_t at) {
    PointHead head;
    std::int32_t first = 0;
    if (!read_head(in, layout_, head)) return damaged(at, "A trace point is of no known class");
    if (in.cut()) return;
    const bool known = skip_body(in, layout_, head.point, first);
    if (in.cut()) return;
    if (!known) return damaged(at, "A value in a trace point is of no known kind");
    clock_.number(head.event);
    map_.is_diff |= head.diff_status >= 0;
    PointCounts& counts = map_.counts;
    if (!is_container(head.point)) {
      ++counts.leaves;
      counts.snapshots += head.point == PointClass::snapshot ? 1 : 0;
      return;
    }
    counts.calls += head.point == PointClass::call ? 1 : 0;
    counts.loops += head.point == PointClass::loop ? 1 : 0;
    counts.iterations += head.point == PointClass::iteration ? 1 : 0;
    open_[thread_].push_back({logical(in.at()), head.event, head.point});
  }

  void add_footer(JavaReader& in, std::uint64_t at) {
    std::vector<OpenContainer>& open = open_[thread_];
    if (open.empty()) return damaged(at, "An end has no call or loop to close");
    bool unfinished = false;
    const bool known = skip_footer(in, layout_, open.back().point, unfinished);
    if (in.cut()) return;
    if (!known) return damaged(at, "A value in the end of a call is of no known kind");
    if (options_.cells) {
      add_cell(Kind::trace_point, open.back().event, static_cast<std::int64_t>(open.back().start),
               static_cast<std::int64_t>(logical(at)));
    }
    open.pop_back();
  }

  std::uint64_t logical(std::uint64_t physical) const {
    return physical - map_.blocks.back().payload() + map_.blocks.back().logical;
  }

  void add_cell(Kind kind, std::int32_t id, std::int64_t start, std::int64_t end) {
    append_cell(cells_, {layout_.byte_of_kind[static_cast<std::size_t>(kind)], id, start, end});
  }

  void finish(std::uint64_t at) {
    over_ = true;
    map_.end = at;
  }

  void damaged(std::uint64_t at, const std::string& what) {
    if (in_block_) close_block(at);
    map_.diagnostics.count(
        diagnostic::kDataDamaged, static_cast<std::int64_t>(at),
        fmt::format("{} at byte {}; nothing behind it can be read, all before it is shown.", what,
                    at));
    finish(at);
  }

  void end_of_bytes(std::uint64_t at) {
    if (in_block_) {
      close_block(at);
      map_.diagnostics.count(diagnostic::kTruncatedBlock, static_cast<std::int64_t>(at));
    } else {
      map_.diagnostics.count(diagnostic::kNoEndMark, static_cast<std::int64_t>(at));
    }
    finish(at);
  }

  const Bytes& data_;
  const Layout& layout_;
  const ScanOptions& options_;
  std::span<const std::byte> bytes_;
  TraceMap map_;
  EventClock clock_;
  std::vector<std::vector<OpenContainer>> open_;  // by thread
  std::uint32_t thread_ = 0;
  bool in_block_ = false, over_ = false;
  std::int64_t shift_ = 0;
  std::vector<std::byte> cells_;
};

}  // namespace

TraceMap scan(const Bytes& data, const Layout& layout, const ScanOptions& options) {
  return Scan(data, layout, options).run();
}

}  // namespace cinderscope::lincheck
