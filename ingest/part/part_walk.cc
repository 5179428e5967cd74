#include "ingest/part/part_walk.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "ingest/base/saturating.h"
#include "ingest/part/block_cursor.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kPieceChildren = 4096;  // where a source takes any number

}  // namespace

PartReader::Walk::Walk(PartReader& of, const PartTrack& what, PartVisitor& to,
                       const PartPiece& piece)
    : reader_(of),
      part_(what),
      visitor_(to),
      options_(of.options_),
      slices_(slices_of(of.timeline_, what.id)),
      original_(slices_.tolerance_ns),
      written_(slices_.tolerance_ns) {
  scope_.begin_ns = options_.from;
  scope_.end_ns = options_.to;
  if (slices_.blocks.size() > 1) slices_.blocks.resize(1);  // others are read here
  const std::int64_t from_ns = std::max(options_.from, piece.from_ns);
  const std::int64_t to_ns = std::min(options_.to, piece.to_ns);
  const auto add = [&](const SliceRow& row) {
    const std::uint64_t first = from_ns == INT64_MIN ? 0 : row.lower_bound(from_ns);
    const std::uint64_t end = to_ns == INT64_MAX ? row.count() : row.lower_bound(to_ns);
    if (first < end) marks_.push_back({&row, first, end});
  };
  add(slices_.instants);
  if (!slices_.blocks.empty()) {
    for (const SliceRow& row : slices_.blocks.front()->nested_instants) add(row);
  }
  const auto first = std::ranges::lower_bound(of.points_, what.id, {}, &Point::track);
  points_ = {first, std::ranges::upper_bound(of.points_, what.id, {}, &Point::track)};
  const auto point_at = [this](std::int64_t time_ns) {
    return std::ranges::lower_bound(points_, time_ns, {}, &Point::time_ns);
  };
  if (!piece.is_last()) points_ = {points_.begin(), point_at(piece.to_ns)};
  if (!piece.is_first()) points_ = {point_at(piece.from_ns), points_.end()};
}

Result<bool> PartReader::Walk::run() {
  std::atomic<bool> ended = false;  // by a cancel or the visitor
  if (!slices_.blocks.empty()) {
    const SliceBlock& block = *slices_.blocks.front();
    walk_calls(slices_, scope_, ended, [&](const WalkedCall& call) {
      if (ended) return;
      const Slice slice = block.rows[call.slice.row].slice(call.slice.slice);
      const bool deep = is_too_deep(slice);
      take(slice);
      if (!block.deferred.empty() && !deep && overlaps_range(slice)) {
        const DeferredChildren* children =
            children_of(block.deferred, call.slice.row, call.slice.slice);
        if (children != nullptr) read_children(*children);
      }
      if (stopped()) ended = true;
    });
  }
  return finish();
}

// A piece is of a track whose slices nest, all of them in memory.
Result<bool> PartReader::Walk::run(const PartPiece& piece) {
  const SliceBlock& block = *slices_.blocks.front();
  Scope inside = scope_;
  inside.begin_ns = std::max(scope_.begin_ns, piece.from_ns);
  inside.end_ns = std::min(scope_.end_ns, piece.to_ns);
  std::vector<BlockCursor> cursors;
  cursors.reserve(block.rows.size());
  std::vector<walk::OpenCall> open;
  for (std::uint32_t row = 0; row < block.rows.size(); ++row) {
    RowSegment segment = segment_of(block.rows[row], inside);
    const bool goes_on = !piece.is_first() && segment.first < segment.end &&
                         block.rows[row].begin_ns(segment.first) < piece.from_ns;
    if (goes_on) {
      const Slice slice = block.rows[row].slice(segment.first++);
      open.push_back({slice.begin_ns, std::min(slice.end_ns(), inside.end_ns)});
      PartSlice out;
      const bool is_written = describe(slice, out);
      if (visitor_.wants_numbers()) out.number = number_of(row, segment.first - 1);
      if (is_written) visitor_.open(out);
    }
    cursors.emplace_back(block.rows[row], SliceRef{part_.id, BlockId{}, row, segment.first},
                         block.base_depth + row, segment.end);
  }
  bool going = true;
  walk::walk_nested(
      cursors, inside, reader_.context_->cancel_flag(),
      [&](const WalkedCall& call) {
        if (!going) return;
        take(cursors[call.slice.row].taken());
        going = visitor_.goes_on();
      },
      std::move(open));
  return finish();
}

