#include "app/window/sql/sql_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_places.h"
#include "app/window/sql/sql_words.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/ascii.h"
#include "ingest/sql/queried_comparison.h"
#include "ingest/sql/statements.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kNotedBytes = 65536;

}  // namespace

SqlPanel::SqlPanel(ComparePage* page, const StatisticsPanel* statistics)
    : page_(page), statistics_(statistics), runner_([] { Window::wake(); }) {}

std::uint64_t SqlPanel::count(const Session& /*session*/) const {
  const QueryTable* table = rows_.table();
  return table == nullptr ? 0 : table->values->row_count;
}

// -- the editor

void SqlPanel::set_text(std::string_view text, std::string name) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  editor_.text().select_all();
  editor_.text().insert(text);
  editor_.text().place_caret(0, false);
  name_ = std::move(name);
  saved_text_ = name_.empty() ? std::string() : this->text();
  history_at_ = 0;
  shown_texts_ += this->text().substr(0, kNotedBytes);
}

void SqlPanel::note_saved(std::string name) {
  name_ = std::move(name);
  saved_text_ = text();
}

void SqlPanel::insert(std::string_view text) {
  EditedText& edited = editor_.text();
  const TextSpan selected = edited.selection();
  // A word of its own.
  const auto in_word = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  const bool joins = selected.begin > 0 && in_word(edited.text()[selected.begin - 1]);
  edited.insert((joins ? " " : "") + std::string(text));
}

bool SqlPanel::close_menu() {
  if (editor_.list_open()) {
    editor_.close_list();
    return true;
  }
  return results_.close_menu();
}

bool SqlPanel::take_editor_key(AppContext& app, const KeyChord& chord) {
  if (chord.key == Key::enter && chord.ctrl) {
    editor_.close_list();
    app.ask_command("sql-run", chord.shift ? "all" : "");
    return true;
  }
  if (chord.key == Key::tab && !chord.ctrl && !chord.alt && !editor_.list_open()) {
    if (chord.shift) {
      editor_.text().indent(true);
    } else {
      editor_.complete([this](std::string_view text, std::size_t caret) {
        return sql_completions(text, caret, words_of(runner_.schema()));
      });
    }
    return true;
  }
  if (chord.key == Key::s && chord.ctrl && !chord.shift) {
    app.ask_command("sql-save", name_);
    return true;
  }
  const bool steps = chord.key == Key::up || chord.key == Key::down;
  if (chord.alt && steps) {
    step_history(app, chord.key == Key::up ? 1 : -1);
    return true;
  }
  if (chord.key == Key::escape && runner_.running()) {
    app.ask_command("sql-cancel", {});
    return true;
  }
  return false;
}

void SqlPanel::step_history(AppContext& app, int by) {
  const auto& runs = app.controllers().sql->history().runs();
  if (by > 0 && history_at_ >= runs.size()) return app.say_of_shown("no earlier query");
  if (by < 0 && history_at_ == 0) return;
  if (history_at_ == 0) before_history_ = text();
  const std::size_t at = history_at_ + static_cast<std::size_t>(by);
  set_text(at == 0 ? before_history_ : runs[runs.size() - at]);
  history_at_ = at;
}

// -- running

QueriedTraces SqlPanel::traces(const Session& session) {
  if (page_ == nullptr) {
    QueriedTraces one(session);
    if (statistics_ != nullptr) one.totals = {statistics_->precomputed(session)};
    return one;
  }
  const CompareAnswers& answers = page_->answers;
  if (compared_ == nullptr || compared_version_ != answers.version()) {
    auto compared = std::make_shared<QueriedComparison>();
    if (answers.comparison() != nullptr)
      *compared = {answers.shared_sides(), *answers.comparison()};
    compared_ = std::move(compared);
    compared_version_ = answers.version();
  }
  return {page_->session(side_a), page_->session(side_b), compared_, answers.whole()};
}

TrackLanes SqlPanel::lanes(Session& session) const {
  if (page_ == nullptr) return {&session};
  return {&page_->session(side_a), &page_->session(side_b)};
}

Tab& SqlPanel::tab_of(AppContext& app, std::uint32_t input) const {
  if (page_ != nullptr) return page_->lane(input == 0 ? side_a : side_b);
  return *app.tabs().all[app.tabs().shown_index];
}

// Two traces have no begin in common.
TimestampFormat SqlPanel::time_format(const Session& session) const {
  TimestampFormat format = timestamp_format(session.timeline(), session.state());
  if (page_ == nullptr) return format;
  format.axis = page_->axis();
  format.shown = TimeShown::clock;
  format.lined_up = false;
  return format;
}

QueryWindow SqlPanel::window_of(const Session& session) const {
  const bool of_b = page_ != nullptr && page_->used() == side_b;
  const TimelineState& state = of_b ? page_->session(side_b).state() : session.state();
  QueryWindow window{.view_begin = state.view.begin_ns, .view_end = state.view.end_ns()};
  if (state.range) {
    window.range_begin = state.range->begin_ns;
    window.range_end = state.range->end_ns;
  }
  if (state.selected) window.selected = std::pair(of_b ? 1U : 0U, state.selected);
  return window;
}

