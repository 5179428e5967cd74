#include "render/layout/layout.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>

#include "ingest/base/parallel.h"
#include "render/layout/activity.h"

namespace cinderscope {
namespace {

constexpr float kWantedPx = 4;  // narrower boxes need no children yet

bool before(const SliceRef& a, const SliceRef& b) {
  return std::tie(a.block, a.row, a.slice) < std::tie(b.block, b.row, b.slice);
}

// First all lines are found, then their rows are laid out, by several threads where that is worth
// it, and then what depends on the boxes of a track is added.
class TrackLayout {
 public:
  // `missing` as lay_out_row() has it.
  TrackLayout(const Timeline& timeline, const LayoutWindow& window, std::atomic<bool>* missing,
              Layout& out)
      : timeline_(timeline), window_(window), missing_(missing), out_(out) {}

  void add_lines(const TrackRow& row, double y_px) {
    const Track& track = timeline_.tracks[index(row.track)];
    const double top_px = y_px + row.first_px;
    add_instants(row, track, y_px);
    for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
      if (!track.blocks[b] || (b > 0 && !in_view(*track.blocks[b]))) continue;
      add_block(row, *track.blocks[b], BlockId(b), top_px);
    }
  }

  void lay_out_rows(unsigned jobs) {
    if (out_.line_boxes.size() < out_.lines.size()) out_.line_boxes.resize(out_.lines.size());
    parallel_for(out_.lines.size(), jobs, [this](std::size_t i) {
      Layout::LineRow& line = out_.rows[i];
      out_.line_boxes[i].clear();
      line.covered_px =
          lay_out_row(*line.row, window_.view, *timeline_.strings, out_.line_boxes[i], missing_);
    });
    out_.box_count = 0;
    for (std::size_t i = 0; i < out_.lines.size(); ++i) {
      out_.lines[i].boxes = out_.line_boxes[i];
      out_.box_count += out_.line_boxes[i].size();
    }
  }

  // Lines [first, after) are those of the track.
  float finish(const Track& track, std::size_t first, std::size_t after) {
    bool collected = false;
    double covered_px = -1;  // by its busy row
    for (std::size_t i = first; i < after; ++i) {
      const DrawLine& line = out_.lines[i];
      if (line.instants) continue;
      if (out_.rows[i].row == track.busy_row()) covered_px = out_.rows[i].covered_px;
      const SliceBlock& block = *track.blocks[index(line.block)];
      if (block.deferred.empty()) continue;
      if (!std::exchange(collected, true)) collect_loaded(line.track, track);
      mark_deferred(block, line, out_.line_boxes[i]);
    }
    return busy_of(track, covered_px);
  }

 private:
  bool in_view(const SliceBlock& block) const {
    const auto row_in_view = [this](const std::vector<SliceRow>& rows) {
      if (rows.empty() || rows.front().count() == 0) return false;
      return rows.front().begin_ns(0) <= window_.view.end_ns() &&
             rows.front().chunks.back()->last_end_ns() >= window_.view.begin_ns;
    };
    return row_in_view(block.rows) || row_in_view(block.nested_instants);
  }

  void add_instants(const TrackRow& row, const Track& track, double y_px) {
    if (track.instants.chunks.empty()) return;
    const double centre_px = y_px + (kTrackPadPx + row.first_px) / 2;
    if (centre_px + kInstantRowPx / 2 < 0 || centre_px > window_.height_px + kInstantRowPx / 2) {
      return;
    }
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
    if (!block.nested_instants.empty()) add_nested_instants(row, block, id, base_px);
    if (after <= 0 || first >= rows) return;
    const auto end = static_cast<std::uint32_t>(std::min<double>(after, rows));
    for (auto i = static_cast<std::uint32_t>(std::max(first, 0.0)); i < end; ++i) {
      DrawLine line;
      line.track = row.track;
      line.block = id;
      line.row = i;
      line.y_px = static_cast<float>(base_px + kRowStepPx * i);
      add_line(line, block.rows[i]);
    }
  }

