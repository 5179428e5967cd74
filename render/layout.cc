#include "render/layout.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cinderscope {
namespace {

constexpr float kWantedPx = 4;  // narrower boxes need no children yet

bool before(const SliceRef& a, const SliceRef& b) {
  return std::tie(a.block, a.row, a.slice) < std::tie(b.block, b.row, b.slice);
}

class TrackLayout {
 public:
  TrackLayout(const Timeline& timeline, const LayoutWindow& window, Layout& out)
      : timeline_(timeline), window_(window), out_(out) {}

  void add(const TrackRow& row, VisibleRow& visible) {
    const Track& track = timeline_.tracks[index(row.track)];
    const double top_px = visible.y_px + kTrackPadPx;
    outermost_px_ = -1;
    add_instants(row, track, top_px);
    collect_loaded(row.track, track);
    for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
      if (!track.blocks[b] || (b > 0 && !in_view(*track.blocks[b]))) continue;
      add_block(row, *track.blocks[b], BlockId(b), top_px);
    }
    visible.busy = busy_of(track);
  }

 private:
  bool in_view(const SliceBlock& block) const {
    const auto row_in_view = [this](const std::vector<SliceRow>& rows) {
      if (rows.empty() || rows.front().count() == 0) return false;
      return rows.front().begin_ns(0) <= window_.view.end_ns() &&
             rows.front().chunks.back()->last_end_ns() >= window_.view.begin_ns;
    };
    return row_in_view(block.rows) || row_in_view(block.marks);
  }

  void add_instants(const TrackRow& row, const Track& track, double top_px) {
    if (track.instants.chunks.empty()) return;
    const double centre_px = top_px - kDiamondRisePx;
    if (centre_px + kDiamondPx < 0 || centre_px - kDiamondPx > window_.height_px) return;
    DrawLine line;
    line.track = row.track;
    line.instants = true;
    line.y_px = static_cast<float>(centre_px);
    add_line(line, track.instants);
  }

  void add_block(const TrackRow& row, const SliceBlock& block, BlockId id, double top_px) {
    // Only the rows that are on screen are looked at: a track may have a million.
    const double base_px = top_px + kRowStepPx * block.base_depth;
    const double first = std::floor(-base_px / kRowStepPx);
    const double after = std::ceil((window_.height_px - base_px) / kRowStepPx);
    const std::uint32_t shown =
        row.shown_depth > block.base_depth ? row.shown_depth - block.base_depth : 0;
    const auto rows = static_cast<std::uint32_t>(std::min<std::size_t>(block.rows.size(), shown));
    if (!block.marks.empty()) add_marks(row, block, id, base_px);
    if (after <= 0 || first >= rows) return;
    const auto end = static_cast<std::uint32_t>(std::min<double>(after, rows));
    for (auto i = static_cast<std::uint32_t>(std::max(first, 0.0)); i < end; ++i) {
      DrawLine line;
      line.track = row.track;
      line.block = id;
      line.row = i;
      line.y_px = static_cast<float>(base_px + kRowStepPx * i);
      add_line(line, block.rows[i]);
      if (!block.deferred.empty()) mark_deferred(block);
    }
  }

  // The row above must be on screen: they hang from it.
  void add_marks(const TrackRow& row, const SliceBlock& block, BlockId id, double base_px) {
    const double first = std::floor(-base_px / kRowStepPx);
    const double after = std::ceil((window_.height_px - base_px) / kRowStepPx) + 1;
    if (after <= 0 || row.shown_depth < block.base_depth) return;
    const auto rows = static_cast<double>(std::min<std::size_t>(
        block.marks.size(), std::size_t{row.shown_depth} - block.base_depth + 1));
    const auto end = static_cast<std::uint32_t>(std::min(after, rows));
    for (auto i = static_cast<std::uint32_t>(std::max(first, 0.0)); i < end; ++i) {
      if (block.marks[i].chunks.empty()) continue;
      DrawLine line;
      line.track = row.track;
      line.block = id;
      line.row = i;
      line.instants = true;
      line.y_px = static_cast<float>(base_px + kRowStepPx * i);
      add_line(line, block.marks[i]);
    }
  }

  void add_line(DrawLine line, const SliceRow& row) {
    line.first_box = out_.boxes.size();
    const double covered_px = lay_out_row(row, window_.view, *timeline_.strings, out_.boxes);
    if (!line.instants && line.block == BlockId{} && line.row == 0) outermost_px_ = covered_px;
    line.box_count = out_.boxes.size() - line.first_box;
    if (!line.instants) ++out_.slice_lines;
    out_.lines.push_back(line);
  }

  void collect_loaded(TrackId id, const Track& track) {
    out_.parents.clear();
    for (std::size_t b = 1; b < track.blocks.size(); ++b) {
      if (!track.blocks[b]) continue;
      const SliceBlock& block = *track.blocks[b];
      out_.parents.push_back(
          {{id, block.parent_block, block.parent_row, block.parent_slice}, block.child_count});
    }
    std::ranges::sort(out_.parents, before, &Layout::LoadedParent::slice);
  }

