#include "render/views/compare/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ingest/search/search_query.h"
#include "render/base/change_colours.h"
#include "render/base/palette.h"
#include "render/tables/change_text.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/widgets/side_chip.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

// "100 µs" of "100.0 µs".
std::string whole_text(std::string text) {
  const std::size_t point = text.find('.');
  if (point != std::string::npos) text.erase(point, text.find(' ', point) - point);
  return text;
}

constexpr float kPadPx = 12, kHeadPx = 30, kNumbersPx = 232, kAxisPx = 18, kRowPx = 18;
constexpr double kNoChange = 0.02;

struct Number {
  std::string_view label, word;
  std::int64_t SideNumbers::*value;
};
constexpr std::array<Number, 4> kNumbers = {{{"median", "median", &SideNumbers::median_ns},
                                             {"p90", "", &SideNumbers::p90_ns},
                                             {"p99", "p99", &SideNumbers::p99_ns},
                                             {"longest", "longest", &SideNumbers::max_ns}}};

Rgba bars_colour(const Theme& theme) {
  return theme.kind == ThemeKind::dark ? rgb(0xbcbfc5, 217) : rgb(0x65686d, 217);
}

void draw_numbers(const ComparedHistogramFrame& frame, const Pen& pen, const Rect& area,
                  Actions& actions) {
  const ChangeColours& colours = change_colours(frame.theme.kind);
  const float change_x = right_of(area), b_x = change_x - pen.px(58), a_x = b_x - pen.px(66);
  const float row_px = std::round(pen.px(kRowPx));
  float y = area.y + row_px / 2;
  draw_side_chip(pen.list, frame.theme, a_x - pen.px(16), y, false, 16);
  draw_side_chip(pen.list, frame.theme, b_x - pen.px(16), y, true, 16);
  for (const Number& number : kNumbers) {
    y += row_px;
    draw_text(pen.list, pen.words, area.x, y, pen.colours.dim, number.label);
    for (const Side side : {side_a, side_b}) {
      const SideNumbers& of = frame.numbers[side];
      const float x = side == side_a ? a_x : b_x;
      const std::string text = of.count == 0 ? "–" : duration_text(of.*(number.value), frame.axis);
      const float width = text_width(pen.numbers, text);
      const Rect place{x - width, y - row_px / 2, width, row_px};
      const std::string id = fmt::format("{} {}", number.label, side == side_a ? "a" : "b");
      const bool leads = of.count > 0 && !number.word.empty();
      const Press press = press_area(id.c_str(), place);
      draw_text(pen.list, pen.numbers, x, y,
                leads && press.hovered ? pen.colours.accent : pen.colours.text, text, Align::right);
      if (!leads) continue;
      const float line_y = bottom_of(place) - pen.px(2);
      horizontal_line(pen.list, place.x, right_of(place), line_y, with_alpha(pen.colours.dim, 110));
      if (press.clicked) {
        run_command(actions, "compare-go",
                    fmt::format("{} {}", number.word, side == side_a ? "a" : "b"));
      }
    }
    const auto a = static_cast<double>(frame.numbers[side_a].*(number.value)),
               b = static_cast<double>(frame.numbers[side_b].*(number.value));
    const bool both = frame.numbers[side_a].count > 0 && frame.numbers[side_b].count > 0 && a > 0;
    if (!both) continue;
    const double change = b / a - 1;
    const Rgba colour = std::abs(change) < kNoChange ? pen.colours.dim : colours.text(change > 0);
    draw_text(pen.list, pen.numbers, change_x, y, colour, change_text(change), Align::right);
  }
  if (!frame.chance) return;
  y += row_px;
  horizontal_line(pen.list, area.x, right_of(area), y - pen.px(4), pen.colours.line);
  draw_wrapped(pen, pen.words, area.x, y, area.width, pen.colours.dim,
               fmt::format("A call of B takes longer than one of A in {:.0f} % of all pairs",
                           *frame.chance * 100));
}

}  // namespace