// By begin as far as it is in the scope, then by row.
std::uint64_t PartReader::Walk::number_of(std::uint32_t row, std::uint64_t slice) const {
  const std::vector<SliceRow>& block = slices_.blocks.front()->rows;
  const std::int64_t begin_ns = std::max(block[row].begin_ns(slice), scope_.begin_ns);
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    const std::uint64_t first = segment_of(block[i], scope_).first;
    if (i == row) {
      number += slice - first;
    } else if (i < row || begin_ns > scope_.begin_ns) {
      number += block[i].lower_bound(i < row ? saturating_sum(begin_ns, 1) : begin_ns) - first;
    }
  }
  return number;
}

// Marks and points behind the last slice.
Result<bool> PartReader::Walk::finish() {
  if (error_) return *error_;
  if (stopped()) return false;
  take_points(INT64_MAX);
  take_marks(INT64_MAX);
  return !stopped();
}

bool PartReader::Walk::stopped() const {
  return error_ || reader_.context_->cancelled() || !visitor_.goes_on();
}

bool PartReader::Walk::overlaps_range(const Slice& slice) const {
  return slice.begin_ns < options_.to &&
         (slice.end_ns() > options_.from || slice.begin_ns >= options_.from);
}

bool PartReader::Walk::is_too_deep(const Slice& slice) const {
  if (options_.depth == 0) return false;
  std::size_t depth = 0;
  for (const auto& around : original_.all()) {
    if (around.end <= slice.begin_ns || around.end < slice.end_ns() - slices_.tolerance_ns) break;
    ++depth;
  }
  return depth + 1 >= options_.depth;
}

// Where the slice is written, and how it was cut; false: it is not.
bool PartReader::Walk::cut(const Slice& slice, PartSlice& out) {
  out.begin_ns = out.whole_begin_ns = slice.begin_ns;
  out.end_ns = out.whole_end_ns = slice.end_ns();
  out.unfinished = (slice.flags & kUnfinished) != 0;
  if ((slice.flags & (kCutBegin | kCutEnd)) != 0) {
    out.cut_begin = (slice.flags & kCutBegin) != 0;
    out.cut_end = (slice.flags & kCutEnd) != 0;
    if (reader_.source_ != nullptr) {
      const RecordText text = reader_.source_->describe(slice.record, slice.end_record);
      if (text.cut) {
        out.whole_begin_ns = text.cut->begin_ns;
        out.whole_end_ns = saturating_sum(text.cut->begin_ns, text.cut->duration_ns);
      }
    }
  }
  if (!overlaps_range(slice)) return false;
  const bool before = slice.begin_ns < options_.from;
  const bool behind = slice.end_ns() > options_.to;
  if (options_.edges == RangeEdges::drop && (before || behind)) return false;
  if (options_.edges == RangeEdges::cut) {
    if (before) {
      out.begin_ns = options_.from;
      out.cut_begin = true;
    }
    if (behind) {
      out.end_ns = options_.to;
      out.cut_end = out.cut_end || !out.unfinished;
    }
  }
  return saturating_difference(out.end_ns, out.begin_ns) >= options_.min_duration;
}

void PartReader::Walk::take(const Slice& slice) {
  if (!points_.empty()) take_points(slice.begin_ns);
  if (!marks_.empty()) take_marks(slice.begin_ns);
  PartSlice out;
  if (describe(slice, out)) visitor_.slice(out);
}