  // The row above must be on screen: they hang from it.
  void add_nested_instants(const TrackRow& row, const SliceBlock& block, BlockId id,
                           double base_px) {
    // Rows below an async slice or a lifetime belong to others.
    const TrackKind kind = timeline_.tracks[index(row.track)].kind;
    const bool in_own_row = kind == TrackKind::async || kind == TrackKind::lifetimes;
    const double lift_px = in_own_row ? kRowStepPx - kRowPx + kStepPx : 0;
    const double first = std::floor(-base_px / kRowStepPx);
    const double after = std::ceil((window_.height_px - base_px) / kRowStepPx) + 1;
    if (after <= 0 || row.shown_depth < block.base_depth) return;
    const auto rows = static_cast<double>(std::min<std::size_t>(
        block.nested_instants.size(), std::size_t{row.shown_depth} - block.base_depth + 1));
    const auto end = static_cast<std::uint32_t>(std::min(after, rows));
    for (auto i = static_cast<std::uint32_t>(std::max(first, 0.0)); i < end; ++i) {
      if (block.nested_instants[i].chunks.empty()) continue;
      DrawLine line;
      line.track = row.track;
      line.block = id;
      line.row = i;
      line.instants = true;
      line.on_slices = in_own_row;
      line.y_px = static_cast<float>(base_px + kRowStepPx * i - lift_px);
      add_line(line, block.nested_instants[i]);
    }
  }