void ComparedHistogramView::draw_bars(const ComparedHistogramFrame& frame, const Rect& area,
                                      Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const ComparedHistogram& histogram = *frame.histogram;
  const std::size_t count = histogram.bars.size();
  if (count == 0) return;
  const float base = bottom_of(area) - pen.px(kAxisPx), height = std::max(base - area.y, 1.0F);
  const float step = area.width / static_cast<float>(count);
  const auto share = [&](std::size_t bar, Side side) {
    const auto calls = static_cast<double>(histogram.bars[bar].count[side]);
    if (counts_) return calls;
    return histogram.count[side] == 0 ? 0.0 : calls / static_cast<double>(histogram.count[side]);
  };
  double most = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::max({most, share(i, side_a), share(i, side_b)});
  const auto height_of = [&](std::size_t bar, Side side) {
    return most > 0 ? static_cast<float>(share(bar, side) / most) * height : 0.0F;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const float bar_px = height_of(i, side_b), x = area.x + step * static_cast<float>(i);
    if (bar_px > 0) {
      const float drawn = std::max(bar_px, 1.0F);
      fill(pen.list, {std::round(x), base - drawn, std::max(std::round(step) - 1, 1.0F), drawn},
           bars_colour(frame.theme));
    }
  }
  // A corner only where the height changes: a line of no length has no direction.
  std::vector<ImVec2> outline = {{area.x, base}};
  for (std::size_t i = 0; i <= count; ++i) {
    const float y = i < count ? base - height_of(i, side_a) : base;
    if (y == outline.back().y && i < count) continue;
    const float x = i < count ? area.x + step * static_cast<float>(i) : right_of(area);
    if (x != outline.back().x) outline.emplace_back(x, outline.back().y);
    if (y != outline.back().y) outline.emplace_back(x, y);
  }
  pen.list.AddPolyline(outline.data(), static_cast<int>(outline.size()), pen.colours.dim, 0,
                       pen.px(1.5F));
  horizontal_line(pen.list, area.x, right_of(area), base, pen.colours.line);

  // Where a duration stands: bars are equally wide, whatever they span.
  const auto x_of = [&](std::int64_t duration_ns) {
    std::size_t bar = 0;
    while (bar + 1 < count && histogram.bars[bar].longest_ns < duration_ns) ++bar;
    return area.x + step * (static_cast<float>(bar) + 0.5F);
  };
  for (const Side side : {side_a, side_b}) {
    if (frame.numbers[side].count == 0) continue;
    const float x = x_of(frame.numbers[side].median_ns), tick = pen.px(4);
    const Rgba colour = side == side_a ? pen.colours.dim : pen.colours.text;
    pen.list.AddTriangleFilled({x - tick, base + pen.px(6)}, {x + tick, base + pen.px(6)},
                               {x, base + 1}, colour);
  }
  // The first bar of each power of ten has its duration below it.
  float free_x = area.x;
  std::int64_t power = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const ComparedBar& bar = histogram.bars[i];
    bool begins = false;
    while (power <= bar.longest_ns && power < 1'000'000'000'000'000'000) {
      begins = power >= bar.shortest_ns;
      power *= 10;
    }
    const float x = area.x + step * static_cast<float>(i);
    if (!begins || x < free_x) continue;
    const std::string text = whole_text(duration_text(power / 10, frame.axis));
    const float width = text_width(pen.numbers, text);
    if (x + width > right_of(area)) continue;
    draw_text(pen.list, pen.numbers, x, base + pen.px(12), pen.colours.dim, text);
    free_x = x + width + pen.px(12);
  }

  const Press press = press_area("bars", {area.x, area.y, area.width, base - area.y});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto under = static_cast<std::size_t>(
      std::clamp((mouse.x - area.x) / step, 0.0F, static_cast<float>(count - 1)));
  if (press.hovered && !brush_from_) {
    const ComparedBar& bar = histogram.bars[under];
    hint(pen,
         fmt::format("{} … {}\nA {} calls   B {} calls", duration_text(bar.shortest_ns, frame.axis),
                     duration_text(bar.longest_ns, frame.axis), count_text(bar.count[side_a]),
                     count_text(bar.count[side_b])));
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) brush_from_ = under;
  }
  if (!brush_from_) return;
  const auto [first, last] = std::minmax(*brush_from_, under);
  fill(pen.list,
       {area.x + step * static_cast<float>(first), area.y,
        step * static_cast<float>(last - first + 1), base - area.y},
       with_alpha(pen.colours.text, 30));
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  brush_from_.reset();
  run_command(actions, "search",
              search_text_for(frame.label, histogram.bars[first].shortest_ns,
                              histogram.bars[last].longest_ns, frame.axis));
}

