#include "app/window/panels/details_panel.h"

#include <utility>

#include "app/window/app_context.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/model/measure/sample_runs.h"
#include "render/tables/bar_table.h"
#include "render/tables/statistics_table.h"
#include "render/text/details_text.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestText = 4096;  // of each value whose characters are looked at

}  // namespace

DetailsPanel::DetailsPanel()
    : durations_([] { Window::wake(); }),
      children_([] { Window::wake(); }),
      range_([] { Window::wake(); }) {}

bool DetailsPanel::poll(Session& session, bool visible) {
  if (!visible && std::exchange(lights_flow_, false)) session.state().lit_flow.reset();
  const bool durations = durations_.poll(), children = children_.poll();
  return range_.poll() || durations || children;
}

// Whether the range is to be shown, or the whole trace. What was selected last counts; the user may
// choose the other.
bool DetailsPanel::choose_range(const TimelineState& state) {
  const bool other_selection =
      state.selected != selected_ || state.selected_instant != selected_instant_;
  const bool other_range = state.range.has_value() != selected_range_.has_value() ||
                           (state.range && (state.range->begin_ns != selected_range_->begin_ns ||
                                            state.range->end_ns != selected_range_->end_ns));
  if (other_range) range_chosen_ = true;
  if (other_selection) range_chosen_ = false;
  selected_ = state.selected;
  selected_instant_ = state.selected_instant;
  selected_range_ = state.range;
  if (const std::optional<bool> asked = view_.take_choice()) range_chosen_ = *asked;
  const bool has_selection = state.selected || state.selected_instant;
  if (state.range) return range_chosen_ || !has_selection;
  return !has_selection && !state.selected_counter;
}

void DetailsPanel::draw(const PanelFrame& frame, Actions& actions) {
  Session& session = frame.session;
  TimelineState& state = session.state();
  const Tab& tab = *frame.app.tabs().shown();
  shows_totals_ = choose_range(state) && !session.timeline().empty();
  if (shows_totals_) {
    // Of a trace that is loaded all numbers would be old at once.
    if (state.range || !session.loading()) {
      range_.ask(session, tab.panel<StatisticsPanel>().precomputed(session));
    }
  } else {
    durations_.ask(session);
    children_.ask(session);
  }
  view_.draw({.timeline = session.timeline(),
              .state = state,
              .source = session.source(),
              .theme = frame.theme,
              .area = frame.area,
              .generation = session.version(),
              .counts_calls = true,
              .all_of_name = durations_.found(),
              .children = children_.found(),
              .shows_totals = shows_totals_,
              .totals_note = tab.disk.measured_text(),
              .range_statistics = range_.statistics(session),
              .range_tree = range_.tree(session),
              .range_version = range_.version(),
              .range_counting = range_.busy()},
             actions);
  const std::optional<std::uint32_t> lit = view_.lit_flow();
  if (lit || lights_flow_) {
    if (state.lit_flow != lit) frame.app.draw_again();
    state.lit_flow = lit;
    lights_flow_ = lit.has_value();
  }
  note_shown_texts();
}

// Names are noted as they are read; arguments and stacks only once they are shown.
void DetailsPanel::note_shown_texts() {
  if (noted_facts_ == view_.facts_version()) return;
  noted_facts_ = view_.facts_version();
  shown_texts_ += texts_of(view_.facts());
}

std::string texts_of(const SelectionFacts& facts) {
  std::string texts;
  const auto note = [&](std::string_view text) { texts += text.substr(0, kLongestText); };
  for (const ArgsNode& node : facts.record.args.nodes) {
    note(node.key);
    note(node.value);
  }
  for (const Fact& fact : facts.facts) note(fact.value);
  for (const std::string& call : facts.record.stack) note(call);
  return texts;
}

Result<TakenTable> DetailsPanel::take_table(Session& session, TableText form) {
  const Timeline& timeline = session.timeline();
  if (shows_totals_) {
    const SliceStatistics* totals = range_.statistics(session);
    if (totals == nullptr) return refused("The calls are still being added up.");
    const auto table = statistics_table(*totals, timeline.strings, counts_runs(timeline));
    std::vector<std::uint32_t> rows = rows_in_order(*table, first_statistics_order(), {});
    return taken_table(std::string(table_word()), table, std::move(rows), form);
  }
  std::vector<Fact> facts = details_facts(timeline, session.state(), session.source());
  if (facts.empty()) return refused("Nothing is selected.");
  const std::uint64_t count = facts.size();
  return TakenTable{
      .word = std::string(table_word()),
      .columns = {{.key = "fact", .title = "Fact"}, {.key = "value", .title = "Value"}},
      .row_count = count,
      .write_row = [facts = std::move(facts)](std::uint64_t row, TableWriter& out) {
        out.text(facts[row].key);
        out.text(facts[row].value);
      }};
}

Result<TakenTable> DetailsPanel::take_bars(Session& session, TableText /*form*/) {
  const DurationHistogram* found = durations_.found();
  if (found == nullptr || found->log_bars.empty()) {
    return refused("Details shows no durations: select a call there.");
  }
  return taken_bars(*found, session.timeline().axis);
}

}  // namespace cinderscope
