#include "app/window/panels/calls_panel.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "app/store/free_path.h"
#include "app/window/window.h"
#include "ingest/format/capabilities.h"
#include "ingest/os/atomic_file.h"
#include "render/tables/call_table.h"
#include "render/text/time_text.h"

namespace cinderscope {

CallsPanel::CallsPanel()
    : orders_{first_call_order(), first_statement_order()}, task_([] { Window::wake(); }) {}

CallsPanel::Question CallsPanel::question_now(const Session& session) const {
  return {shown_kind_, orders_[static_cast<std::size_t>(shown_kind_)], session.generation(),
          session.children_generation()};
}

std::optional<CallsPanel::Work> CallsPanel::work_for(const Session& session,
                                                     const Question& question) const {
  Work work{.question = question, .source = session.shared_source()};
  if (work.source == nullptr) return std::nullopt;  // still being read
  if (shown_ && shown_->question.same_table(question)) work.known = shown_->table;
  if (work.known == nullptr) {
    work.slices = session.slices();
    work.pauses = session.timeline().pauses;
  }
  return work;
}

CallsPanel::Answer CallsPanel::answered(const Work& work, const std::atomic<bool>& cancelled) {
  Answer answer{.question = work.question, .table = work.known};
  try {
    if (answer.table == nullptr) {
      answer.table = work.question.shown == CallsShown::calls
                         ? call_table(*work.slices, work.pauses, *work.source, cancelled)
                         : statement_table(*work.source, cancelled);
    }
    if (answer.table == nullptr) return answer;  // cancelled
    if (work.known == nullptr) answer.foreign = foreign_texts(*answer.table);
    Result<ValueFilter> filter = value_filter(*answer.table, work.question.order.filter);
    if (!filter) {
      answer.problem = filter.error().text;
      filter = ValueFilter{};
    }
    answer.rows = rows_in_order(*answer.table, work.question.order, *filter, &cancelled);
  } catch (const std::bad_alloc&) {
    answer.table.reset();
    answer.rows.clear();
  }
  return answer;
}

bool CallsPanel::poll(Session& session, bool visible) {
  bool changed = false;
  for (const std::string& path : saving_.take()) {
    if (const Status saved = save_to(path, session); !saved) message_ = saved.error().text;
    changed = true;
  }
  const bool busy = task_.busy();  // first: the answer may come between the two
  if (std::optional<Answer> answer = task_.take()) {
    if (answer->table == nullptr) message_ = "There is not enough memory for a table of all calls.";
    shown_ = std::move(answer);
    shown_texts_ += std::exchange(shown_->foreign, {});
    changed = true;
  }
  if (!visible || !session.has_trace()) return changed;
  const Question question = question_now(session);
  if (busy ? asked_ == question : shown_ && shown_->question == question) return changed;
  // The table takes longer to read than to sort: who types a filter meanwhile waits for it.
  const bool is_read = shown_ && shown_->question.same_table(question) && shown_->table != nullptr;
  if (busy && !is_read && asked_.same_table(question)) return changed;
  std::optional<Work> work = work_for(session, question);
  if (!work) return changed;
  asked_ = question;
  task_.start([work = std::move(*work)](const BackgroundQuestion<Answer>& background) {
    return answered(work, background.cancelled);
  });
  return true;
}

bool CallsPanel::settle(const Session& session) {
  const Question question = question_now(session);
  if (shown_ && shown_->question == question) return shown_->table != nullptr;
  const std::optional<Work> work = work_for(session, question);
  if (!work) return false;
  task_.cancel();
  const std::atomic<bool> cancelled{false};
  shown_ = answered(*work, cancelled);
  return shown_->table != nullptr;
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
  shown.working = !shown_ || !(shown_->question == question_now(session));
  if (shown_ && shown_->question.shown == shown_kind_ && shown_->table != nullptr) {
    shown.table = shown_->table.get();
    shown.rows = shown_->rows;
    shown.problem = shown_->problem;
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
  if (shown == CallsShown::statements && (session.source() == nullptr || session.source()->statements() == nullptr)) {
    return refused("This trace has no statements.");
  }
  shown_kind_ = shown;
  return ok();
}

Status CallsPanel::sort_by(std::string_view name) {
  const bool known = shown_ && shown_->question.shown == shown_kind_ && shown_->table != nullptr;
  if (!known) return refused("The calls are still being read.");
  const auto column = column_named(*shown_->table, name);
  if (!column) {
    std::vector<std::string> names;
    for (const ValueColumn& each : shown_->table->columns) names.push_back(each.name);
    return unexpected_argument("sort-calls", names, name);
  }
  order() = sorted_by(*shown_->table, order(), *column);
  return ok();
}

Result<std::string> CallsPanel::table_to_copy(const Session& session) {
  if (!settle(session)) return refused("The calls are still being read.");
  message_ = fmt::format("{} rows copied", count_text(shown_->rows.size()));
  return table_text(*shown_->table, shown_->rows, TableText::tsv);
}

Status CallsPanel::save(const CommandArguments& arguments, const Session& session) {
  const Result<std::string> path =
      saving_.path_for(arguments, {.title = "Save the calls",
                                   .file_name = session.title() + ".calls.csv",
                                   .trace = session.path(),
                                   .what = ".calls"});
  if (!path) return path.error();
  return path->empty() ? ok() : save_to(*path, session);
}

Status CallsPanel::save_to(const std::string& path, const Session& session) {
  if (!settle(session)) return refused("The calls are still being read.");
  const Status written =
      replace_file(path, table_text(*shown_->table, shown_->rows, TableText::csv));
  if (!written) return written.error();
  message_ = fmt::format("{} rows saved to {}", count_text(shown_->rows.size()), path);
  return ok();
}

}  // namespace cinderscope
