#include "render/views/panels/details_lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "render/base/palette.h"
#include "render/text/counter_text.h"
#include "render/text/label.h"
#include "render/views/panels/details_links.h"

namespace cinderscope {
namespace {

constexpr float kLabelPx = 92, kMostLabelPx = 132;
constexpr std::size_t kMeasuredKeys = 64;
constexpr float kFactRowPx = 21, kRowPx = 19, kBelowPx = 8;

// Many writers give each call an empty object.
bool is_empty(const ArgsTree& args) {
  return args.nodes.empty() ||
         (args.nodes.size() == 1 && args.nodes[0].kind == ArgsKind::object && !args.cut);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

void draw_facts(Column& column, const SelectionFacts& facts, Actions& actions) {
  const Pen& pen = column.pen();
  const float row_px = pen.px(kFactRowPx);
  // The keys are whole as long as they leave the values most of the room.
  float label_px = pen.px(kLabelPx);
  for (std::size_t i = 0; i < std::min(facts.facts.size(), kMeasuredKeys); ++i) {
    label_px = std::max(label_px, text_width(pen.words, facts.facts[i].key) + pen.px(12));
  }
  label_px = std::min(label_px, pen.px(kMostLabelPx));
  const auto draw_key = [&](const Fact& fact, const Rect& row) {
    draw_cut_text(pen.list, pen.words, row.x, row.y + row_px / 2, label_px - pen.px(8),
                  pen.colours.dim, fact.key);
    return Rect{row.x + label_px, row.y, row.width - label_px, row.height};
  };
  for (std::size_t i = 0; i < facts.facts.size();) {
    if (facts.facts[i].is_sentence) {
      const Fact& fact = facts.facts[i++];
      const float text_px = column.row(0).width - label_px;
      const float lines_px = wrapped_height(pen.words, text_px, fact.value);
      const float pad_px = std::max((row_px - ImGui::GetFontSize()) / 2, 0.0f);
      const Rect value = draw_key(fact, column.row(std::max(lines_px + 2 * pad_px, row_px)));
      draw_wrapped(pen, pen.words, value.x, value.y + pad_px, text_px, pen.colours.text,
                   fact.value);
      continue;
    }
    const std::size_t first = i;
    while (i < facts.facts.size() && !facts.facts[i].is_sentence) ++i;
    column.rows(i - first, row_px, [&](std::size_t k, const Rect& row) {
      const Fact& fact = facts.facts[first + k];
      const Rect value = draw_key(fact, row);
      ImGui::PushID(static_cast<int>(first + k));
      copyable(pen, "value", value, pen.numbers, pen.colours.text, fact.value, fact.value, actions);
      ImGui::PopID();
    });
  }
  column.gap(pen.px(kBelowPx));
}

void draw_arguments(const DetailsFrame& frame, Column& column, const SelectionFacts& facts,
                    ArgsFolds& folds, Actions& actions) {
  const Pen& pen = column.pen();
  const ArgsTree& args = facts.record.args;
  if (is_empty(args)) {
    draw_list_head(column,
                   facts.record.outdated     ? "The file has changed: reload it to see arguments"
                   : frame.source == nullptr ? "Arguments are shown once the trace is loaded"
                                             : "No arguments");
    return;
  }
  if (draw_list_head(column, "Arguments", "Copy all arguments as they are in the file")) {
    actions.push_back(CopyText{args.raw});
  }
  draw_args(column, args, folds, actions);
  column.gap(pen.px(8));
}

void draw_stack(Column& column, const std::vector<std::string>& stack, Actions& actions) {
  const Pen& pen = column.pen();
  if (stack.empty()) return;
  if (draw_list_head(column, "Stack", "Copy the stack")) actions.push_back(CopyText{joined(stack)});
  ImGui::PushID("stack");
  column.rows(stack.size(), pen.px(kRowPx), [&](std::size_t i, const Rect& row) {
    const std::string& call = stack[stack.size() - 1 - i];
    ImGui::PushID(static_cast<int>(i));
    copyable(pen, "call", row, pen.words, pen.colours.text, call, call, actions);
    ImGui::PopID();
  });
  ImGui::PopID();
  column.gap(pen.px(8));
}

void draw_texts(Column& column, const std::vector<LongText>& texts, Actions& actions) {
  const Pen& pen = column.pen();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (draw_list_head(column, texts[i].title, "Copy it"))
      actions.push_back(CopyText{texts[i].text});
    const std::vector<std::string_view> lines = lines_of(texts[i].text);
    column.rows(lines.size(), pen.px(kRowPx), [&](std::size_t k, const Rect& row) {
      const std::size_t blanks = std::min(lines[k].find_first_not_of(' '), lines[k].size());
      const float indent = pen.px(7) * static_cast<float>(std::min<std::size_t>(blanks, 16));
      draw_cut_text(pen.list, pen.numbers, row.x + indent, middle_y(row), row.width - indent,
                    pen.colours.text, lines[k].substr(blanks));
    });
    column.gap(pen.px(8));
    ImGui::PopID();
  }
}

void draw_series(const DetailsFrame& frame, Column& column, const CounterFacts& counter,
                 Actions& actions) {
  constexpr std::array<const char*, 4> kHeads = {"Value", "Min", "Mean", "Max"};
  const Pen& pen = column.pen();
  std::vector<std::array<std::string, kHeads.size()>> cells;
  std::array<float, kHeads.size()> widths{};
  for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = text_width(pen.words, kHeads[c]);
  for (const SeriesFacts& series : counter.series) {
    const CounterMeasure& measure = series.measure;
    const auto text = [&](bool known, double value) {
      return known ? drawable(counter_text(value, series.unit)) : std::string("–");
    };
    const bool any = measure.points > 0;
    cells.push_back({text(series.value.has_value(), series.value.value_or(0)),
                     text(any, measure.min), text(any, measure.mean), text(any, measure.max)});
    for (std::size_t c = 0; c < widths.size(); ++c) {
      widths[c] = std::max(widths[c], text_width(pen.numbers, cells.back()[c]));
    }
  }
  // The numbers stand at the left, in columns of their own width; names follow.
  const float gap = pen.px(18), side = std::round(pen.px(9));
  const Rect heads = column.row(pen.px(kFactRowPx));
  float x = heads.x + side + pen.px(8);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    x += widths[c];
    draw_text(pen.list, pen.words, x, middle_y(heads), pen.colours.dim, kHeads[c], Align::right);
    x += gap;
  }
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  column.rows(cells.size(), pen.px(kFactRowPx), [&](std::size_t i, const Rect& row) {
    const SeriesFacts& series = counter.series[i];
    fill(pen.list, {row.x, std::round(middle_y(row) - side / 2), side, side},
         palette.box(series.hash));
    ImGui::PushID(static_cast<int>(i));
    float left = row.x + side + pen.px(8);
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string& text = cells[i][c];
      const float own = std::min(text_width(pen.numbers, text) + 1, widths[c] + 1);
      copyable(pen, kHeads[c], {left + widths[c] - own, row.y, own + 1, row.height}, pen.numbers,
               pen.colours.text, text, text, actions);
      left += widths[c] + gap;
    }
    draw_cut_text(pen.list, pen.words, left, middle_y(row), right_of(row) - left, pen.colours.dim,
                  drawable(series.name));
    ImGui::PopID();
  });
  column.gap(pen.px(kBelowPx));
}

}  // namespace cinderscope
