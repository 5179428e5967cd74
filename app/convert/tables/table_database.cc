#include "app/convert/tables/table_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "ingest/base/path_text.h"
#include "ingest/sql/sqlite_file.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kMostIndexed = 20'000'000;

std::string type_of(const SchemaColumn& column) {
  return std::string(word_of(column.kind == ColumnKind::any ? ColumnKind::text : column.kind));
}

const SchemaTable* find_table(const std::vector<SchemaTable>& tables, std::string_view name) {
  const auto found = std::ranges::find(tables, name, &SchemaTable::name);
  return found == tables.end() ? nullptr : &*found;
}

std::string create_of(const SchemaTable& table) {
  std::string columns;
  for (const SchemaColumn& column : table.columns) {
    // The first column of most is their key.
    const bool is_key = columns.empty() && column.name == table.name + "_id";
    columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", sql_name(column.name),
                           is_key ? "INTEGER PRIMARY KEY" : type_of(column));
  }
  return fmt::format("CREATE TABLE {} ({})", sql_name(table.name), columns);
}

std::string insert_of(const SchemaTable& table) {
  std::string places;
  for (std::size_t i = 0; i < table.columns.size(); ++i) places += i == 0 ? "?" : ", ?";
  return fmt::format("INSERT INTO {} VALUES ({})", sql_name(table.name), places);
}

// Rows as they come.
class RowSink : public QuerySink {
 public:
  RowSink(SqliteFile& file, const std::atomic<bool>& cancelled)
      : file_(file), cancelled_(cancelled) {}
  void begin(std::size_t, std::span<const QueryColumn>) override {}
  bool row(std::span<const QueryCell> cells) override {
    if (const Status done = insert(cells); !done) error_ = done.error();
    return !error_ && !cancelled_;
  }
  const std::optional<Error>& error() const { return error_; }

 protected:
  virtual Status insert(std::span<const QueryCell> cells) { return file_.insert(cells); }
  SqliteFile& file_;

 private:
  const std::atomic<bool>& cancelled_;
  std::optional<Error> error_;
};

// Names and categories once, behind numbers.
constexpr const char* kSliceTables =
    "CREATE TABLE slice_row (slice_id INTEGER PRIMARY KEY, track_id INTEGER, ts INTEGER, dur "
    "INTEGER,"
    " self_dur INTEGER, depth INTEGER, parent_slice_id INTEGER, name_id INTEGER,"
    " category_id INTEGER, flags INTEGER);"
    "CREATE TABLE name (name_id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE category (category_id INTEGER PRIMARY KEY, category TEXT);";
constexpr const char* kInsertRow = "INSERT INTO slice_row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

// Columns with their declared types, which casts would not keep.
constexpr const char* kSliceView =
    "CREATE VIEW slice AS SELECT r.slice_id, k.trace_id, r.track_id, k.thread_id, k.process_id, "
    "r.ts,"
    " r.dur, r.ts + r.dur AS ts_end, r.self_dur, r.depth, r.parent_slice_id, r.name_id, n.name,"
    " c.category, r.flags & 1 AS unfinished, r.flags >> 1 & 1 AS overlapping,"
    " r.flags >> 2 & 1 AS cut_begin, r.flags >> 3 & 1 AS cut_end"
    " FROM slice_row r JOIN track k ON k.track_id = r.track_id"
    " LEFT JOIN name n ON n.name_id = r.name_id"
    " LEFT JOIN category c ON c.category_id = r.category_id;";
constexpr const char* kThreadSliceView =
    "CREATE VIEW thread_slice AS SELECT s.*, t.trace_name, p.process_name, p.pid, h.thread_name, "
    "h.tid"
    " FROM slice s JOIN trace t ON t.trace_id = s.trace_id"
    " LEFT JOIN process p ON p.process_id = s.process_id"
    " LEFT JOIN thread h ON h.thread_id = s.thread_id;";
constexpr const char* kIndices =
    "CREATE INDEX slice_by_name ON slice_row (name_id, dur);"
    "CREATE INDEX slice_by_track ON slice_row (track_id, depth, ts);"
    "CREATE INDEX slice_by_parent ON slice_row (parent_slice_id);";

constexpr const char* kSelectSlices =
    "SELECT slice_id, track_id, ts, dur, self_dur, depth, parent_slice_id, name_id, category,"
    " unfinished, overlapping, cut_begin, cut_end, name FROM slice";

class SliceSink final : public RowSink {
 public:
  using RowSink::RowSink;