  void add_line(const DrawLine& line, const SliceRow& row) {
    if (!line.instants) ++out_.slice_lines;
    out_.lines.push_back(line);
    out_.rows.push_back({&row});
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

  // Marks boxes of a line whose children are not here yet.
  void mark_deferred(const SliceBlock& block, const DrawLine& line, std::vector<DrawBox>& boxes) {
    const auto begin = block.deferred.begin();
    const auto end = block.deferred.end();
    for (DrawBox& box : boxes) {
      if (box.thin() || box.width_px < kWantedPx) continue;
      const auto found = std::lower_bound(begin, end, std::pair(line.row, box.first),
                                          [](const DeferredChildren& d, const auto& key) {
                                            return std::pair(d.row, d.slice) < key;
                                          });
      if (found == end || found->row != line.row || found->slice != box.first) continue;
      const SliceRef slice{line.track, line.block, line.row, box.first};
      const auto loaded =
          std::ranges::lower_bound(out_.parents, slice, before, &Layout::LoadedParent::slice);
      const auto loaded_end =
          std::ranges::upper_bound(out_.parents, slice, before, &Layout::LoadedParent::slice);
      std::uint64_t children = 0;
      for (auto part = loaded; part != loaded_end; ++part) children += part->children;
      if (loaded == loaded_end) {
        box.flags |= kChildrenMissing;
      } else if (children >= found->count) {
        continue;
      }
      out_.wanted.push_back(slice);
    }
  }

  // Its busy row may be scrolled away while deeper ones are visible, or be none that is drawn.
  float busy_of(const Track& track, double covered_px) const {
    if (track.busy_row() == nullptr) return 0;
    if (covered_px < 0) {
      std::vector<DrawBox> unseen;
      covered_px =
          lay_out_row(*track.busy_row(), window_.view, *timeline_.strings, unseen, missing_);
    }
    return static_cast<float>(
        std::min(covered_px / static_cast<double>(window_.view.width_px), 1.0));
  }

  const Timeline& timeline_;
  const LayoutWindow& window_;
  std::atomic<bool>* missing_;
  Layout& out_;
};

std::optional<VisibleRow> sticky_head(const TrackList& tracks, const LayoutWindow& window,
                                      const std::vector<VisibleRow>& visible) {
  if (visible.empty() || tracks.groups().empty()) return std::nullopt;
  const std::vector<TrackRow>& rows = tracks.rows();
  const TrackList::Span group = tracks.group_rows(visible.front().index);
  if (group.first == 0 || rows[group.first - 1].kind != TrackRow::Kind::head) return std::nullopt;
  const std::size_t head = group.first - 1;
  if (rows[head].y_px >= window.scroll_px) return std::nullopt;  // it stands in its own place
  const double next_px = group.end < rows.size() ? rows[group.end].y_px : tracks.height_px();
  const double y_px = std::min(next_px - window.scroll_px - rows[head].height_px, 0.0);
  return VisibleRow{head, static_cast<float>(y_px), 0};
}

void add_activities(const Timeline& timeline, const TrackList& tracks, const LayoutWindow& window,
                    std::atomic<bool>* missing, Layout& out) {
  // Heads share what can be read closely in a frame.
  std::size_t all = 1;
  for (const VisibleRow& visible : out.visible) {
    all += tracks.members(tracks.rows()[visible.index]).size();
  }
  const auto add = [&](const VisibleRow& visible, std::span<const std::uint32_t> members) {
    out.covered.assign(static_cast<std::size_t>(std::max(window.view.width_px, 0.0f)), 0);
    const std::size_t closely = 1 + members.size() * kReadClosely / std::max(all, kReadClosely);
    add_activity(timeline, members, closely, window.view, out.covered, missing);
    out.activities.push_back({visible.index, visible.y_px, busy_bytes(out.covered)});
  };
  for (const VisibleRow& visible : out.visible) {
    const TrackRow& row = tracks.rows()[visible.index];
    if (!row.collapsed) continue;
    if (row.kind == TrackRow::Kind::head) {
      add(visible, tracks.members(row));
    } else if (row.kind == TrackRow::Kind::slices) {
      // Its one row tells all where slices nest.
      const std::uint32_t track = index(row.track);
      if (!timeline.tracks[track].covered.chunks.empty()) add(visible, {&track, 1});
    }
  }
}

}  // namespace

unsigned jobs_for(const Layout& layout, unsigned jobs) {
  // Less than half a millisecond's work is done before others are awake.
  constexpr std::size_t kFewBoxes = 8000;
  return layout.box_count < kFewBoxes ? 1 : jobs;
}

namespace {

// Adds a line for each stretch of visible rows that the instants of a track of marks belong to.
void lay_out_wide(const Timeline& timeline, const TrackList& tracks, const LayoutWindow& window,
                  std::atomic<bool>* missing, Layout& out) {
  out.wide.clear();
  const std::vector<TrackId>& marks = tracks.marks();
  if (out.wide_boxes.size() < marks.size()) out.wide_boxes.resize(marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Track& track = timeline.tracks[index(marks[i])];
    out.wide_boxes[i].clear();
    const std::size_t first = out.wide.size();
    for (const VisibleRow& visible : out.visible) {
      const TrackRow& row = tracks.rows()[visible.index];
      const bool of_all = row.track != kNoTrack && timeline.tracks[index(row.track)].global;
      if (!track.global && (of_all || row.process != track.process)) continue;
      const auto end_px = visible.y_px + static_cast<float>(row.height_px);
      if (out.wide.size() > first && out.wide.back().y1_px == visible.y_px) {
        out.wide.back().y1_px = end_px;
      } else {
        out.wide.push_back({marks[i], visible.y_px, end_px, {}});
      }
    }
    if (out.wide.size() == first) continue;
    lay_out_row(track.instants, window.view, *timeline.strings, out.wide_boxes[i], missing);
    for (std::size_t k = first; k < out.wide.size(); ++k) out.wide[k].boxes = out.wide_boxes[i];
  }
}

}  // namespace

void lay_out(const Timeline& timeline, const TrackList& tracks, const LayoutWindow& window,
             unsigned jobs, Layout& out, bool waits) {
  jobs = jobs_for(out, jobs);
  std::atomic<bool> any_missing{false};
  std::atomic<bool>* const missing = waits ? nullptr : &any_missing;
  out.lines.clear();
  out.rows.clear();
  out.visible.clear();
  out.wanted.clear();
  out.slice_lines = 0;
  ++out.version;
  TrackLayout layout(timeline, window, missing, out);
  const std::vector<TrackRow>& rows = tracks.rows();
  out.activities.clear();
  std::size_t i = tracks.row_at(std::max(window.scroll_px, 0.0));
  for (; i < rows.size() && rows[i].y_px < window.scroll_px + window.height_px; ++i) {
    VisibleRow visible{i, static_cast<float>(rows[i].y_px - window.scroll_px), 0};
    if (rows[i].kind == TrackRow::Kind::slices) layout.add_lines(rows[i], visible.y_px);
    out.visible.push_back(visible);
  }
  out.sticky = sticky_head(tracks, window, out.visible);
  add_activities(timeline, tracks, window, missing, out);
  layout.lay_out_rows(jobs);
  lay_out_wide(timeline, tracks, window, missing, out);
  std::size_t first = 0;
  for (VisibleRow& visible : out.visible) {
    const TrackRow& row = rows[visible.index];
    if (row.kind != TrackRow::Kind::slices) continue;
    std::size_t after = first;
    while (after < out.lines.size() && out.lines[after].track == row.track) ++after;
    visible.busy = layout.finish(timeline.tracks[index(row.track)], first, after);
    first = after;
  }
  out.missing = any_missing;
}

}  // namespace cinderscope
