// The left of the SQL tab: saved queries and examples, and the tables that there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "ingest/sql/query_run.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct SideQuery {
  std::string name, text;
  std::string about;                        // over it
  bool example = false, removable = false;  // removable: the user's own
};

struct SqlSideFrame {
  const Theme& theme;
  Rect area;
  std::span<const SideQuery> queries;   // the saved ones first
  std::string_view current = {};        // the one in the editor
  const QuerySchema* schema = nullptr;  // null: not known yet
};

struct SqlSideEvents {
  std::optional<std::size_t> opened, run, removed;  // queries
  bool save = false;                                // what is in the editor
  std::string inserted;                             // into the editor
};

// Keeps what is unfolded.
class SqlSide {
 public:
  SqlSideEvents draw(const SqlSideFrame& frame);

 private:
  void draw_queries(Column& column, const SqlSideFrame& frame, SqlSideEvents& events);
  void draw_tables(Column& column, const SqlSideFrame& frame, SqlSideEvents& events);
  void draw_columns(Column& column, const SchemaTable& table, SqlSideEvents& events);
  void draw_functions(Column& column, const SqlSideFrame& frame, SqlSideEvents& events);

  void draw_menu(const SqlSideFrame& frame, SqlSideEvents& events);

  bool all_examples_ = false, menu_asked_ = false;
  std::size_t menu_query_ = 0;
  std::set<std::string> open_ = {"slice"}, whole_;  // tables; those with all of their columns
};

// "duration" for DURATION, "number" for INTEGER and REAL.
std::string_view type_for_people(ColumnKind kind);

}  // namespace cinderscope
