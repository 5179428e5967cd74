#include "render/views/sql/sql_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kPadPx = 14, kHeadPx = 29, kRowPx = 22, kColumnPx = 19, kColumnIndentPx = 20;
constexpr std::size_t kFewExamples = 5, kFewColumns = 6;

// A row that lights up over the whole width.
Press side_row(const Pen& pen, std::size_t id, const Rect& area, const Rect& row) {
  const Press press = press_area(id, {area.x, row.y, area.width - 1, row.height});
  if (press.hovered) {
    fill(pen.list, {area.x, row.y, area.width - 1, row.height}, with_alpha(pen.colours.line, 120));
  }
  return press;
}

void draw_head(const Pen& pen, const Rect& row, std::string_view text) {
  draw_text(pen.list, pen.words, row.x, middle_y(row) + pen.px(2), pen.colours.dim, text);
}

}  // namespace

std::string_view type_for_people(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::integer:
    case ColumnKind::real:
      return "number";
    case ColumnKind::text:
      return "text";
    case ColumnKind::time:
      return "time";
    case ColumnKind::duration:
      return "duration";
    case ColumnKind::slice:
      return "slice";
    case ColumnKind::instant:
      return "instant";
    default:
      return "";
  }
}

void SqlSide::draw_queries(Column& column, const SqlSideFrame& frame, SqlSideEvents& events) {
  const Pen& pen = column.pen();
  const Rect head = column.row(pen.px(kHeadPx));
  draw_head(pen, head, "Queries");
  const float plus_px = pen.px(22);
  const Rect plus{right_of(head) - plus_px + pen.px(6), head.y, plus_px, head.height};
  const Press save = press_area("save", plus);
  draw_text(pen.list, pen.title, right_of(plus) - pen.px(6), middle_y(head) + pen.px(1),
            save.hovered ? pen.colours.text : pen.colours.dim, "+", Align::right);
  if (save.hovered) hint(pen, "Save the query under a name (Ctrl+S)");
  events.save = save.clicked;
  const auto saved =
      static_cast<std::size_t>(std::ranges::count(frame.queries, false, &SideQuery::example));
  const std::size_t examples = frame.queries.size() - saved;
  const std::size_t few = saved > 0 ? 0 : std::min(examples, kFewExamples);
  const std::size_t shown = all_examples_ ? frame.queries.size() : saved + few;
  ImGui::PushID("queries");
  for (std::size_t i = 0; i < shown; ++i) {
    const SideQuery& query = frame.queries[i];
    const Rect row = column.row(pen.px(kRowPx));
    const bool on = query.name == frame.current;
    if (on) {
      fill(pen.list, {frame.area.x, row.y, frame.area.width - 1, row.height}, pen.colours.raised);
      fill(pen.list, {frame.area.x, row.y, std::max(std::round(pen.px(2)), 1.0F), row.height},
           pen.colours.accent);
    }
    const Press press = side_row(pen, i, frame.area, row);
    draw_cut_text(pen.list, pen.words, row.x, middle_y(row), row.width, pen.colours.text,
                  query.name);
    if (press.hovered) hint(pen, query.about.empty() ? query.name : query.about);
    if (press.clicked) events.opened = i;
    if (press.right_clicked) {
      menu_query_ = i;
      menu_asked_ = true;
    }
    if (press.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) events.run = i;
  }
  ImGui::PopID();
  if (examples > few || all_examples_) {
    const Rect row = column.row(pen.px(kRowPx));
    const Press press = side_row(pen, std::size_t{1'000'000}, frame.area, row);
    const std::string text =
        all_examples_ ? std::string("fewer examples") : fmt::format("all {} examples …", examples);
    draw_cut_text(pen.list, pen.words, row.x, middle_y(row), row.width,
                  press.hovered ? pen.colours.text : pen.colours.dim, text);
    if (press.clicked) all_examples_ = !all_examples_;
  }
}

