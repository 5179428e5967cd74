#include "render/views/timeline/tooltip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ingest/model/measure/negative_weight.h"
#include "ingest/model/measure/sample_runs.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/totals/counter_sums.h"
#include "render/text/counter_text.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

constexpr float kMaxWidthPx = 520;

std::string begin_text(const Canvas& canvas, std::int64_t time_ns) {
  return place_text(time_ns, timestamp_format(canvas.frame.timeline, canvas.frame.state));
}

// Self time takes a look at every child; with very many the pointer would stutter. One row is
// walked at some hundred million slices a second, several rows have to be sorted.
bool self_is_cheap(const Timeline& timeline, const SliceRef& ref, const Slice& slice) {
  constexpr std::uint64_t kMaxWalked = 2'000'000, kMaxSorted = 100'000;
  constexpr std::size_t kMaxRows = 2'000;
  const SliceBlock* block = block_of(timeline, ref);
  const Track& track = timeline.tracks[index(ref.track)];
  if (track.has_overlaps && block->rows.size() > kMaxRows) return false;
  const bool walked = !track.has_overlaps && track.blocks.size() == 1;
  const std::uint64_t most = walked ? kMaxWalked : kMaxSorted;
  std::uint64_t children = 0;
  const std::size_t first = track.has_overlaps ? 0 : std::size_t{ref.row} + 1;
  for (std::size_t row = first; row < block->rows.size(); ++row) {
    const SliceRow& below = block->rows[row];
    children += below.lower_bound(slice.end_ns()) - below.lower_bound(slice.begin_ns);
    if (!track.has_overlaps || children > most) break;
  }
  return children <= most;
}

// What an instant is called on its track.
struct InstantWords {
  std::string one;
  const char* many;
};

InstantWords words_of(const Track& track) {
  switch (track.kind) {
    case TrackKind::async:
      return {"step ", "steps"};
    case TrackKind::lifetimes:
      return {"seen ", "times"};
    case TrackKind::marks:
      return {track.global ? "global instant " : "process instant ", "instants"};
    default:
      return {"instant ", "instants"};
  }
}

}  // namespace

void Tooltip::note(std::string text) {
  Line& line = lines_.emplace_back();
  line.note = std::move(text);
}

void Tooltip::add_slice(const Canvas& canvas, const SliceRef& ref) {
  const Timeline& timeline = canvas.frame.timeline;
  if (block_of(timeline, ref) == nullptr) return;
  const Slice slice = slice_at(timeline, ref);
  title_ = drawable_name(display_label(timeline, slice.name));
  std::string dim;
  const bool nests = slices_nest(timeline.tracks[index(ref.track)]);
  if (nests && self_is_cheap(timeline, ref, slice)) {
    dim = "self " + length_text(self_ns(timeline, ref), timeline.axis) + "   ";
  }
  dim += begin_text(canvas, slice.begin_ns);
  lines_.push_back({length_text(slice.duration_ns, timeline.axis), dim});
  const ProcessPauses* pauses = pauses_of(timeline, ref.track);
  const std::int64_t paused_ns =
      pauses == nullptr ? 0 : pauses->within(slice.begin_ns, slice.end_ns());
  if (paused_ns > 0 && timeline.tracks[index(ref.track)].kind != TrackKind::async) {
    note("of it paused: " + length_text(paused_ns, timeline.axis));
  }
  if ((slice.flags & kUnfinished) != 0) note("No end event; shown to the end of the thread");
  if ((slice.flags & (kCutBegin | kCutEnd)) != 0) note("Cut: the rest is not in this part");
  if ((slice.flags & kOverlapping) != 0) note("Overlaps an earlier call; drawn on its own row");
  if ((slice.flags & kNegative) != 0) note("Its weight is below 0; it is as wide as without sign");
}

void Tooltip::add_merged(const Canvas& canvas, const MergedSlices& merged) {
  const Timeline& timeline = canvas.frame.timeline;
  const std::optional<MergedTotal> total = total_of(timeline, merged, false);
  const SliceRef first{merged.track, merged.block, merged.row, merged.first};
  const SliceRow* row = row_of(timeline, first);
  if (!total || row == nullptr) return;
  title_ = count_text(merged.count) + (counts_runs(timeline) ? " runs" : " calls");
  const std::string sum = length_text(total->duration_ns, timeline.axis);
  const std::string at = begin_text(canvas, total->begin_ns);
  lines_.push_back({total->complete ? sum : "over " + sum, "total   " + at});
  lines_.push_back({length_text(row->duration_ns(total->longest), timeline.axis), "longest"});
  note(drawable_name(display_label(timeline, row->name(total->longest))));
  lines_.back().names = true;
}

void Tooltip::add_counter(const Canvas& canvas, TrackId counter) {
  constexpr std::size_t kMaxSeries = 12;
  const Timeline& timeline = canvas.frame.timeline;
  const Track& track = timeline.tracks[index(counter)];
  title_ = drawable(display_name(timeline, track.name));
  const std::int64_t time_ns = canvas.frame.state.cursor_ns.value_or(timeline.end_ns);
  for (std::size_t i = 0; i < std::min(track.series.size(), kMaxSeries); ++i) {
    const CounterSeries& series = track.series[i];
    const std::size_t point = point_at(series, time_ns);
    const bool known = point < series.value.size() && time_ns <= timeline.end_ns;
    Line& line = lines_.emplace_back();
    line.strong =
        known ? drawable(counter_text(series.value[point], unit_of(timeline, track, series))) : "–";
    line.dim = drawable(series_label(timeline, track, series));
    const StringId named = series.name == kEmptyString ? track.name : series.name;
    line.swatch = canvas.palette.box(timeline.strings->hash(named));
  }
  if (track.series.size() > kMaxSeries) {
    const auto more = track.series.size() - kMaxSeries;
    note(fmt::format("and {} more series", more));
  }
}

