#include "app/window/sql/sql_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/view.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/ascii.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/number_text.h"
#include "ingest/base/saturating.h"
#include "ingest/sql/statements.h"
#include "render/editing/sql_tokens.h"

namespace cinderscope {
namespace {

constexpr std::size_t kTitleBytes = 48, kStateRows = 10, kNotedBytes = 65536;

std::int64_t whole_at(const QueryTable& table, std::string_view column, std::uint32_t row) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ValueColumn& of = table.values->columns[i];
    if (table.columns[i].name == column && !of.numbers.empty()) return of.numbers[row];
  }
  return kNoNumber;
}

// The column of a number from 1, else of that name.
std::optional<std::size_t> column_meant(const QueryTable& table, std::string_view word) {
  const auto number = parse_number<std::size_t>(word);
  if (number && *number >= 1 && *number <= table.columns.size()) return *number - 1;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (equals_in_any_case(table.columns[i].name, word)) return i;
  }
  return std::nullopt;
}

// At most so many bytes, cut at a character.
std::string shortened_words(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, 4 * kTitleBytes)) {
    if (is_blank(c) ? !line.empty() && line.back() != ' ' : true) line += is_blank(c) ? ' ' : c;
  }
  if (line.size() <= kTitleBytes) return std::string(trimmed(line));
  std::size_t end = kTitleBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80) --end;
  return std::string(trimmed(line.substr(0, end))) + "…";
}

void write_cell(JsonWriter& out, const ValueTable& table, const ValueColumn& column,
                std::uint32_t row) {
  if (is_null(table, column, row)) {
    out.null();
  } else if (column.head.kind == CellKind::text) {
    out.text(text_in(table, column, row));
  } else if (!column.reals.empty()) {
    out.number(column.reals[row]);
  } else {
    out.number(column.numbers[row]);
  }
}

void write_cell(TableWriter& out, const QueryCell& cell) {
  if (const auto* text = std::get_if<std::string_view>(&cell)) {
    out.text(*text);
  } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    out.number(*whole);
  } else if (const auto* number = std::get_if<double>(&cell); number && std::isfinite(*number)) {
    out.decimal(fmt::to_string(*number));
  } else {
    out.null();
  }
}

}  // namespace

SqlPanel::SqlPanel() : runner_([] { Window::wake(); }), rows_([] { Window::wake(); }) {}

std::uint64_t SqlPanel::count(const Session& /*session*/) const {
  const QueryTable* table = shown_table();
  return table == nullptr ? 0 : table->values->row_count;
}