  Status finish() {
    if (Status ready = file_.prepare("INSERT INTO name VALUES (?, ?)"); !ready) return ready;
    for (const auto& [id, name] : names_) {
      const QueryCell cells[] = {id, std::string_view(name)};
      if (Status done = file_.insert(cells); !done) return done;
    }
    if (Status ready = file_.prepare("INSERT INTO category VALUES (?, ?)"); !ready) {
      return ready;
    }
    for (const auto& [category, id] : categories_) {
      const QueryCell cells[] = {id, std::string_view(category)};
      if (Status done = file_.insert(cells); !done) return done;
    }
    return ok();
  }

 private:
  static constexpr std::size_t kNameId = 7, kCategory = 8, kFlags = 9, kFlagCount = 4, kName = 13;

  static std::int64_t number(const QueryCell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number == nullptr ? 0 : *number;
  }

  Status insert(std::span<const QueryCell> cells) override {
    QueryCell row[kFlags + 1];
    std::copy_n(cells.begin(), kCategory, row);
    row[kCategory] = std::monostate();
    if (const auto* category = std::get_if<std::string_view>(&cells[kCategory])) {
      const auto [known, is_new] = categories_.try_emplace(
          std::string(*category), static_cast<std::int64_t>(categories_.size()) + 1);
      row[kCategory] = known->second;
    }
    std::int64_t flags = 0;
    for (std::size_t i = 0; i < kFlagCount; ++i) {
      flags |= (number(cells[kFlags + i]) != 0 ? 1 : 0) << i;
    }
    row[kFlags] = flags;
    const std::int64_t name_id = number(cells[kNameId]);
    if (const auto* name = std::get_if<std::string_view>(&cells[kName])) {
      const auto known = names_.find(name_id);
      if (known == names_.end()) names_.emplace(name_id, std::string(*name));
    }
    return file_.insert(row);
  }

  std::unordered_map<std::int64_t, std::string> names_;
  std::unordered_map<std::string, std::int64_t> categories_;
};

Error stopped() {
  return {ErrorCode::cancelled, "Writing was cancelled.", {}};
}

Status fill(QueryDatabase& database, const std::string& select, RowSink& sink,
            const std::atomic<bool>& cancelled, std::uint64_t& rows) {
  const QueryOutcome outcome = database.run({.text = select}, cancelled, sink);
  if (sink.error()) return *sink.error();
  if (cancelled || outcome.end == QueryEnd::cancelled) return stopped();
  if (!outcome.ok()) return Error{ErrorCode::cannot_read, outcome.text(), {}};
  rows = outcome.rows;
  return ok();
}

}  // namespace

Result<WrittenTables> write_database(std::span<const OpenedTrace> traces,
                                     const TableRequest& request,
                                     const std::atomic<bool>& cancelled) {
  std::vector<QueryInput> inputs;
  for (const OpenedTrace& trace : traces) inputs.push_back(query_input(trace));
  QueryDatabase database(std::move(inputs));
  database.allow_long_values();
  const Result<std::vector<SchemaTable>> tables = tables_to_write(database.schema(), request);
  if (!tables) return tables.error();
  Result<std::unique_ptr<SqliteFile>> file = SqliteFile::create(path_of(request.out));
  if (!file) return file.error();
  SqliteFile& out = **file;

  WrittenTables written;
  for (const SchemaTable& table : *tables) {
    std::uint64_t& rows = written.rows[table.name];
    if (table.name == "slice") {
      SliceSink sink(out, cancelled);
      Status done = out.run(kSliceTables);
      if (done) done = out.prepare(kInsertRow);
      if (done) done = fill(database, kSelectSlices, sink, cancelled, rows);
      if (done) done = sink.finish();
      if (!done) return done.error();
      written.slices = rows;
      continue;
    }
    RowSink sink(out, cancelled);
    Status done = out.run(create_of(table));
    if (done) done = out.prepare(insert_of(table));
    if (done) done = fill(database, select_of(table), sink, cancelled, rows);
    if (!done) return done.error();
  }
  std::string views;
  if (find_table(*tables, "slice") != nullptr && find_table(*tables, "track") != nullptr) {
    views += kSliceView;
    if (find_table(*tables, "trace") != nullptr && find_table(*tables, "process") != nullptr &&
        find_table(*tables, "thread") != nullptr) {
      views += kThreadSliceView;
    }
  }
  if (find_table(*tables, "slice") != nullptr) {
    if (request.index || written.slices <= kMostIndexed) {
      views += kIndices;
    } else {
      written.remark =
          "There are no indices: --index makes them, half as large as the rows. A folder of tables "
          "(-o FOLDER/ --format csv) suits traces of this size better.";
    }
  }
  if (const Status made = out.run(views); !made) return made.error();
  if (cancelled) return stopped();
  if (const Status done = out.commit(); !done) return done.error();
  return written;
}

}  // namespace cinderscope
