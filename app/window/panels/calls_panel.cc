#include "app/window/panels/calls_panel.h"

#include <fmt/format.h>

#include <utility>

#include "app/window/window.h"
#include "ingest/format/capabilities.h"
#include "render/tables/call_table.h"
#include "render/text/time_text.h"

namespace cinderscope {

CallsPanel::CallsPanel()
    : orders_{first_call_order(), first_statement_order()}, table_([] { Window::wake(); }) {}

CallsPanel::Question CallsPanel::question_now(const Session& session) const {
  return {shown_kind_, orders_[static_cast<std::size_t>(shown_kind_)], session.version()};
}

CallsPanel::Table CallsPanel::known_table(const Question& question) const {
  const bool is_known = table_.answer() != nullptr && table_.answered()->same_table(question);
  return is_known ? table_.answer()->table : nullptr;
}

CallsPanel::Tables::Work CallsPanel::work_for(const Session& session,
                                              const Question& question) const {
  const std::shared_ptr<const TraceSource> source = session.shared_source();
  if (source == nullptr) return nullptr;
  return [question, source, known = known_table(question), slices = session.slices(),
          pauses = session.timeline().pauses](const BackgroundQuestion<Answer>& background) {
    const std::atomic<bool>& cancelled = background.cancelled;
    Answer answer{.table = known};
    if (answer.table == nullptr) {
      answer.table = question.shown == CallsShown::calls
                         ? call_table(*slices, pauses, *source, cancelled)
                         : statement_table(*source, cancelled);
      if (answer.table == nullptr) return answer;
      answer.foreign = foreign_texts(*answer.table);
    }
    Result<TableFilter> filter = parse_filter(*answer.table, question.order.filter);
    if (!filter) {
      answer.problem = filter.error().text;
      filter = TableFilter{};
    }
    answer.rows = rows_in_order(*answer.table, question.order, *filter, &cancelled);
    return answer;
  };
}

void CallsPanel::note_answer() {
  if (table_.out_of_memory()) message_ = "There is not enough memory for a table of all calls.";
  if (table_.answer() != nullptr) shown_texts_ += table_.answer()->foreign;
}

bool CallsPanel::poll(Session& session, bool visible) {
  bool changed = false;
  if (table_.poll()) {
    note_answer();
    changed = true;
  }
  if (!visible || !session.has_trace()) return changed;
  const Question question = question_now(session);
  // The table takes longer to read than to sort: who types a filter meanwhile waits for it.
  const bool is_read = known_table(question) != nullptr;
  const bool reads_it = !is_read && table_.asked() && table_.asked()->same_table(question);
  if (!table_.is_due(question, reads_it)) return changed;
  Tables::Work work = work_for(session, question);
  if (!work) return changed;
  table_.ask(question, std::move(work));
  return true;
}

const CallsPanel::Answer* CallsPanel::compute_now(const Session& session) {
  const Question question = question_now(session);
  const Tables::Work work = work_for(session, question);
  if (!work) return nullptr;
  const Answer* answer = table_.answer_now(question, work);
  note_answer();
  return answer;
}

const CallsPanel::Answer* CallsPanel::shown_answer() const {
  const bool fits = table_.answer() != nullptr && table_.answered()->shown == shown_kind_;
  return fits ? table_.answer() : nullptr;
}

void CallsPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Session& session = frame.session;
  CallsFrame shown{
      .theme = frame.theme,
      .area = frame.area,
      .time_format = timestamp_format(session.timeline(), session.state()),
      .shown = shown_kind_,
      .has_statements = session.source() != nullptr && session.source()->statements() != nullptr,
      .order = order(),
      .selected = session.state().selected};
  shown.working = table_.answered() != question_now(session);
  if (const Answer* answer = shown_answer()) {
    shown.table = answer->table.get();
    shown.rows = answer->rows;
    shown.problem = answer->problem;
  }
  view_.draw(shown, actions);
}

// Looked up once for each timeline: asked in every frame.
bool CallsPanel::available(const Session& session) const {
  if (looked_at_ != session.generation()) {
    looked_at_ = session.generation();
    has_calls_ = has_calls(session.timeline());
  }
  return has_calls_;
}

Status CallsPanel::show(CallsShown shown, const Session& session) {
  if (shown == CallsShown::statements &&
      (session.source() == nullptr || session.source()->statements() == nullptr)) {
    return refused("This trace has no statements.");
  }
  shown_kind_ = shown;
  return ok();
}

Status CallsPanel::sort_by(std::string_view name) {
  const Answer* answer = shown_answer();
  if (answer == nullptr) return refused("The calls are still being read.");
  const auto column = column_named(*answer->table, name);
  if (!column) {
    std::vector<std::string> names;
    for (const ValueColumn& each : answer->table->columns) names.push_back(each.head.title);
    return unexpected_argument("sort-calls", names, name);
  }
  order() = sorted_by(order(), *column, answer->table->columns[*column].head.kind);
  return ok();
}

Result<TakenTable> CallsPanel::take_table(Session& session, TableText form) {
  const Answer* answer = compute_now(session);
  if (answer == nullptr || answer->table == nullptr) {
    return refused("The calls are still being read.");
  }
  return taken_table(std::string(table_word()), answer->table, answer->rows, form,
                     timestamp_format(session.timeline(), session.state()));
}

}  // namespace cinderscope
