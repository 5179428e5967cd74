#include "formats/lincheck/thread_walk.h"

#include <algorithm>
#include <utility>

namespace cinderscope::lincheck {

ThreadWalk::ThreadWalk(std::span<const std::byte> data, const Layout& layout, const TraceMap& map,
                       std::uint32_t thread)
    : data_(data),
      layout_(layout),
      map_(map),
      stream_(map.threads[thread]),
      in_(std::span<const std::byte>()) {
  enter_block(0);
}

bool ThreadWalk::enter_block(std::size_t block) {
  block_ = block;
  if (block_ >= stream_.blocks.size()) {
    in_ = JavaReader(std::span<const std::byte>());
    return false;
  }
  const Block& entered = map_.blocks[stream_.blocks[block_]];
  const std::uint64_t end = std::min<std::uint64_t>(entered.end(), data_.size());
  in_ = JavaReader(data_.first(static_cast<std::size_t>(end)), entered.payload());
  return true;
}

std::uint64_t ThreadWalk::logical() const {
  if (block_ >= stream_.blocks.size()) return stream_.size;
  const Block& block = map_.blocks[stream_.blocks[block_]];
  return in_.at() - block.payload() + block.logical;
}

void ThreadWalk::seek(std::uint64_t logical, std::vector<PointClass> inside) {
  inside_ = std::move(inside);
  if (!go_to(logical)) failed_ = true;
}

bool ThreadWalk::go_to(std::uint64_t logical) {
  // An offset at the end of a block is the beginning of the next one; empty ones are stepped over.
  const auto after =
      std::ranges::upper_bound(stream_.blocks, logical, {},
                               [this](std::uint32_t block) { return map_.blocks[block].logical; });
  if (after == stream_.blocks.begin()) return false;
  enter_block(static_cast<std::size_t>(after - stream_.blocks.begin()) - 1);
  const Block& block = map_.blocks[stream_.blocks[block_]];
  const std::uint64_t into = logical - block.logical;
  in_.skip(into);
  return into <= block.size && !in_.cut();
}

bool ThreadWalk::jump_to_footer(std::uint64_t footer_logical) {
  const std::size_t block = block_;
  const JavaReader in = in_;
  if (go_to(footer_logical) && in_.left() > 0 &&
      layout_.kind_of_byte[JavaReader(in_).u8()] == Kind::footer) {
    return true;
  }
  block_ = block;
  in_ = in;
  return false;
}

bool ThreadWalk::next(WalkStep& step) {
  while (!failed_) {
    if (in_.left() == 0) {
      if (!enter_block(block_ + 1)) return false;
      continue;
    }
    step.at = in_.at();
    const Kind kind = layout_.kind_of_byte[in_.u8()];
    if (kind == Kind::trace_point) {
      step.is_footer = false;
      if (!read_head(in_, layout_, step.head)) return fail();
      step.body_at = in_.at();
      if (!skip_body(in_, layout_, step.head.point, step.first_id) || in_.cut()) return fail();
      if (is_container(step.head.point)) inside_.push_back(step.head.point);
      step.logical = logical();
      return true;
    }
    if (kind == Kind::footer) {
      if (inside_.empty()) return false;
      step.is_footer = true;
      step.head.point = inside_.back();
      step.body_at = in_.at();
      step.logical = logical() - 1;
      inside_.pop_back();
      if (!skip_footer(in_, layout_, step.head.point, step.unfinished) || in_.cut()) return fail();
      return true;
    }
    std::int32_t id = 0;
    if (!is_reference(kind) || !skip_reference(in_, layout_, kind, id) || in_.cut()) return fail();
  }
  return false;
}

std::optional<std::uint64_t> header_before(std::span<const std::byte> data, const Layout& layout,
                                           const TraceMap& map, std::uint32_t thread,
                                           const IndexCell& cell) {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 16;
  constexpr std::uint64_t kEventAt = 10, kShortest = kEventAt + 4;  // kind, class, location, thread
  const std::vector<std::uint32_t>& blocks = map.threads[thread].blocks;
  if (cell.start < static_cast<std::int64_t>(kShortest)) return std::nullopt;
  // A header lies in one block, which may end with it.
  const std::uint64_t last_byte = static_cast<std::uint64_t>(cell.start) - 1;
  const auto after = std::ranges::upper_bound(
      blocks, last_byte, {}, [&](std::uint32_t block) { return map.blocks[block].logical; });
  if (after == blocks.begin()) return std::nullopt;
  const Block& block = map.blocks[*std::prev(after)];
  const std::uint64_t into = last_byte - block.logical + 1;
  const std::uint64_t end = block.payload() + into;
  if (into > block.size || end > data.size() || into < kShortest) return std::nullopt;
  const std::byte point{layout.byte_of_kind[static_cast<std::size_t>(Kind::trace_point)]};
  const std::uint64_t first = end - std::min(into, kLongest);
  int left_to_parse = 64;  // more look alike in damage only
  for (std::uint64_t at = end - kShortest + 1; at-- > first && left_to_parse > 0;) {
    if (data[static_cast<std::size_t>(at)] != point) continue;
    JavaReader in(data.first(static_cast<std::size_t>(end)), at + kEventAt);
    if (in.i32() != cell.id) continue;
    --left_to_parse;
    in = JavaReader(data.first(static_cast<std::size_t>(end)), at + 1);
    PointHead head;
    std::int32_t id = 0;
    if (read_head(in, layout, head) && is_container(head.point) &&
        skip_body(in, layout, head.point, id) && !in.cut() && in.at() == end) {
      return at - block.payload() + block.logical;
    }
  }
  return std::nullopt;
}

}  // namespace cinderscope::lincheck
