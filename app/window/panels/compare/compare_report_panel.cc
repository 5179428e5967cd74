#include "app/window/panels/compare/compare_report_panel.h"

#include <fmt/format.h>

#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "render/tables/change_text.h"
#include "render/text/report_text.h"
#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

std::vector<std::string> CompareReportPanel::sentences() const {
  std::vector<std::string> out;
  const CompareAnswers& answers = page_.answers;
  if (!answers.problem().empty()) out.push_back(answers.problem());
  for (const Side side : {side_a, side_b}) {
    const char* name = side == side_a ? "A" : "B";
    const CompareSource& source = answers.sources()[side];
    const Session& session = page_.session(side);
    std::string text = fmt::format("{} is {}", name, session.path());
    if (source.runs.size() > 1) {
      text += fmt::format(" and {} further runs", source.runs.size() - 1);
    }
    const MeasuredRun* run = answers.shown_runs()[side].measured.get();
    if (run != nullptr) {
      text += fmt::format(": {} calls on {} threads, {} of self time, {} of them unfinished",
                          count_text(run->calls), count_text(run->threads.size()),
                          duration_text(run->self_ns, run->axis), count_text(run->unfinished));
      if (run->damage > 0) {
        text += fmt::format("; {} losses or damages were met while it was read",
                            count_text(run->damage));
      }
      if (run->end_ns < run->trace_end_ns || run->begin_ns > run->trace_begin_ns) {
        text += fmt::format(
            "; measured from {} to {} of {}",
            timestamp_text(run->begin_ns, {.axis = run->axis, .origin_ns = run->trace_begin_ns}),
            timestamp_text(run->end_ns, {.axis = run->axis, .origin_ns = run->trace_begin_ns}),
            duration_text(run->trace_end_ns - run->trace_begin_ns, run->axis));
      }
    }
    out.push_back(text + ".");
    if (std::string unread = page_.unread_text(side); !unread.empty()) {
      out.push_back(std::move(unread));
    };
  }
  const ComparedSides* sides = answers.sides();
  const Comparison* comparison = answers.comparison();
  if (sides == nullptr || comparison == nullptr) return out;
  for (const Side side : {side_a, side_b}) {
    for (const LeftOutRun& left : sides->left_out[side]) {
      out.push_back(fmt::format("{} was left out of {}: {}", left.path, side == side_a ? "A" : "B",
                                left.error));
    }
  }
  out.push_back(tested_sentence(*sides, *comparison));
  out.push_back(counts_sentence(*comparison) + ".");
  out.push_back(
      fmt::format("Names of less than {} on both sides are neither tested nor shown: {}.",
                  value_text(comparison->min.value, value_unit(*comparison, sides->axis())),
                  count_text(comparison->count(Verdict::small))));
  for (std::string& text : warning_sentences(*sides, *comparison)) out.push_back(std::move(text));
  out.push_back("Rules for names: " + name_rules_text(answers.rules()) + ".");
  for (std::size_t i = 0; i < kNameRules; ++i) {
    const auto& changed = sides->names.rules.at(i).changed;
    if (changed[side_a] == 0 && changed[side_b] == 0) continue;
    out.push_back(fmt::format("  {}: changed {} names of A and {} of B.",
                              word_of(static_cast<NameRule>(i)), count_text(changed[side_a]),
                              count_text(changed[side_b])));
  }
  for (std::size_t i = 0; i < answers.rules().renames.size(); ++i) {
    const Rename& rename = answers.rules().renames[i];
    if (i >= sides->names.renames.size()) break;
    const auto& changed = sides->names.renames[i].changed;
    out.push_back(fmt::format("  {} = {}: changed {} names of A and {} of B.", rename.expression,
                              rename.text, count_text(changed[side_a]),
                              count_text(changed[side_b])));
  }
  for (const std::string& name : answers.ignored()) {
    out.push_back(fmt::format("Ignored, its time is that of its callers: {}.", name));
  }
  std::size_t pairs = 0, only_a = 0, only_b = 0;
  for (const ThreadPair& pair : answers.thread_pairs()) {
    if (pair.a && pair.b) ++pairs;
    if (pair.a && !pair.b) ++only_a;
    if (pair.b && !pair.a) ++only_b;
  }
  out.push_back(fmt::format("{} pairs of threads, {} threads only in A, {} only in B.",
                            count_text(pairs), count_text(only_a), count_text(only_b)));
  if (page_.line_up().how == LineUpHow::starts && page_.session(side_a).has_trace() &&
      page_.session(side_b).has_trace() &&
      page_.session(side_a).timeline().axis != page_.session(side_b).timeline().axis) {
    out.emplace_back(
        "The lanes count different things and cannot be lined up but by their starts.");
  }
  return out;
}

void CompareReportPanel::draw(const PanelFrame& frame, Actions& actions) {
  constexpr float kPadPx = 16;
  Column column(frame.theme, "report", frame.area, pen_of(frame.theme).px(kPadPx));
  const Pen& pen = column.pen();
  column.gap(pen.px(10));
  const std::vector<std::string> texts = sentences();
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  const Rect button = column.row(pen.px(30));
  if (text_button(pen, "copy report", button.x, button.y, "Copy")) {
    actions.push_back(CopyText{all});
  }
  for (const std::string& text : texts) {
    const float width = button.width;
    const Rect row = column.row(wrapped_height(pen.words, width, text) + pen.px(6));
    draw_wrapped(pen, pen.words, row.x, row.y, width, pen.colours.text, text);
  }
}

}  // namespace cinderscope
