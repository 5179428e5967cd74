#include "render/views/panels/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "render/base/palette.h"
#include "render/text/label.h"
#include "render/text/selection_facts.h"
#include "render/text/time_text.h"
#include "render/views/panels/details_links.h"
#include "render/views/panels/details_lists.h"
#include "render/views/panels/histogram.h"
#include "render/views/panels/range_details.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 16;
constexpr float kTopPx = 8;
// At scale 1. In less room the histogram goes below the facts, then everything is one column.
constexpr float kFactsPx = 430, kCallsPx = 420, kLeastCallsPx = 300;
constexpr float kThreeColumnsPx = 1000, kTwoColumnsPx = 560;
constexpr float kRowPx = 19;
constexpr float kTitlePx = 24, kChipPx = 10;
// With so much room between facts and histogram, flows and calls stand beside the arguments.
constexpr float kLinksApartPx = 620;

void draw_note(const DetailsFrame& frame, const Pen& pen, std::string_view text) {
  draw_cut_text(pen.list, pen.words, frame.area.x + pen.px(kPadPx), frame.area.y + pen.px(20),
                frame.area.width - 2 * pen.px(kPadPx), pen.colours.dim, text);
}

// The name; one that is too long keeps its telling end and has a tooltip with all of it.
void draw_title(const DetailsFrame& frame, const Pen& pen, const Rect& row,
                const SelectionFacts& facts, Actions& actions) {
  const float side = std::round(pen.px(kChipPx)), gap = pen.px(9);
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  fill(pen.list, {row.x, std::round(middle_y(row) - side / 2), side, side},
       palette.box(facts.name_hash));
  const Rect name{row.x + side + gap, row.y, row.width - side - gap, row.height};
  const float text_px = std::min(text_width(pen.title, drawable(facts.name)), name.width);
  const Press press = lit_row(pen, "name", {name.x, name.y, text_px + pen.px(4), name.height});
  draw_short_name(pen.list, pen.title, name.x, middle_y(name), name.width + 1, pen.colours.text,
                  facts.name);
  if (press.hovered && text_width(pen.title, drawable(facts.name)) > name.width) {
    hint(pen, facts.name);
  } else if (press.hovered) {
    hint(pen, "Click copies");
  }
  if (press.clicked) actions.push_back(CopyText{facts.name});
}

// Where there is both a selection and a range: which of them is shown.
void draw_what_is_shown(const DetailsFrame& frame, Column& column, bool range,
                        std::optional<bool>& asked) {
  const TimelineState& state = frame.state;
  if (!state.range || !(state.selected || state.selected_instant)) return;
  const Pen& pen = column.pen();
  const Rect row = column.row(pen.px(30));
  const std::array choices = {Choice{state.selected ? "Selected call" : "Selected instant", ""},
                              Choice{"Selected range", ""}};
  const auto chosen = draw_choices(pen, "shown", row.x, middle_y(row), choices, range ? 1 : 0);
  if (chosen) asked = *chosen == 1;
}

const char* marks_head(TrackKind kind) {
  if (kind == TrackKind::lifetimes) return "Seen";
  return kind == TrackKind::async ? "Steps" : "Inside";
}

}  // namespace

struct DetailsView::Impl {
  // The key that the facts were made for.
  struct Key {
    SliceRef slice;
    InstantRef instant;
    std::uint64_t generation = 0;
    const TraceSource* source = nullptr;
    CounterRef counter;
    std::array<std::int64_t, 4> measured{};  // of a counter: view and range
    const SliceBlock* block = nullptr;       // comes and goes with the cache of children
    std::size_t blocks = 0;                  // loaded children change the self time
    TimestampFormat places;
    bool operator==(const Key&) const = default;
  };
  std::optional<Key> key;
  SelectionFacts facts;
  std::uint64_t facts_version = 0;
  CounterFactsMaker counter_facts;
  ArgsFolds folds;
  HistogramView histogram;
  RangeDetailsView range;
  std::optional<std::uint32_t> lit_flow;
  std::optional<bool> choice;
  std::unordered_map<std::uint64_t, std::string> instant_lines;  // of `facts`

  void draw_calls(const DetailsFrame& frame, Column& column, Actions& actions) {
    histogram.draw(column,
                   {.histogram = frame.all_of_name,
                    .name = facts.name_id == kEmptyString ? std::string_view() : facts.name,
                    .name_hash = facts.name_hash,
                    .selected_ns = slice_at(frame.timeline, frame.state.selected).duration_ns,
                    .axis = frame.timeline.axis},
                   actions);
  }
  void draw_rest(const DetailsFrame& frame, Column& column, Actions& actions) {
    if (facts.kind == SelectionFacts::Kind::counter) {
      return draw_series(frame, column, facts.counter, actions);
    }
    draw_arguments(frame, column, facts, folds, actions);
    draw_nested_instants(frame, column, actions);
    draw_texts(column, facts.record.texts, actions);
    draw_stack(column, facts.record.stack, actions);
  }
  void draw_links(const DetailsFrame& frame, Column& column, Actions& actions) {
    lit_flow = draw_flow_list(frame, column, facts, actions);
    draw_children(frame, column, facts, actions);
    draw_callers(frame, column, facts, actions);
  }
  void draw_columns(const DetailsFrame& frame, Actions& actions);

