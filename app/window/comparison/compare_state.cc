// What `state` says of the shown comparison.
#include <algorithm>

#include "app/compare/comparison_output.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/panels/compare/compared_flame_panel.h"
#include "app/window/tab.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostRows = 10;

void write_view(JsonWriter& out, const Session& session) {
  const TimelineState& state = session.state();
  out.begin_object().field("begin", state.view.begin_ns).field("end", state.view.end_ns());
  out.key("zero_px").number(state.lane ? state.view.px_from_ns(state.lane->zero_ns) : 0.0);
  out.key("selected");
  if (block_of(session.timeline(), state.selected) == nullptr) {
    out.null();
  } else {
    const Slice slice = slice_at(session.timeline(), state.selected);
    out.begin_object().field("name", display_name(session.timeline(), slice.name));
    out.field("begin", slice.begin_ns).field("duration", slice.duration_ns);
    out.key("begin_px").number(state.view.px_from_ns(slice.begin_ns)).end_object();
  }
  out.end_object();
}

}  // namespace

std::string CompareController::state_json() const {
  JsonWriter out;
  const ComparePage* page = shown();
  if (page == nullptr) {
    out.null();
    return out.str();
  }
  const CompareAnswers& answers = page->answers;
  out.begin_object();
  for (const Side side : {side_a, side_b}) {
    out.key(side == side_a ? "a" : "b").begin_array();
    for (const CompareRun& run : answers.sources()[side].runs) out.text(run.path);
    out.end_array();
  }
  out.field("measure", word_of(answers.options().measure));
  out.field("scale", word_of(answers.options().scale));
  const Comparison* comparison = answers.comparison();
  out.field("tested", comparison == nullptr ? word_of(Tested::none) : word_of(comparison->tested));
  const LineUp& line_up = page->line_up();
  out.key("line_up").begin_object().field("how", word_of(line_up.how));
  out.field("name", std::string_view(line_up.name)).field("k", line_up.k);
  out.field("shift_ns", line_up.shift_ns()).end_object();
  out.key("views").begin_object().key("a");
  write_view(out, page->session(side_a));
  out.key("b");
  write_view(out, page->session(side_b));
  out.end_object();
  out.field("used", page->used() == side_a ? "a" : "b");
  out.field("selected", std::string_view(page->choice.selected));
  out.field("problem", std::string_view(answers.problem()));
  if (const PairedCalls* calls = page->banded_calls()) {
    out.field("pairs", calls->pairs.size());
  } else {
    out.field("pairs", 0);
  }
  if (comparison != nullptr) {
    out.key("difference").number(comparison->difference.value);
    out.key("counts").begin_object();
    out.field("both", comparison->in_both);
    for (std::size_t i = 0; i < kVerdicts; ++i) {
      const auto verdict = static_cast<Verdict>(i);
      out.field(std::string(word_of(verdict)).c_str(), comparison->count(verdict));
    }
    out.end_object();
    const auto rows = compared_rows(*answers.sides(), *comparison, page->choice.order);
    out.field("shown_rows", rows ? rows->size() : 0);
    out.key("rows").begin_array();
    const ComparisonOutput output{
        .sides = *answers.sides(), .comparison = *comparison, .rules = answers.rules(), .rows = {}};
    for (std::size_t i = 0; rows && i < std::min(kMostRows, rows->size()); ++i) {
      write_compared_row(out, output, (*rows)[i]);
    }
    out.end_array();
  } else {
    out.key("difference").null();
    out.key("counts").null();
    out.key("rows").begin_array().end_array();
  }
  out.key("flame_graph");
  const Tab& tab = page->lane(side_a);
  if (tab.panels.empty()) {
    out.null();
  } else {
    tab.panel<ComparedFlamePanel>().write_state(out);
  }
  out.key("ready_ms").number(answers.ready_ms());
  return out.end_object().str();
}

}  // namespace cinderscope