void ComparedHistogramView::draw(const ComparedHistogramFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  fill(pen.list, frame.area, pen.colours.panel);
  const float pad = pen.px(kPadPx);
  const Rect inside{frame.area.x + pad, frame.area.y, std::max(frame.area.width - 2 * pad, 1.0F),
                    frame.area.height};
  if (frame.histogram == nullptr) {
    draw_cut_text(pen.list, pen.words, inside.x, inside.y + pen.px(18), inside.width,
                  pen.colours.dim, frame.note);
    return;
  }
  ImGui::PushID("compared histogram");
  const bool has_numbers = inside.width > pen.px(kNumbersPx + 160);
  const float bars_px = has_numbers ? inside.width - pen.px(kNumbersPx) - pen.px(24) : inside.width;
  const Rect head{inside.x, inside.y, bars_px, std::round(pen.px(kHeadPx))};
  const float y = middle_y(head);
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  const float chip = std::round(pen.px(9));
  fill(pen.list, {head.x, std::round(y - chip / 2), chip, chip}, palette.box(frame.name_hash));
  // What A and B look like, and what heights mean, at the right end.
  float end = right_of(head);
  end -= draw_text(pen.list, pen.words, end, y, pen.colours.dim, "B", Align::right) + pen.px(5);
  fill(pen.list, {end - chip, std::round(y - chip / 2), chip, chip}, bars_colour(frame.theme));
  end -= chip + pen.px(14);
  end -= draw_text(pen.list, pen.words, end, y, pen.colours.dim, "A", Align::right) + pen.px(5);
  pen.list.AddRect({end - chip, std::round(y - chip / 2)}, {end, std::round(y + chip / 2)},
                   pen.colours.dim, 0, 0, pen.px(1.5F));
  end -= chip + pen.px(14);
  const std::string_view heights = counts_ ? "calls" : "shares";
  const float heights_px = text_width(pen.words, heights);
  const Press press = press_area("heights", {end - heights_px, head.y, heights_px, head.height});
  draw_text(pen.list, pen.words, end, y, press.hovered ? pen.colours.text : pen.colours.dim,
            heights, Align::right);
  if (press.hovered) {
    hint(pen, counts_ ? "Heights are numbers of calls. Click: shares of each side's calls"
                      : "Heights are shares of each side's calls. Click: numbers of calls");
  }
  if (press.clicked) counts_ = !counts_;
  end -= heights_px + pen.px(14);
  const float x = head.x + chip + pen.px(8);
  const std::string label = frame.label.empty() ? "(no name)" : std::string(frame.label);
  const float label_px = std::min(text_width(pen.heads, label), std::max(end - x, 1.0F));
  draw_cut_text(pen.list, pen.heads, x, y, label_px + 1, pen.colours.text, label);
  if (x + label_px + pen.px(140) < end) {
    draw_text(pen.list, pen.words, x + label_px + pen.px(14), y, pen.colours.dim,
              "durations of its calls");
  }
  const float top = bottom_of(head) + pen.px(4);
  draw_bars(frame, {inside.x, top, bars_px, std::max(bottom_of(inside) - top - pen.px(6), 1.0F)},
            actions);
  if (has_numbers) {
    draw_numbers(frame, pen,
                 {right_of(inside) - pen.px(kNumbersPx), inside.y + pen.px(6), pen.px(kNumbersPx),
                  inside.height},
                 actions);
  }
  ImGui::PopID();
}

}  // namespace cinderscope