Status SqlPanel::run(AppContext& app, const Session& session, bool all) {
  const EditedText& edited = editor_.text();
  TextSpan part{0, edited.text().size()};
  if (edited.has_selection()) {
    part = edited.selection();
  } else if (!all) {
    const StatementRange statement = statement_at(edited.text(), edited.caret());
    part = {statement.begin, statement.end};
  }
  // A comment before a statement says what it is for.
  std::size_t about = 0;
  for (const StatementRange& each : statements_of(edited.text())) {
    if (each.end <= part.begin) about = each.end;
  }
  const std::string_view before = std::string_view(edited.text()).substr(about, part.end - about);
  std::string chosen = edited.text().substr(part.begin, part.size());
  if (is_blank(chosen)) return refused("There is no query here.");
  asked_.about = before.substr(0, kNotedBytes);
  return run_text(app, session, std::move(chosen), part.begin);
}

Status SqlPanel::run_text(AppContext& app, const Session& session, std::string text,
                          std::size_t offset) {
  // The second time it is meant.
  const QueryAnswer* answer = runner_.answer();
  const bool warned = answer != nullptr && answer->only_estimated && answer->asked.text == text;
  asked_.text = std::move(text);
  asked_.offset = offset;
  asked_.even_if_slow = warned;
  asked_.window = window_of(session);
  editor_version_ = editor_.text().version();
  asked_.name = is_saved() ? name_ : std::string();
  app.controllers().sql->note_run(asked_.text);
  history_at_ = 0;
  runner_.run(traces(session), asked_);
  app.draw_again();
  return ok();
}

bool SqlPanel::was_run_before(AppContext& app) const {
  return app.controllers().sql->knows(text());
}

void SqlPanel::restore(AppContext& app, Tab& tab, bool shown,
                       const std::vector<std::string>& tracks) {
  shows_ = shown;
  const SqlController& sql = *app.controllers().sql;
  for (const std::string& name : tracks) {
    const auto query = sql.saved(name);
    if (query && sql.knows(query->text)) tracks_.add_later(*query);
  }
  if (was_run_before(app)) static_cast<void>(run(app, *tab.session, true));
}

Status SqlPanel::add_track(AppContext& app, std::string name) {
  Session& session = *app.tabs().page()->session;
  const QueryTable* table = rows_.table();
  if (table == nullptr) return refused("There are no rows: run a query first.");
  const QueryAnswer& answer = *rows_.answer();
  if (!are_asked(answer.of, traces(session))) {
    return refused("The trace was read again: run the query again.");
  }
  if (name.empty()) name = rows_.title();
  const TrackLanes shown = lanes(session);
  Result<std::vector<AddedTrack>> tracks = tracks_of_rows(answer, *table, shown, name);
  if (!tracks) return tracks.error();
  tracks_.add(shown, std::move(*tracks), answer.asked.text);
  // The lane used last, unless it has none of the rows. They stand above all others.
  std::size_t lane = page_ != nullptr && page_->used() == side_b ? 1 : 0;
  const auto has_it = [&](std::size_t i) {
    const auto& of = shown[i]->added_tracks();
    return !of.empty() && of.back().name == name;
  };
  if (!has_it(lane)) lane = shown.size() - 1 - lane;
  ViewController& view = *app.controllers().view;
  if (page_ != nullptr && page_->act_on(lane == 0 ? side_a : side_b, true)) view.stop();
  return view.go_to_thread(fmt::format("track {}", shown[lane]->timeline().tracks.size() - 1));
}

Status SqlPanel::close_track(Session& session, const std::string& name) {
  return tracks_.close(lanes(session), name);
}

void SqlPanel::cancel() {
  if (running()) message_ = "the query was cancelled";
  runner_.cancel();
  tracks_.cancel();
}

bool SqlPanel::take_answer() {
  const QueryAnswer* answer = runner_.answer();
  if (answer == nullptr || answers_taken_ == runner_.answer_count()) return false;
  answers_taken_ = runner_.answer_count();
  if (answer->only_estimated) return true;
  if (answer->outcome.end == QueryEnd::cancelled) return true;
  if (!answer->tables.empty() || answer->outcome.ok()) {
    rows_.take(runner_.shared_answer(), answer->asked.text == asked_.text && follows_);
    chosen_row_.reset();
    for (const auto& table : rows_.tables()) {
      for (std::uint32_t i = 0; i < std::min<std::size_t>(table->values->strings->size(), 5'000);
           ++i) {
        shown_texts_ += table->values->strings->text(StringId{i}).substr(0, 512);
      }
    }
  }
  shown_given_ = false;
  return true;
}

bool SqlPanel::poll(Session& session, bool visible) {
  bool changed = runner_.poll();
  if (runner_.out_of_memory()) message_ = "There is not enough memory for this query.";
  runner_.let_go_of_older(traces(session));
  if (visible && (page_ != nullptr || session.has_trace())) runner_.want_schema(traces(session));
  changed |= take_answer();
  changed |= tracks_.poll(lanes(session), traces(session), message_);
  changed |= rows_.poll();
  const auto seconds = static_cast<std::int64_t>(runner_.running() ? runner_.running_seconds() : 0);
  changed |= std::exchange(shown_seconds_, seconds) != seconds;
  const QueryAnswer* answer = runner_.answer();
  // What asks for the view, the range or the selection follows them.
  const bool can_follow = follows_ && visible && !runner_.running() && answer != nullptr &&
                          answer->outcome.ok() && answer->outcome.uses_window;
  if (can_follow && (page_ != nullptr || session.has_trace())) {
    const QueryWindow now = window_of(session);
    const QueryWindow& then = answer->asked.window;
    const bool same = now.view_begin == then.view_begin && now.view_end == then.view_end &&
                      now.range_begin == then.range_begin && now.range_end == then.range_end &&
                      now.selected == then.selected;
    if (!same) {
      asked_.window = now;
      runner_.run(traces(session), asked_);
      changed = true;
    }
  }
  return changed;
}

}  // namespace cinderscope