  // Marks boxes of the last line whose children are not here yet.
  void mark_deferred(const SliceBlock& block) {
    const DrawLine& line = out_.lines.back();
    const auto begin = block.deferred.begin();
    const auto end = block.deferred.end();
    for (std::size_t i = line.first_box; i < line.first_box + line.box_count; ++i) {
      DrawBox& box = out_.boxes[i];
      if (box.thin() || box.width_px < kWantedPx) continue;
      const auto found = std::lower_bound(begin, end, std::pair(line.row, box.first),
                                          [](const DeferredChildren& d, const auto& key) {
                                            return std::pair(d.row, d.slice) < key;
                                          });
      if (found == end || found->row != line.row || found->slice != box.first) continue;
      const SliceRef slice{line.track, line.block, line.row, box.first};
      const auto loaded =
          std::ranges::equal_range(out_.parents, slice, before, &Layout::LoadedParent::slice);
      std::uint64_t children = 0;
      for (const Layout::LoadedParent& part : loaded) children += part.children;
      if (loaded.empty()) {
        box.flags |= kChildrenMissing;
      } else if (children >= found->count) {
        continue;
      }
      out_.wanted.push_back(slice);
    }
  }

  // Its outermost row may be scrolled away while deeper ones are visible.
  float busy_of(const Track& track) const {
    if (track.blocks.empty() || track.root().rows.empty()) return 0;
    double covered_px = outermost_px_;
    if (covered_px < 0) {
      const std::size_t boxes = out_.boxes.size();
      covered_px =
          lay_out_row(track.root().rows.front(), window_.view, *timeline_.strings, out_.boxes);
      out_.boxes.resize(boxes);
    }
    return static_cast<float>(
        std::min(covered_px / static_cast<double>(window_.view.width_px), 1.0));
  }

  const Timeline& timeline_;
  const LayoutWindow& window_;
  Layout& out_;
  double outermost_px_ = -1;  // covered by the current track's outermost row; < 0: not laid out
};

}  // namespace

void lay_out(const Timeline& timeline, const TrackList& tracks, const LayoutWindow& window,
             Layout& out) {
  out.lines.clear();
  out.boxes.clear();
  out.visible.clear();
  out.wanted.clear();
  out.slice_lines = 0;
  ++out.version;
  TrackLayout layout(timeline, window, out);
  const std::vector<TrackRow>& rows = tracks.rows();
  std::size_t i = tracks.row_at(std::max(window.scroll_px, 0.0));
  for (; i < rows.size() && rows[i].y_px < window.scroll_px + window.height_px; ++i) {
    VisibleRow visible{i, static_cast<float>(rows[i].y_px - window.scroll_px), 0};
    if (rows[i].kind == TrackRow::Kind::slices) layout.add(rows[i], visible);
    out.visible.push_back(visible);
  }
}

Hit hit_at(const Layout& layout, double x_px, double y_px) {
  constexpr double kReachPx = 2;
  constexpr double kFarPx = 1e9;
  Hit hit;
  double nearest_px = kReachPx + 0.001;
  for (const DrawLine& line : layout.lines) {
    const bool diamonds = line.instants && !line.marks();
    const double top_px = diamonds ? line.y_px - kDiamondPx - 0.5 : line.y_px;
    const double height_px = diamonds ? 2 * kDiamondPx + 1 : line.instants ? kMarkDropPx : kRowPx;
    if (y_px < top_px || y_px >= top_px + height_px) continue;
    const auto begin = layout.boxes.begin() + static_cast<std::ptrdiff_t>(line.first_box);
    const auto end = begin + static_cast<std::ptrdiff_t>(line.box_count);
    auto after = std::upper_bound(begin, end, x_px, [](double x, const DrawBox& box) {
      return x < static_cast<double>(box.x_px);
    });
    // The boxes around the place; two to the left, since a column may begin within a wide box.
    for (auto box = after - std::min<std::ptrdiff_t>(after - begin, 2); box != end && box <= after;
         ++box) {
      const auto left_px = static_cast<double>(box->x_px);
      const double right_px = left_px + static_cast<double>(box->width_px);
      double distance_px = std::max({left_px - x_px, x_px - right_px, 0.0});
      // A mark is pointed at more exactly than the box below it, which has room elsewhere.
      if (line.instants) distance_px = std::abs(x_px - left_px) > kDiamondPx ? kFarPx : -1;
      if (distance_px >= nearest_px) continue;
      nearest_px = distance_px;
      hit = {};
      if (line.instants) {
        hit.instant = {line.track, box->first, line.block, line.row};
        hit.instant_count = box->count;
      } else if (box->merged()) {
        hit.merged = MergedSlices{line.track, line.block, line.row, box->first, box->count};
      } else {
        hit.slice = {line.track, line.block, line.row, box->first};
      }
    }
  }
  return hit;
}

const SliceRow* row_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  return block == nullptr ? nullptr : &block->rows[ref.row];
}

std::optional<MergedTotal> total_of(const Timeline& timeline, const MergedSlices& merged) {
  constexpr std::uint64_t kMaxSlices = 1'000'000;
  const SliceRow* row = row_of(timeline, {merged.track, merged.block, merged.row, merged.first});
  if (row == nullptr) return std::nullopt;
  const std::uint64_t there = std::min(merged.count, row->count() - merged.first);
  const std::uint64_t end = merged.first + std::min(there, kMaxSlices);
  MergedTotal total;
  total.complete = there <= kMaxSlices;
  total.begin_ns = row->begin_ns(merged.first);
  std::int64_t longest_ns = -1;
  for (std::uint64_t i = merged.first; i < end; ++i) {
    const std::int64_t duration_ns = row->duration_ns(i);
    if (__builtin_add_overflow(total.duration_ns, duration_ns, &total.duration_ns)) {
      total.duration_ns = INT64_MAX;
    }
    if (duration_ns > longest_ns) {
      longest_ns = duration_ns;
      total.longest = i;
    }
  }
  total.end_ns = row->end_ns(end - 1);
  return total;
}

}  // namespace cinderscope