// False: it is not written. Slices come in order.
bool PartReader::Walk::describe(const Slice& slice, PartSlice& out) {
  if (options_.depth > 0) {
    original_.narrow(slice.begin_ns, slice.end_ns());
    const std::size_t depth = original_.depth();
    original_.add(slice.begin_ns, slice.end_ns(), {});
    if (depth >= options_.depth) return false;
  }
  if (!cut(slice, out)) return false;
  const std::string_view name = reader_.text(slice.name);
  if (options_.names != nullptr && !options_.names->keeps(name)) return false;
  out.name_id = slice.name;
  out.name = options_.names == nullptr ? name : options_.names->changed(name);
  out.record = slice.record;
  out.end_record = slice.end_record;
  written_.narrow(out.begin_ns, out.end_ns);
  out.depth = static_cast<std::uint32_t>(written_.depth());
  if (slices_.has_overlaps) {
    const OverlapRows::Place place = rows_.add(out.begin_ns, out.end_ns, slices_.tolerance_ns);
    out.overlap_row = place.row;
    out.nested_end_ns = place.end;
  } else {
    const auto* around = written_.innermost();
    out.nested_end_ns = around == nullptr ? out.end_ns : std::min(out.end_ns, around->end);
  }
  written_.add(out.begin_ns, out.end_ns, {});
  if (part_.kind == TrackKind::async) out.group = group_of(slice, true);
  out.begin_ns = saturating_difference(out.begin_ns, reader_.shift_ns_);
  out.end_ns = saturating_difference(out.end_ns, reader_.shift_ns_);
  out.nested_end_ns = saturating_difference(out.nested_end_ns, reader_.shift_ns_);
  return true;
}

// Slices of one id are a group; where the format tells no ids each is one of its own.
std::uint64_t PartReader::Walk::group_of(const Slice& slice, bool may_be_new) {
  if (reader_.source_ != nullptr) {
    const RecordText text = reader_.source_->describe(slice.record, slice.end_record);
    std::string key;
    for (const auto& [name, value] : text.facts) {
      if (name == "id" || name == "id2" || name == "scope")
        key.append(name).append(1, '\n').append(value).append(1, '\n');
    }
    if (!key.empty()) {
      key += text.category;
      const auto [found, is_new] = groups_.try_emplace(std::move(key), group_count_ + 1);
      group_count_ += is_new ? 1 : 0;
      return found->second;
    }
  }
  return may_be_new ? ++group_count_ : 0;
}

void PartReader::Walk::hand_out(const Slice& mark) {
  const std::string_view name = reader_.text(mark.name);
  if (options_.names != nullptr && !options_.names->keeps(name)) return;
  PartInstant out{saturating_difference(mark.begin_ns, reader_.shift_ns_), mark.name,
                  options_.names == nullptr ? name : options_.names->changed(name), mark.record};
  if (part_.kind == TrackKind::async) out.group = group_of(mark, false);
  visitor_.instant(out);
}

void PartReader::Walk::take_marks(std::int64_t before_ns) {
  for (;;) {
    Marks* first = nullptr;
    std::int64_t first_ns = before_ns;
    for (Marks& row : marks_) {
      if (row.next == row.end) continue;
      const std::int64_t time_ns = row.row->begin_ns(row.next);
      if (time_ns < first_ns || (before_ns == INT64_MAX && first == nullptr)) {
        first = &row;
        first_ns = time_ns;
      }
    }
    if (first == nullptr) return;
    hand_out(first->row->slice(first->next++));
  }
}

void PartReader::Walk::take_points(std::int64_t before_ns) {
  while (!points_.empty() && (points_.front().time_ns < before_ns || before_ns == INT64_MAX)) {
    const Point& point = points_.front();
    take_marks(saturating_sum(point.time_ns, 1));
    points_ = points_.subspan(1);
    visitor_.flow_point({saturating_difference(point.time_ns, reader_.shift_ns_), point.flow,
                         reader_.name_of(StringId{point.name}), point.place, point.to_next});
  }
}