  // The text of the i-th instant inside the call; read from the file while it is on screen.
  const std::string& instant_line(const DetailsFrame& frame, std::uint64_t i) {
    constexpr std::size_t kMostLines = 1000;
    if (instant_lines.size() > kMostLines) instant_lines.clear();
    const auto [found, is_new] = instant_lines.try_emplace(i);
    const InstantRef ref = facts.instants.at(i);
    const SliceRow* row = instants_of(frame.timeline, ref);
    if (!is_new || row == nullptr) return found->second;
    const Slice instant = row->slice(ref.instant);
    if (frame.source != nullptr) {
      found->second = frame.source->describe(instant.record, instant.end_record).line;
    }
    if (found->second.empty()) found->second = display_name(frame.timeline, instant.name);
    if (facts.track_kind == TrackKind::async || facts.track_kind == TrackKind::lifetimes) {
      found->second += "   at " + timestamp_text(instant.begin_ns, key->places);
    }
    return found->second;
  }

  void draw_nested_instants(const DetailsFrame& frame, Column& column, Actions& actions) {
    const NestedInstants& instants = facts.instants;
    if (instants.count() == 0 && instants.complete()) return;
    const Pen& pen = column.pen();
    draw_list_head(column, fmt::format("{}, in order: {}{}", marks_head(facts.track_kind),
                                       count_text(instants.count()),
                                       instants.complete() ? "" : ", and more still on disk"));
    ImGui::PushID("instants");
    column.rows(static_cast<std::size_t>(instants.count()), pen.px(kRowPx),
                [&](std::size_t i, const Rect& row) {
                  const std::string text = drawable(instant_line(frame, i));
                  const Press press = press_area(i, row);
                  if (press.hovered) {
                    pen.list.AddRectFilled({row.x - pen.px(4), row.y},
                                           {right_of(row), bottom_of(row)},
                                           with_alpha(pen.colours.dim, 40), pen.px(3));
                    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
                  }
                  draw_cut_text(pen.list, pen.numbers, row.x, middle_y(row), row.width,
                                pen.colours.text, text);
                  if (press.clicked) actions.push_back(SelectInstant{instants.at(i)});
                  if (press.right_clicked) actions.push_back(CopyText{instant_line(frame, i)});
                });
    ImGui::PopID();
    column.gap(pen.px(8));
  }

  void update(const DetailsFrame& frame) {
    const TimelineState& state = frame.state;
    Key wanted{.slice = state.selected,
               .instant = state.selected_instant,
               .generation = frame.generation,
               .source = frame.source,
               .counter = state.selected_counter,
               .block = block_of(frame.timeline, state.selected),
               .places = timestamp_format(frame.timeline, state)};
    if (wanted.counter) {
      const TimeRange of = state.range.value_or(TimeRange{});
      wanted.measured = {state.view.begin_ns, state.view.end_ns(), of.begin_ns, of.end_ns};
    }
    if (wanted.block != nullptr) {
      wanted.blocks = frame.timeline.tracks[index(state.selected.track)].blocks.size();
    }
    if (key == wanted) return;
    // Arguments that the user unfolded stay so while the selection does.
    const bool same = key && key->slice == wanted.slice && key->instant == wanted.instant &&
                      key->counter == wanted.counter;
    const std::size_t nodes = facts.record.args.nodes.size();
    facts = wanted.counter
                ? counter_selection(frame.timeline, state, counter_facts, frame.generation)
                : selection_facts(frame.timeline, state, frame.source);
    instant_lines.clear();
    if (!same || facts.record.args.nodes.size() != nodes) folds.reset(facts.record.args);
    key = wanted;
    ++facts_version;
  }
};

DetailsView::DetailsView() : impl_(std::make_unique<Impl>()) {}
DetailsView::~DetailsView() = default;

const SelectionFacts& DetailsView::facts() const {
  return impl_->facts;
}

std::uint64_t DetailsView::facts_version() const {
  return impl_->facts_version;
}

std::optional<std::uint32_t> DetailsView::lit_flow() const {
  return impl_->lit_flow;
}

std::optional<bool> DetailsView::take_choice() {
  return std::exchange(impl_->choice, std::nullopt);
}

bool DetailsView::step_back() {
  return impl_->range.step_back();
}

