#include "ingest/sql/sql_table.h"

#include <fmt/format.h>

#include <new>
#include <string>

#include "ingest/base/utf8.h"

namespace cinderscope {

namespace {

// What SQLite's own structs begin with.
struct Table : sqlite3_vtab {
  std::unique_ptr<SqlTable> own;
};
struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<TableCursor> own;
};
struct Module {
  QueryData* data;
  const TableEntry* entry;
};

TableCursor& of(sqlite3_vtab_cursor* cursor) {
  return *static_cast<Cursor*>(cursor)->own;
}

// SQLite is C: nothing is thrown through it.
template <class Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    return SQLITE_ERROR;
  }
}

std::string declaration(const TableEntry& entry) {
  std::string text = "CREATE TABLE x(";
  for (const SqlColumn& column : entry.columns) {
    if (text.back() != '(') text += ", ";
    text += fmt::format("\"{}\" {}{}", column.name, word_of(column.kind),
                        column.hidden ? " HIDDEN" : "");
  }
  return text + ")";
}

int connect(sqlite3* connection, void* module_data, int, const char* const*, sqlite3_vtab** out,
            char**) {
  return guarded([&] {
    const Module& module = *static_cast<Module*>(module_data);
    const int declared = sqlite3_declare_vtab(connection, declaration(*module.entry).c_str());
    if (declared != SQLITE_OK) return declared;
    sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
    auto table = std::make_unique<Table>();
    table->own = module.entry->make(*module.data);
    *out = table.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
  return guarded([&] {
    auto cursor = std::make_unique<Cursor>();
    cursor->own = static_cast<Table*>(table)->own->open();
    *out = cursor.release();
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char* plan, int count,
           sqlite3_value** arguments) {
  return guarded([&] {
    const int result = of(cursor).filter(read_plan(plan == nullptr ? "" : plan),
                                         {arguments, static_cast<std::size_t>(count)});
    if (result != SQLITE_OK && !of(cursor).error().empty()) {
      sqlite3_free(cursor->pVtab->zErrMsg);
      cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", of(cursor).error().c_str());
    }
    return result;
  });
}

constexpr sqlite3_module kModule = {
    .iVersion = 1,
    .xCreate = connect,
    .xConnect = connect,
    .xBestIndex =
        [](sqlite3_vtab* table, sqlite3_index_info* info) {
          return guarded([&] { return static_cast<Table*>(table)->own->plan(*info); });
        },
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = [](sqlite3_vtab_cursor* cursor) { return guarded([&] { return of(cursor).next(); }); },
    .xEof = [](sqlite3_vtab_cursor* cursor) { return of(cursor).eof() ? 1 : 0; },
    .xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* out,
                  int column) { return guarded([&] { return of(cursor).column(out, column); }); },
    .xRowid =
        [](sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
          *out = of(cursor).rowid();
          return SQLITE_OK;
        },
};

class ListCursor final : public TableCursor {
 public:
  explicit ListCursor(std::unique_ptr<RowList> list) : list_(std::move(list)) {}

  int filter(const PlanText& plan, std::span<sqlite3_value*> arguments) override {
    NumberSet keys = NumberSet::of(1, list_->count());
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
      keys.keep(numbers_of(plan.terms[i], arguments[i]));
    }
    at_ = keys.empty() ? 0 : keys.first() - 1;
    end_ = keys.empty() ? 0 : keys.last();
    return SQLITE_OK;
  }
  int next() override {
    ++at_;
    return SQLITE_OK;
  }
  bool eof() const override { return at_ >= end_; }
  int column(sqlite3_context* out, int column) override {
    list_->cell(at_, column, out);
    return SQLITE_OK;
  }
  sqlite3_int64 rowid() const override { return at_ + 1; }

 private:
  std::unique_ptr<RowList> list_;
  std::int64_t at_ = 0, end_ = 0;
};

class ListTable final : public SqlTable {
 public:
  ListTable(const QueryData& data, std::unique_ptr<RowList> (*list)(const QueryData& data),
            bool keyed)
      : data_(data), list_(list), keyed_(keyed) {}

  int plan(sqlite3_index_info& info) const override {
    PlanWriter plan(info);
    auto rows = static_cast<double>(list_(data_)->count());
    for (int i = 0; keyed_ && i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.iColumn != 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      if (!constraint.usable) continue;
      // One value at a time, so that a list of keys becomes as many looks.
      plan.take_one(i);
      rows = 1;
      break;
    }
    return plan.finish(rows, rows * kRowCost);
  }
  std::unique_ptr<TableCursor> open() const override {
    return std::make_unique<ListCursor>(list_(data_));
  }

 private:
  const QueryData& data_;
  std::unique_ptr<RowList> (*list_)(const QueryData& data);
  bool keyed_;
};

}  // namespace

std::unique_ptr<SqlTable> listed_table(const QueryData& data,
                                       std::unique_ptr<RowList> (*list)(const QueryData& data),
                                       bool keyed) {
  return std::make_unique<ListTable>(data, list, keyed);
}

int add_table(sqlite3* connection, QueryData& data, const TableEntry& entry) {
  const std::string name(entry.name);
  const int made =
      sqlite3_create_module_v2(connection, name.c_str(), &kModule, new Module{&data, &entry},
                               [](void* module) { delete static_cast<Module*>(module); });
  if (made != SQLITE_OK) return made;
  const std::string text = fmt::format("CREATE VIRTUAL TABLE \"{0}\" USING \"{0}\"", name);
  return sqlite3_exec(connection, text.c_str(), nullptr, nullptr, nullptr);
}

void give_text(sqlite3_context* out, std::string_view text) {
  const std::string valid = valid_utf8(text);
  sqlite3_result_text64(out, valid.data(), valid.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void give_lasting_text(sqlite3_context* out, std::string_view text) {
  // A null pointer would be NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  sqlite3_result_text64(out, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void give_key(sqlite3_context* out, std::int64_t key) {
  key == 0 ? sqlite3_result_null(out) : sqlite3_result_int64(out, key);
}

}  // namespace cinderscope