const DeferredChildren* PartReader::Walk::children_of(const std::vector<DeferredChildren>& deferred,
                                                      std::uint32_t row,
                                                      std::uint64_t slice) const {
  const auto found = std::ranges::lower_bound(
      deferred, std::pair(row, slice), {},
      [](const DeferredChildren& entry) { return std::pair(entry.row, entry.slice); });
  const bool hit = found != deferred.end() && found->row == row && found->slice == slice;
  return hit ? &*found : nullptr;
}

// Depth first with a stack of our own; of each level one piece is kept.
void PartReader::Walk::read_children(const DeferredChildren& children) {
  const auto frame_of = [](const DeferredChildren& of) {
    Frame frame;
    frame.query = {.source_key = of.source_key, .source = of.source};
    frame.left = of.count;
    frame.all_at_once = of.count == 0;
    frame.query.count = of.piece_children;
    return frame;
  };
  std::vector<Frame> stack;
  stack.push_back(frame_of(children));
  while (!stack.empty() && !stopped()) {
    Frame& frame = stack.back();
    if (frame.next == frame.items.size()) {
      if (!next_piece(frame)) stack.pop_back();
      continue;
    }
    const Item item = frame.items[frame.next++];
    if (item.is_mark) {
      hand_out(frame.piece.nested_instants[item.row].slice(item.slice));
      continue;
    }
    const Slice slice = frame.piece.rows[item.row].slice(item.slice);
    const bool deep = is_too_deep(slice);
    take(slice);
    if (deep || !overlaps_range(slice)) continue;
    const DeferredChildren* inner = children_of(frame.piece.deferred, item.row, item.slice);
    if (inner != nullptr) stack.push_back(frame_of(*inner));
  }
}

// False: all children were read.
bool PartReader::Walk::next_piece(Frame& frame) {
  if (reader_.source_ == nullptr) return false;
  const auto load = [&](const ChildQuery& query) -> std::optional<LoadedChildren> {
    Result<LoadedChildren> loaded = cinderscope::read_children(
        *reader_.source_, query, *reader_.timeline_.strings, *reader_.context_);
    if (!loaded) {
      error_ = loaded.error();
      return std::nullopt;
    }
    return std::move(*loaded);
  };
  if (frame.left == kNotCounted) {
    ChildQuery query = frame.query;
    query.count = 0;
    query.only_count = true;
    const auto counted = load(query);
    if (!counted) return false;
    frame.left = counted->count;
    frame.query.count = counted->piece_children;
    frame.all_at_once = false;
  }
  if (frame.left == 0 && !frame.all_at_once) return false;
  ChildQuery query = frame.query;
  query.count = 0;
  if (!frame.all_at_once) {
    query.count = std::min(frame.left, frame.query.count == 0 ? kPieceChildren : frame.query.count);
    frame.left -= query.count;
    frame.query.first += query.count;
  }
  frame.all_at_once = false;
  auto piece = load(query);
  if (!piece) return false;
  frame.piece = std::move(*piece);
  frame.items.clear();
  frame.next = 0;
  const auto list = [&](const std::vector<SliceRow>& of, bool are_marks) {
    for (std::uint32_t row = 0; row < of.size(); ++row) {
      for (std::uint64_t i = 0; i < of[row].count(); ++i) {
        const std::int64_t begin_ns = of[row].begin_ns(i);
        if (are_marks && !reader_.is_in(begin_ns)) continue;
        frame.items.push_back({begin_ns, are_marks ? 0 : row, are_marks, i});
        if (are_marks) frame.items.back().row = row;
      }
    }
  };
  list(frame.piece.rows, false);
  list(frame.piece.nested_instants, true);
  // By time; callers first, marks behind the slices that begin with them.
  std::ranges::sort(frame.items, [](const Item& a, const Item& b) {
    return std::tuple(a.time_ns, a.is_mark, a.row, a.slice) <
           std::tuple(b.time_ns, b.is_mark, b.row, b.slice);
  });
  return true;
}

}  // namespace cinderscope
