// How the SQL panel is drawn: what stands where, and what it says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/sql/sql_controller.h"
#include "app/window/sql/sql_examples.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"
#include "ingest/sql/sql_tokens.h"
#include "render/text/time_text.h"
#include "render/views/sql/sql_buttons.h"

namespace cinderscope {
namespace {

constexpr float kFootPx = 40, kEstimatePx = 34, kPadPx = 12, kBesidePx = 1200;
constexpr float kEditorShare = 0.406F, kLeastEditorPx = 320;
constexpr std::string_view kNoRows =
    "What a query gives stands here. Ctrl+Enter runs the "
    "statement at the cursor, Tab completes, Ctrl+S saves.";

std::string seconds_text(double seconds) {
  return duration_text(seconds * 1e9);
}

// As it is said on the command line: 1 GB are 2^30 bytes.
std::string memory_text(std::uint64_t bytes) {
  constexpr std::uint64_t kGb = 1 << 30, kMb = 1 << 20;
  return bytes >= kGb ? fmt::format("{} GB", bytes / kGb) : fmt::format("{} MB", bytes / kMb);
}

std::string looked_at_text(std::uint64_t slices) {
  return fmt::format("`{}` {} looked at", count_text(slices), slices == 1 ? "slice" : "slices");
}

std::string running_text(std::int64_t seconds, std::uint64_t slices) {
  const std::string text = fmt::format("running, `{} s`", seconds);
  return slices == 0 ? text : text + ", " + looked_at_text(slices);
}

}  // namespace

void SqlPanel::draw_side(const PanelFrame& frame, const Rect& area, Actions& actions) {
  AppContext& app = frame.app;
  SqlController& sql = *app.controllers().sql;
  sql.look_beside(frame.session.path());
  side_queries_.clear();
  const auto add = [&](std::string_view name, std::string_view text, bool example, bool own) {
    const std::string_view about = first_sql_comment(text);
    side_queries_.push_back({.name = std::string(name),
                             .text = std::string(text),
                             .about = std::string(about),
                             .example = example,
                             .removable = own});
  };
  for (const SavedQuery& query : sql.queries()) add(query.name, query.text, false, true);
  for (const SavedQuery& query : sql.queries_beside(frame.session.path())) {
    add(query.name, query.text, false, false);
  }
  for (const SqlExample& example : sql_examples()) add(example.name, example.text, true, false);
  const QuerySchema* schema = runner_.schema() == nullptr ? nullptr : &runner_.schema()->schema;
  const SqlSideEvents events = side_.draw({.theme = frame.theme,
                                           .area = area,
                                           .queries = side_queries_,
                                           .current = name_,
                                           .schema = schema});
  if (events.opened) run_command(actions, "sql-open", side_queries_[*events.opened].name);
  if (events.run) run_command(actions, "sql-run", side_queries_[*events.run].name);
  if (events.removed) run_command(actions, "sql-remove", side_queries_[*events.removed].name);
  if (events.save) run_command(actions, "sql-save");
  if (!events.inserted.empty()) insert(events.inserted);
}

float SqlPanel::draw_estimate(const PanelFrame& frame, const Rect& area, Actions& actions) {
  const QueryAnswer* answer = runner_.answer();
  if (answer == nullptr || !answer->only_estimated || runner_.running() ||
      editor_version_ != editor_.text().version()) {
    return 0;
  }
  const Pen pen = pen_of(frame.theme);
  const float height = std::round(pen.px(kEstimatePx));
  const Rect line{area.x, bottom_of(area) - height, area.width, height};
  fill(pen.list, line, pen.colours.panel);
  horizontal_line(pen.list, line.x, right_of(line), line.y, pen.colours.line);
  float right = right_of(line) - pen.px(kPadPx);
  const float y = std::round(middle_y(line) - pen.px(13));
  const auto button = [&](const char* id, std::string_view label) {
    const SqlButton of{label};
    right -= sql_button_width(pen, of);
    const bool clicked = sql_button(pen, id, right, y, of);
    right -= pen.px(8);
    return clicked;
  };
  const QueryEstimate& estimate = answer->estimate;
  if (!estimate.instead.empty() && button("instead", "Use name_stat")) {
    run_command(actions, "sql", estimate.instead);
    run_command(actions, "sql-run", "all");
  }
  if (button("run slow", "Run")) run_command(actions, "sql-run");
  std::string text = estimate.text.empty()
                         ? fmt::format("about {}: {} rows.", seconds_text(estimate.seconds),
                                       count_text(estimate.rows))
                         : estimate.text;
  if (!estimate.instead_text.empty()) text += " " + estimate.instead_text;
  draw_cut_text(pen.list, pen.words, line.x + pen.px(kPadPx), middle_y(line),
                std::max(right - line.x - pen.px(kPadPx), 1.0F), pen.colours.text, text);
  if (press_area("estimate", {line.x, line.y, std::max(right - line.x, 1.0F), height}).hovered) {
    hint(pen, text);
  }
  return height;
}

void SqlPanel::draw_foot(const PanelFrame& frame, const Rect& area, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  const float y = std::round(middle_y(area) - pen.px(13)) + 1;
  float x = area.x + pen.px(kPadPx);
  const bool runs = runner_.running();
  const SqlButton button = runs ? SqlButton{"Cancel", "Esc", "Ends the query"}
                                : SqlButton{"Run", "Ctrl+Enter",
                                            "Runs the selection, or the statement at the cursor; "
                                            "with Shift all of them"};
  if (sql_button(pen, "run", x, y, button)) {
    run_command(actions, runs ? "sql-cancel" : "sql-run");
  }
  x += sql_button_width(pen, button) + pen.px(kPadPx);
  float right = right_of(area) - pen.px(kPadPx);
  const QueryAnswer* answer = runner_.answer();
  const bool failed = !runs && answer != nullptr && !answer->only_estimated &&
                      !answer->outcome.ok() && answer->outcome.end != QueryEnd::cancelled;
  if (!name_.empty() && !failed) {
    const float name_px = std::min(text_width(pen.words, name_), (right - x) / 2);
    const bool saved = is_saved();
    draw_cut_text(pen.list, pen.words, right - name_px, middle_y(area), name_px + 1,
                  pen.colours.text, name_);
    right -= name_px + pen.px(4);
    right -= draw_text(pen.list, pen.words, right, middle_y(area), pen.colours.dim,
                       saved ? "Saved as" : "Changed since", Align::right);
    right -= pen.px(kPadPx);
  }
  const float room = std::max(right - x, 1.0F);
  if (runs) {
    draw_mixed(pen, x, middle_y(area), room, pen.colours.dim,
               running_text(shown_seconds_, runner_.slices_looked_at()));
  } else if (failed) {
    const std::string text = answer->outcome.text();
    draw_cut_text(pen.list, pen.words, x, middle_y(area), room, pen.colours.text, text);
    const Press press = press_area("error", {x, area.y, room, area.height});
    if (press.hovered) hint(pen, text);
    if (press.clicked) actions.push_back(CopyText{text});
  } else {
    static const std::string kLimits = fmt::format("at most `{} s`, `{}`", kQueryTimeMs / 1000,
                                                   memory_text(default_sort_memory()));
    draw_mixed(pen, x, middle_y(area), room, pen.colours.dim, kLimits);
  }
}

void SqlPanel::draw_editor(const PanelFrame& frame, const Rect& area, Actions& actions) {
  const float foot_px = std::round(frame.theme.px(kFootPx));
  const Rect foot{area.x, bottom_of(area) - foot_px, area.width, foot_px};
  Rect code{area.x, area.y, area.width, std::max(area.height - foot_px, 1.0F)};
  code.height -= draw_estimate(frame, code, actions);
  editor_area_ = code;
  const QueryAnswer* answer = runner_.answer();
  const std::string error =
      answer == nullptr || answer->outcome.ok() ? std::string() : answer->outcome.text();
  editor_.draw({.theme = frame.theme,
                .area = code,
                .focused = frame.app.controllers().panels->editing(),
                .underlined = error_span(),
                .underline_hint = error,
                .if_empty = "SELECT name, count, total FROM name_stat ORDER BY total DESC"});
  draw_foot(frame, foot, actions);
}

std::string SqlPanel::head_text() const {
  const QueryTable* table = rows_.table();
  const QueryAnswer* answer = rows_.answer();
  if (table == nullptr || answer == nullptr) return {};
  const std::size_t all = table->values->row_count;
  const std::vector<std::uint32_t>* ordered = rows_.ordered();
  const std::size_t shown = ordered != nullptr ? ordered->size() : all;
  std::string text = shown < all ? fmt::format("`{}` of ", count_text(shown)) : std::string();
  text += fmt::format("`{}` {}", count_text(all), all == 1 ? "row" : "rows");
  return fmt::format("{} in `{}`", text, seconds_text(answer->outcome.seconds));
}

std::string SqlPanel::head_note(const Session& session) {
  const QueryTable* table = rows_.table();
  const QueryAnswer* answer = rows_.answer();
  if (table == nullptr || answer == nullptr) return {};
  std::string note;
  const auto add = [&note](std::string_view text) {
    if (!note.empty()) note += ", ";
    note += text;
  };
  const std::uint64_t looked_at = answer->outcome.slices_looked_at;
  if (looked_at > 0) add(looked_at_text(looked_at));
  if (table->more) {
    add(fmt::format("first `{}` rows; Save… writes all", count_text(table->values->row_count)));
  }
  if (answer->so_far) add("so far");
  if (!are_asked(answer->of, traces(session))) add("of the trace before it was read again");
  if (answer->outcome.rewritten) add("added up natively");
  return note;
}

void SqlPanel::draw_results(const PanelFrame& frame, const Rect& area, Actions& actions) {
  const Session& session = frame.session;
  const QueryTable* table = rows_.table();
  const QueryAnswer* answer = runner_.answer();
  const std::string head = head_text(), note = head_note(session);
  SqlResultsFrame shown{.theme = frame.theme, .area = area, .time_format = time_format(session)};
  shown.table = table;
  if (const std::vector<std::uint32_t>* ordered = rows_.ordered()) shown.rows = *ordered;
  shown.head = head;
  shown.head_dim = note;
  const bool done = answer != nullptr && !answer->only_estimated && answer->outcome.ok();
  shown.note = table == nullptr ? (done ? std::string_view("Done; it gives no rows.") : kNoRows)
                                : std::string_view("No rows.");
  shown.which = rows_.which();
  shown.count = rows_.tables().size();
  if (const std::optional<TableOrder> order = rows_.order()) {
    shown.sorted = order->column;
    shown.descending = order->descending;
  }
  shown.filter = rows_.filter();
  shown.filter_open = rows_.filter_open();
  shown.shown = shows_;
  shown.can_show = table != nullptr && std::ranges::any_of(table->places, [](const auto& column) {
                     return !column.empty();
                   });
  shown.follows = follows_;
  shown.dim = runner_.running();
  shown.is_current = [&](std::uint32_t row) {
    if (table == nullptr) return false;
    if (chosen_row_) return *chosen_row_ == row;
    for (const auto& column : table->places) {
      if (row >= column.size() || !column[row].slice) continue;
      const Session& of = column[row].input == 0 ? session : page_->session(side_b);
      return column[row].slice == of.state().selected;
    }
    return false;
  };
  const SqlResultsEvents events = results_.draw(shown, actions);
  if (events.which) rows_.choose(*events.which);
  if (events.opened) {
    run_command(actions, "sql-go", fmt::format("{} zoom", *events.opened + 1));
  } else if (events.chosen) {
    run_command(actions, "sql-go", fmt::to_string(*events.chosen + 1));
  }
}

void SqlPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  ImGui::PushID("sql");
  // What was shown in the timeline before goes on with a new answer.
  const QueryTable* table = rows_.table();
  if (shows_ && !shown_given_ && table != nullptr && !runner_.running()) {
    shown_given_ = true;
    run_command(actions, "sql-show", "on");
  }
  const float side_px =
      std::min(std::round(pen.px(frame.session.state().gutter_px)), area.width / 3);
  draw_side(frame, {area.x, area.y, side_px, area.height}, actions);
  vertical_line(pen.list, area.x + side_px - 1, area.y, bottom_of(area), pen.colours.line);
  const Rect rest{area.x + side_px, area.y, area.width - side_px, area.height};
  if (area.width >= pen.px(kBesidePx)) {
    const float editor_px = std::round(std::max(rest.width * kEditorShare, pen.px(kLeastEditorPx)));
    draw_editor(frame, {rest.x, rest.y, editor_px - 1, rest.height}, actions);
    vertical_line(pen.list, rest.x + editor_px - 1, rest.y, bottom_of(rest), pen.colours.line);
    draw_results(frame, {rest.x + editor_px, rest.y, rest.width - editor_px, rest.height}, actions);
  } else {
    const float editor_px = std::round(rest.height * 0.5F);
    draw_editor(frame, {rest.x, rest.y, rest.width, editor_px}, actions);
    horizontal_line(pen.list, rest.x, right_of(rest), rest.y + editor_px, pen.colours.line);
    draw_results(frame, {rest.x, rest.y + editor_px + 1, rest.width, rest.height - editor_px - 1},
                 actions);
  }
  ImGui::PopID();
}

}  // namespace cinderscope