void DetailsView::draw(const DetailsFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  impl_->update(frame);
  impl_->lit_flow.reset();
  const SelectionFacts& facts = impl_->facts;
  ImGui::PushID("details");
  if (frame.shows_totals) {
    impl_->range.draw(
        {.timeline = frame.timeline,
         .state = frame.state,
         .theme = frame.theme,
         .area = area,
         .statistics = frame.range_statistics,
         .tree = frame.range_tree,
         .totals_version = frame.range_version,
         .version = frame.generation,
         .counting = frame.range_counting,
         .note = frame.totals_note},
        [&](Column& column) { draw_what_is_shown(frame, column, true, impl_->choice); }, actions);
  } else if (facts.kind == SelectionFacts::Kind::none) {
    draw_note(frame, pen,
              frame.timeline.empty()
                  ? "There is nothing to select: the trace has no events."
                  : "Click a call to see its details; the arrow keys move the selection. "
                    "Shift+drag selects a range.");
  } else if (facts.kind == SelectionFacts::Kind::evicted) {
    draw_note(frame, pen, "The selected call is being read again.");
  } else {
    impl_->draw_columns(frame, actions);
  }
  ImGui::PopID();
}

void DetailsView::Impl::draw_columns(const DetailsFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  Rect area = frame.area;
  const float pad_px = pen.px(kPadPx), top_px = pen.px(kTopPx - 1);
  const float width = area.width / frame.theme.scale;
  // Each lifetime has a name of its own.
  const bool has_calls = frame.counts_calls && facts.kind == SelectionFacts::Kind::slice &&
                         facts.track_kind != TrackKind::lifetimes;
  const bool calls_apart = has_calls && width >= kThreeColumnsPx;
  const bool rest_apart = width >= kTwoColumnsPx;
  float facts_px = area.width, calls_px = 0;
  if (rest_apart) facts_px = std::round(std::min(pen.px(kFactsPx), area.width * 0.45f));
  if (calls_apart) {
    facts_px = std::round(std::min(pen.px(kFactsPx), area.width * 0.32f));
    calls_px = std::round(pen.px(std::clamp(width * 0.27f, kLeastCallsPx, kCallsPx)));
  }
  // A long name takes the room above the columns beside the facts as well.
  const float name_px = text_width(pen.title, drawable(facts.name)) + pen.px(kChipPx + 9);
  const bool wide_title = rest_apart && name_px > facts_px - 2 * pad_px;
  if (calls_apart) {
    const float x = right_of(area) - calls_px;
    vertical_line(pen.list, x, area.y, bottom_of(area), pen.colours.line);
    Column column(frame.theme, "calls", {x + 1, area.y, calls_px - 1, area.height}, pad_px);
    column.gap(top_px);
    draw_calls(frame, column, actions);
  }
  if (wide_title) {
    const Rect row{area.x + pad_px, area.y + top_px, area.width - calls_px - 2 * pad_px,
                   pen.px(kTitlePx)};
    draw_title(frame, pen, row, facts, actions);
    const float below_px = std::min(top_px + row.height, area.height);
    area.y += below_px;
    area.height -= below_px;
  }
  {
    Column column(frame.theme, "facts", {area.x, area.y, facts_px - 1, area.height}, pad_px);
    column.gap(wide_title ? pen.px(3) : top_px);
    if (!wide_title) draw_title(frame, column.pen(), column.row(pen.px(kTitlePx)), facts, actions);
    column.gap(pen.px(3));
    draw_what_is_shown(frame, column, false, choice);
    draw_facts(column, facts, actions);
    if (has_calls && !calls_apart) draw_calls(frame, column, actions);
    if (!rest_apart) {
      draw_rest(frame, column, actions);
      draw_links(frame, column, actions);
    }
  }
  if (!rest_apart) return;
  float x = area.x + facts_px;
  float rest_px = area.width - facts_px - calls_px;
  const bool links_apart = rest_px >= pen.px(kLinksApartPx);
  const auto next_column = [&](const char* id, float column_px, const auto& draw) {
    vertical_line(pen.list, x - 1, area.y, bottom_of(area), pen.colours.line);
    Column column(frame.theme, id, {x, area.y, column_px, area.height}, pad_px);
    column.gap(top_px);
    draw(column);
    x += column_px;
  };
  if (links_apart) {
    rest_px = std::round(rest_px / 2);
    next_column("rest", rest_px, [&](Column& column) { draw_rest(frame, column, actions); });
    next_column("links", right_of(area) - calls_px - x,
                [&](Column& column) { draw_links(frame, column, actions); });
    return;
  }
  // Flows lead on, so they stand before long arguments.
  next_column("rest", rest_px, [&](Column& column) {
    lit_flow = draw_flow_list(frame, column, facts, actions);
    draw_rest(frame, column, actions);
    draw_children(frame, column, facts, actions);
    draw_callers(frame, column, facts, actions);
  });
}

}  // namespace cinderscope