void SqlSide::draw_columns(Column& column, const SchemaTable& table, SqlSideEvents& events) {
  const Pen& pen = column.pen();
  const bool whole = whole_.contains(table.name);
  const bool all = whole || table.columns.size() <= kFewColumns + 2;
  const std::size_t shown = all ? table.columns.size() : kFewColumns;
  // Keys of other tables are wanted least.
  std::vector<const SchemaColumn*> columns;
  for (const bool keys : {false, true}) {
    for (const SchemaColumn& of : table.columns) {
      const bool key = &of != table.columns.data() && of.name.ends_with("_id");
      if (key == keys) columns.push_back(&of);
    }
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const SchemaColumn& of = *columns[i];
    Rect row = column.row(pen.px(kColumnPx));
    const Press press = lit_row(pen, i, row);
    row.x += pen.px(kColumnIndentPx);
    row.width -= pen.px(kColumnIndentPx);
    const std::string_view type = of.hidden ? "argument" : type_for_people(of.kind);
    const float type_px = text_width(pen.words, type);
    draw_cut_text(pen.list, pen.numbers, row.x, middle_y(row), row.width - type_px - pen.px(6),
                  of.hidden ? pen.colours.dim : pen.colours.text, of.name);
    draw_text(pen.list, pen.words, right_of(row), middle_y(row), pen.colours.dim, type,
              Align::right);
    if (press.hovered && !of.help.empty()) hint(pen, of.help);
    if (press.clicked) events.inserted = of.name;
  }
  if (all) return;
  Rect row = column.row(pen.px(kColumnPx));
  const Press press = lit_row(pen, std::size_t{100'000}, row);
  draw_text(pen.list, pen.numbers, row.x + pen.px(kColumnIndentPx), middle_y(row),
            press.hovered ? pen.colours.text : pen.colours.dim,
            fmt::format("{} more", table.columns.size() - shown));
  if (press.clicked) whole_.insert(table.name);
}

void SqlSide::draw_tables(Column& column, const SqlSideFrame& frame, SqlSideEvents& events) {
  const Pen& pen = column.pen();
  column.gap(pen.px(7));
  const Rect head = column.row(pen.px(kHeadPx));
  horizontal_line(pen.list, frame.area.x, right_of(frame.area), head.y, pen.colours.line);
  draw_head(pen, head, "Tables");
  if (frame.schema == nullptr) {
    const Rect row = column.row(pen.px(kRowPx));
    draw_text(pen.list, pen.words, row.x, middle_y(row), pen.colours.dim, "…");
    return;
  }
  for (const SchemaTable& table : frame.schema->tables) {
    const Rect row = column.row(pen.px(kRowPx));
    ImGui::PushID(table.name.c_str());
    const bool open = open_.contains(table.name);
    const Press press = side_row(pen, 0, frame.area, row);
    const float arrow_px = pen.px(14);
    draw_text(pen.list, pen.icons, row.x, middle_y(row), pen.colours.dim,
              open ? icon::kUnfolded : icon::kFolded);
    std::string count;
    if (table.rows_known) count = count_text(table.rows);
    if (table.is_function) count = "(…)";
    const float count_px = text_width(pen.numbers, count);
    draw_cut_text(pen.list, pen.words, row.x + arrow_px, middle_y(row),
                  row.width - arrow_px - count_px - pen.px(6), pen.colours.text, table.name);
    draw_text(pen.list, pen.numbers, right_of(row), middle_y(row), pen.colours.dim, count,
              Align::right);
    if (press.hovered && !table.help.empty()) hint(pen, table.help);
    const bool on_arrow = ImGui::GetIO().MousePos.x < row.x + arrow_px;
    if (press.clicked && on_arrow) {
      open ? void(open_.erase(table.name)) : void(open_.insert(table.name));
    } else if (press.clicked) {
      events.inserted = table.name;
    }
    if (open) draw_columns(column, table, events);
    ImGui::PopID();
  }
}

void SqlSide::draw_functions(Column& column, const SqlSideFrame& frame, SqlSideEvents& events) {
  if (frame.schema == nullptr || frame.schema->functions.empty()) return;
  const Pen& pen = column.pen();
  column.gap(pen.px(7));
  const Rect head = column.row(pen.px(kHeadPx));
  horizontal_line(pen.list, frame.area.x, right_of(frame.area), head.y, pen.colours.line);
  draw_head(pen, head, "Functions");
  ImGui::PushID("functions");
  std::size_t id = 0;
  for (const SchemaFunction& function : frame.schema->functions) {
    const Rect row = column.row(pen.px(kColumnPx));
    const Press press = side_row(pen, id++, frame.area, row);
    draw_cut_text(pen.list, pen.numbers, row.x, middle_y(row), row.width, pen.colours.text,
                  fmt::format("{}({})", function.name, function.arguments));
    if (press.hovered && !function.help.empty()) hint(pen, function.help);
    if (press.clicked) events.inserted = function.name + "(";
  }
  ImGui::PopID();
}

void SqlSide::draw_menu(const SqlSideFrame& frame, SqlSideEvents& events) {
  constexpr const char* kId = "query menu";
  if (std::exchange(menu_asked_, false)) ImGui::OpenPopup(kId);
  const float scale = frame.theme.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * scale, 8 * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {12 * scale, 7 * scale});
  if (ImGui::BeginPopup(kId)) {
    if (menu_query_ >= frame.queries.size()) {
      ImGui::CloseCurrentPopup();
    } else {
      if (ImGui::MenuItem("Open")) events.opened = menu_query_;
      if (ImGui::MenuItem("Run")) events.run = menu_query_;
      if (ImGui::MenuItem("Remove", nullptr, false, frame.queries[menu_query_].removable)) {
        events.removed = menu_query_;
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

SqlSideEvents SqlSide::draw(const SqlSideFrame& frame) {
  SqlSideEvents events;
  Column column(frame.theme, "side", frame.area, frame.theme.px(kPadPx));
  draw_queries(column, frame, events);
  draw_tables(column, frame, events);
  draw_functions(column, frame, events);
  column.gap(column.pen().px(8));
  draw_menu(frame, events);
  return events;
}

}  // namespace cinderscope