void Tooltip::make(const Canvas& canvas, const Hit& hit) {
  title_.clear();
  lines_.clear();
  if (hit.slice) {
    add_slice(canvas, hit.slice);
  } else if (hit.merged) {
    add_merged(canvas, *hit.merged);
  } else if (hit.instant) {
    const Timeline& timeline = canvas.frame.timeline;
    const SliceRow* instants = instants_of(timeline, hit.instant);
    if (instants == nullptr) return;
    const Slice instant = instants->slice(hit.instant.instant);
    title_ = drawable_name(display_name(timeline, instant.name));
    const Track& track = timeline.tracks[index(hit.instant.track)];
    const InstantWords words = words_of(track);
    lines_.push_back({"", words.one + begin_text(canvas, instant.begin_ns)});
    if (const SliceRef around = call_around(timeline, hit.instant);
        around && track.kind != TrackKind::thread && block_of(timeline, around) != nullptr) {
      const StringId name = slice_at(timeline, around).name;
      note("of " + drawable(display_label(timeline, name)));
    }
    if (hit.instant_count > 1) {
      note(fmt::format("the first of {} {} here", count_text(hit.instant_count), words.many));
    }
  }
}

void Tooltip::draw(const Canvas& canvas, const Hit& hit, TrackId counter, ImVec2 pointer) {
  if (!hit && counter != kNoTrack) {
    made_ = false;  // its values follow the cursor
    title_.clear();
    lines_.clear();
    add_counter(canvas, counter);
  } else if (!made_ || hit != of_) {
    make(canvas, hit);
    made_ = true;
    of_ = hit;
  }
  if (!title_.empty()) draw_box(canvas, pointer);
}

void Tooltip::draw_box(const Canvas& canvas, ImVec2 pointer) const {
  const ImFont& heads = font_or_default(canvas.theme.heads);
  const ImFont& numbers = font_or_default(canvas.theme.numbers);
  const ImFont& words = font_or_default(canvas.theme.words);
  const float side = std::round(canvas.px(8));
  const float pad = canvas.px(12);
  const float gap = canvas.px(14);
  // Never wider than the window.
  const float room = std::max(canvas.frame.area.width - 2 * pad, canvas.px(40));
  const float widest = std::min(canvas.px(kMaxWidthPx), room);
  const float title_width = std::min(text_width(heads, title_) + 1, widest);
  float width = title_width;
  for (const Line& line : lines_) {
    const float strong = line.strong.empty() ? 0 : text_width(numbers, line.strong) + gap;
    const float swatch = line.swatch == 0 ? 0 : side + canvas.px(8);
    const float note = text_width(words, line.note) + 1;
    width =
        std::max(width, std::min(swatch + strong + text_width(numbers, line.dim) + note, widest));
  }
  const float line_px = canvas.px(20);
  Rect box{0, 0, width + 2 * pad, canvas.px(32) + line_px * static_cast<float>(lines_.size())};
  // Beside the pointer, on the other side where there is no room.
  const Rect& area = canvas.frame.area;
  box.x = pointer.x + canvas.px(14);
  if (right_of(box) > right_of(area)) box.x = pointer.x - canvas.px(14) - box.width;
  box.x = std::min(box.x, right_of(area) - box.width);
  box.x = std::round(std::max(box.x, area.x));
  box.y = pointer.y + canvas.px(18);
  if (bottom_of(box) > bottom_of(area)) box.y = pointer.y - canvas.px(12) - box.height;
  box.y = std::round(std::max(box.y, area.y));

  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float radius = canvas.px(6);
  // A soft shadow: some larger, nearly clear plates below.
  for (int i = 3; i >= 1; --i) {
    const float grow = canvas.px(2) * static_cast<float>(i);
    list.AddRectFilled({box.x - grow, box.y - grow + canvas.px(2)},
                       {right_of(box) + grow, bottom_of(box) + grow + canvas.px(2)},
                       rgb(0x000000, 16), radius + grow);
  }
  list.AddRectFilled({box.x, box.y}, {right_of(box), bottom_of(box)}, canvas.colours.raised,
                     radius);
  list.AddRect({box.x, box.y}, {right_of(box), bottom_of(box)}, canvas.colours.line, radius);
  float y = box.y + canvas.px(18);
  draw_short_name(list, heads, box.x + pad, y, widest, canvas.colours.text, title_);
  for (const Line& line : lines_) {
    y += line_px;
    float x = box.x + pad;
    if (!line.note.empty()) {
      const auto draw = line.names ? draw_short_name : draw_cut_text;
      draw(list, words, x, y, right_of(box) - pad - x + 1, canvas.colours.dim, line.note);
      continue;
    }
    if (line.swatch != 0) {
      fill(list, {x, std::round(y - side / 2), side, side}, line.swatch);
      x += side + canvas.px(8);
    }
    if (!line.strong.empty()) {
      x += draw_text(list, numbers, x, y, canvas.colours.text, line.strong) + gap;
    }
    draw_cut_text(list, numbers, x, y, right_of(box) - pad - x + 1, canvas.colours.dim, line.dim);
  }
}

}  // namespace cinderscope