const QueryTable* SqlPanel::shown_table() const {
  return which_ < tables_.size() ? tables_[which_].get() : nullptr;
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

SqlWords SqlPanel::words() const {
  SqlWords words;
  const QueryTraceSchema* schema = runner_.schema();
  if (schema == nullptr) return words;
  for (const SchemaTable& table : schema->schema.tables) {
    SqlWords::Table& added = words.tables.emplace_back();
    added.name = table.name;
    added.takes_arguments = table.is_function;
    for (const SchemaColumn& column : table.columns) {
      if (!column.hidden) {
        added.columns.push_back({column.name, std::string(type_for_people(column.kind))});
      }
    }
  }
  for (const SchemaFunction& function : schema->schema.functions) {
    words.functions.push_back(
        {function.name, fmt::format("{}({})", function.name, function.arguments)});
  }
  words.names = [names = &schema->names](std::string_view part, std::size_t most) {
    std::vector<std::string> found, within;
    const std::string wanted = ascii_lower(part);
    for (const std::string& name : *names) {
      const std::size_t at = ascii_lower(name).find(wanted);
      if (at == 0) found.push_back(name);
      if (at != 0 && at != std::string::npos && within.size() < most) within.push_back(name);
      if (found.size() == most) break;
    }
    std::ranges::sort(found);
    std::ranges::sort(within);
    for (std::string& name : within) {
      if (found.size() < most) found.push_back(std::move(name));
    }
    return found;
  };
  return words;
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
        return sql_completions(text, caret, words());
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

QueryWindow SqlPanel::window_of(const Session& session) const {
  const TimelineState& state = session.state();
  QueryWindow window{.view_begin = state.view.begin_ns, .view_end = state.view.end_ns()};
  if (state.range) {
    window.range_begin = state.range->begin_ns;
    window.range_end = state.range->end_ns;
  }
  if (state.selected) window.selected = std::pair(0U, state.selected);
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
  runner_.run(session, asked_);
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

Status SqlPanel::add_track(Session& session, std::string name) {
  const QueryTable* table = shown_table();
  const QueryAnswer* answer = runner_.answer();
  if (table == nullptr || answer == nullptr)
    return refused("There are no rows: run a query first.");
  if (name.empty()) name = title();
  Result<AddedTrack> track = track_of_rows(*table, session.timeline(), std::move(name));
  if (!track) return track.error();
  tracks_.add(session, std::move(*track), shown_answer_->asked.text);
  return ok();
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
    const bool same_query = answer->asked.text == asked_.text && !tables_.empty() && follows_;
    tables_ = answer->tables;
    shown_answer_ = runner_.shared_answer();
    if (!same_query || which_ >= tables_.size()) {
      which_ = tables_.empty() ? 0 : tables_.size() - 1;
      order_.reset();
      filter_.clear();
      filter_open_ = false;
    }
    chosen_row_.reset();
    for (const auto& table : tables_) {
      for (std::uint32_t i = 0; i < std::min<std::size_t>(table->values->strings->size(), 5'000);
           ++i) {
        shown_texts_ += table->values->strings->text(StringId{i}).substr(0, 512);
      }
    }
  }
  shown_given_ = false;
  return true;
}

bool SqlPanel::order_rows() {
  const QueryTable* table = shown_table();
  bool changed = rows_.poll();
  if (table == nullptr) return changed;
  const RowsAsked wanted{table->values, order_, filter_};
  if (!rows_.is_due(wanted)) return changed;
  rows_.ask(wanted, [wanted](const BackgroundQuestion<std::vector<std::uint32_t>>& asked) {
    TableOrder order = wanted.order.value_or(TableOrder{.column = SIZE_MAX});
    Result<TableFilter> filter = parse_filter(*wanted.table, wanted.filter);
    return rows_in_order(*wanted.table, order, filter ? *filter : filter_by_text(wanted.filter),
                         &asked.cancelled);
  });
  return true;
}

bool SqlPanel::poll(Session& session, bool visible) {
  bool changed = runner_.poll();
  if (runner_.out_of_memory()) message_ = "There is not enough memory for this query.";
  runner_.let_go_of_older(session);
  if (session.has_trace() && visible) runner_.want_schema(session);
  changed |= take_answer();
  changed |= tracks_.poll(session, message_);
  changed |= order_rows();
  const auto seconds = static_cast<std::int64_t>(runner_.running() ? runner_.running_seconds() : 0);
  changed |= std::exchange(shown_seconds_, seconds) != seconds;
  const QueryAnswer* answer = runner_.answer();
  // What asks for the view, the range or the selection follows them.
  const bool can_follow = follows_ && visible && !runner_.running() && answer != nullptr &&
                          answer->outcome.ok() && answer->outcome.uses_window;
  if (can_follow && session.has_trace()) {
    const QueryWindow now = window_of(session);
    const QueryWindow& then = answer->asked.window;
    const bool same = now.view_begin == then.view_begin && now.view_end == then.view_end &&
                      now.range_begin == then.range_begin && now.range_end == then.range_end &&
                      now.selected == then.selected;
    if (!same) {
      asked_.window = now;
      runner_.run(session, asked_);
      changed = true;
    }
  }
  return changed;
}

// -- results

std::string SqlPanel::title() const {
  if (shown_answer_ == nullptr) return {};
  if (!shown_answer_->asked.name.empty()) return shown_answer_->asked.name;
  const QueryAsked& asked = shown_answer_->asked;
  const std::string_view comment = first_sql_comment(asked.about);
  return shortened_words(comment.empty() ? std::string_view(asked.text) : comment);
}

std::vector<MatchRef> SqlPanel::found(const QueryTable& table) const {
  std::vector<MatchRef> matches;
  for (const auto& column : table.places) {
    if (column.empty()) continue;
    for (const NamedPlace& place : column) {
      if (place.slice) {
        matches.push_back(
            {place.slice.track, false, place.slice.block, place.slice.row, place.slice.slice});
      } else if (place.instant) {
        matches.push_back({place.instant.track, true, place.instant.block, place.instant.row,
                           place.instant.instant});
      }
    }
    break;  // the first column that names any is what the rows are about
  }
  return matches;
}

Status SqlPanel::show(Tab& tab, bool on) {
  shows_ = on;
  if (!on) {
    if (tab.search.shows_given()) tab.search.set_text({});
    return ok();
  }
  const QueryTable* table = shown_table();
  if (table == nullptr) return ok();  // what comes will be shown
  if (shown_answer_->generation != tab.session->generation()) {
    return refused("The trace was read again: run the query again.");
  }
  std::vector<MatchRef> matches = found(*table);
  if (matches.empty()) {
    if (tab.search.shows_given()) tab.search.set_text({});
    return ok();
  }
  shown_given_ = true;
  tab.search.show_given("SQL: " + title(), std::move(matches));
  return ok();
}

// As somebody chose, else as the query says.
std::optional<TableOrder> SqlPanel::shown_order() const {
  if (order_) return order_;
  const QueryTable* table = shown_table();
  if (table == nullptr || tables_.size() > 1) return std::nullopt;
  const SqlOrder given = sql_order_of(shown_answer_->asked.text);
  for (std::size_t i = 0; i < table->columns.size() && !given.column.empty(); ++i) {
    if (!equals_in_any_case(table->columns[i].name, given.column)) continue;
    return TableOrder{.column = i, .descending = given.descending, .filter = {}};
  }
  return std::nullopt;
}

Status SqlPanel::sort(std::string_view column) {
  const QueryTable* table = shown_table();
  if (table == nullptr) return refused("There are no rows to sort.");
  const auto meant = column_meant(*table, column);
  if (!meant) return refused(fmt::format("There is no column \"{}\".", column));
  const TableOrder now = shown_order().value_or(TableOrder{.column = SIZE_MAX});
  order_ = sorted_by(now, *meant, table->values->columns[*meant].head.kind);
  return ok();
}

Status SqlPanel::filter(std::string_view text) {
  filter_open_ = !text.empty() || !filter_.empty() || !filter_open_;
  filter_ = text;
  return ok();
}

Status SqlPanel::show_column(std::string_view column, std::string_view as) {
  const QueryTable* table = shown_table();
  if (table == nullptr) return refused("There are no rows.");
  const auto meant = column_meant(*table, column);
  if (!meant) return refused(fmt::format("There is no column \"{}\".", column));
  const auto shown = shown_as(as);
  std::shared_ptr<const QueryTable> other;
  if (shown) other = shown_otherwise(*table, *meant, *shown);
  if (other == nullptr) return refused(fmt::format("{} cannot be shown as {}.", column, as));
  tables_[which_] = std::move(other);
  return ok();
}

std::vector<std::string> SqlPanel::column_words() const {
  std::vector<std::string> words;
  if (const QueryTable* table = shown_table()) {
    for (const QueryColumn& column : table->columns) words.push_back(column.name);
    for (std::size_t i = 0; i < table->columns.size(); ++i) words.push_back(fmt::to_string(i + 1));
  }
  return words;
}

std::optional<RowPlace> SqlPanel::place_of(const Timeline& timeline, const QueryTable& table,
                                           std::uint32_t row) const {
  for (const auto& column : table.places) {
    if (row < column.size() && column[row]) {
      return RowPlace{.named = column[row], .begin_ns = column[row].begin_ns};
    }
  }
  const std::int64_t begin_ns = whole_at(table, "ts", row);
  if (begin_ns == kNoNumber) return std::nullopt;
  RowPlace place{.begin_ns = begin_ns};
  place.duration_ns = std::max<std::int64_t>(whole_at(table, "dur", row), 0);
  // A window's query has one input, whose keys count from 1.
  const std::int64_t track = whole_at(table, "track_id", row);
  const std::int64_t thread = whole_at(table, "thread_id", row);
  const auto in = [](std::int64_t key, std::size_t count) {
    return key >= 1 && static_cast<std::uint64_t>(key) <= count;
  };
  if (in(track, timeline.tracks.size())) {
    place.track = static_cast<TrackId>(track - 1);
  } else if (in(thread, timeline.threads.size())) {
    place.track = timeline.threads[static_cast<std::size_t>(thread - 1)].track;
  }
  return place;
}

Status SqlPanel::go(AppContext& app, std::uint64_t row, bool zooms) {
  Tab& tab = *app.tabs().page();
  const QueryTable* table = shown_table();
  if (table == nullptr || row < 1 || row > table->values->row_count) {
    return refused("There is no such row.");
  }
  chosen_row_ = static_cast<std::uint32_t>(row - 1);
  if (shown_answer_->generation != tab.session->generation()) {
    return refused("The trace was read again: run the query again.");
  }
  const Timeline& timeline = tab.session->timeline();
  const auto place = place_of(timeline, *table, *chosen_row_);
  if (!place) return ok();  // it says nothing of a place
  SearchController& search = *app.controllers().search;
  if (place->named) {
    const NamedPlace& named = place->named;
    const MatchRef match = named.slice ? MatchRef{named.slice.track, false, named.slice.block,
                                                  named.slice.row, named.slice.slice}
                                       : MatchRef{named.instant.track, true, named.instant.block,
                                                  named.instant.row, named.instant.instant};
    zooms ? search.zoom_to_match(match) : search.show_match(match);
    return ok();
  }
  ViewController& view = *app.controllers().view;
  const std::int64_t end_ns = saturating_sum(place->begin_ns, place->duration_ns);
  const Viewport& now = tab.session->state().view;
  const bool seen = place->begin_ns >= now.begin_ns && end_ns <= now.end_ns();
  if (zooms && place->duration_ns > 0) {
    view.zoom_to_call(place->begin_ns, end_ns);
  } else if (!seen) {
    view.go_to_time(saturating_sum(place->begin_ns, place->duration_ns / 2));
  }
  if (place->track != kNoTrack) tab.revealed = {.track = place->track};
  return ok();
}

Result<TakenTable> SqlPanel::take_table(Session& session, TableText form) {
  const QueryTable* table = shown_table();
  if (table == nullptr) return refused("There are no rows: run a query first.");
  std::vector<std::uint32_t> rows;
  if (rows_.answer() != nullptr && rows_.answered()->table == table->values) {
    rows = *rows_.answer();
  } else {
    for (std::uint32_t row = 0; row < table->values->row_count; ++row) rows.push_back(row);
  }
  const bool as_given = !order_ && filter_.empty();
  TakenTable taken = taken_table("query", table->values, std::move(rows), form,
                                 timestamp_format(session.timeline(), session.state()));
  const bool same = shown_answer_->generation == session.generation();
  if (table->more && as_given && same && form != TableText::markdown) {
    taken.write_all = [all = all_rows(session, shown_answer_->asked, table->statement)](
                          TableWriter& out, const std::function<bool()>& put) {
      return all([&](std::span<const QueryCell> cells) {
        for (const QueryCell& each : cells) write_cell(out, each);
        return put();
      });
    };
  }
  return taken;
}

std::optional<TextSpan> SqlPanel::error_span() const {
  const QueryAnswer* answer = runner_.answer();
  if (answer == nullptr || answer->only_estimated || answer->outcome.ok() || runner_.running() ||
      answer->outcome.line == 0 || editor_version_ != editor_.text().version()) {
    return std::nullopt;
  }
  const std::size_t begin = answer->asked.offset + answer->outcome.offset;
  return TextSpan{begin, begin + std::max<std::size_t>(answer->outcome.length, 1)};
}

std::string SqlPanel::state_json(const Session& /*session*/) const {
  const QueryAnswer* answer = runner_.answer();
  if (answer == nullptr) return "null";
  JsonWriter out;
  const QueryTable* table = shown_table();
  const bool fits = table != nullptr && !answer->only_estimated;
  out.begin_object().field("text", std::string_view(answer->asked.text));
  out.field("rows", fits ? static_cast<std::uint64_t>(table->values->row_count) : 0U);
  out.field("shown", fits && rows_.answer() != nullptr
                         ? static_cast<std::uint64_t>(rows_.answer()->size())
                         : 0U);
  out.key("columns").begin_array();
  for (std::size_t i = 0; fits && i < table->columns.size(); ++i) {
    out.begin_object().field("name", std::string_view(table->columns[i].name));
    out.field("shown_as", word_of(table->shown[i])).end_object();
  }
  out.end_array().field("seconds", answer->outcome.seconds);
  out.field("rewritten", answer->outcome.rewritten);
  out.field("estimate_seconds", answer->estimate.seconds).key("error");
  if (answer->outcome.ok()) {
    out.null();
  } else {
    out.text(answer->outcome.text());
  }
  out.field("complete", !runner_.running() && !answer->only_estimated && !answer->so_far &&
                            answer->outcome.ok() && !(fits && table->more));
  out.key("first").begin_array();
  const std::vector<std::uint32_t>* rows = rows_.answer();
  for (std::size_t i = 0; fits && rows != nullptr && i < std::min(rows->size(), kStateRows); ++i) {
    if (rows_.answered()->table != table->values) break;
    out.begin_array();
    for (const ValueColumn& column : table->values->columns) {
      write_cell(out, *table->values, column, (*rows)[i]);
    }
    out.end_array();
  }
  out.end_array().end_object();
  return out.str();
}

}  // namespace cinderscope
