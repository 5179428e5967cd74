#include "ingest/sql/run/authoriser.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <optional>

#include "ingest/base/ascii.h"
#include "ingest/sql/sql_tokens.h"

namespace cinderscope {

namespace {

// What SQLite 3.40 has, sorted; what reads files, loads code, writes to a log or belongs to its
// other virtual tables is missing.
constexpr auto kFunctions = std::to_array<std::string_view>({
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "ceil",
    "ceiling",
    "changes",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_patch",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_insert_rowid",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "max",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "random",
    "randomblob",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sin",
    "sinh",
    "soundex",
    "sqlite_version",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "tan",
    "tanh",
    "time",
    "timediff",
    "total",
    "total_changes",
    "trim",
    "trunc",
    "typeof",
    "unhex",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
    "zeroblob",
});
static_assert(std::ranges::is_sorted(kFunctions));

constexpr auto kPragmas = std::to_array<std::string_view>({"function_list", "table_info"});

// SQLite's own virtual tables that are there without being made, but for those that only take apart
// what they are given.
bool is_foreign_table(std::string_view name) {
  constexpr auto kForeign = std::to_array<std::string_view>(
      {"bytecode", "dbstat", "fts3tokenize", "fts5vocab", "sqlite_dbpage", "sqlite_stmt",
       "tables_used", "completion", "generate_series", "fsdir", "zipfile", "csv"});
  if (std::ranges::find(kForeign, name) != kForeign.end()) return true;
  constexpr std::string_view kPragma = "pragma_";
  return name.starts_with(kPragma) &&
         std::ranges::find(kPragmas, name.substr(kPragma.size())) == kPragmas.end();
}

// Statements that would not always ask whether they are allowed.
constexpr auto kRefusedVerbs = std::to_array<std::string_view>(
    {"ALTER", "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "DELETE", "DETACH", "END", "REINDEX",
     "RELEASE", "ROLLBACK", "SAVEPOINT", "UPDATE", "VACUUM"});

std::string_view view_of(const char* text) {
  return text == nullptr ? "" : text;
}

// What a refused action is called.
std::string_view word_of(int code) {
  switch (code) {
    case SQLITE_ATTACH:
      return "ATTACH";
    case SQLITE_DETACH:
      return "DETACH";
    case SQLITE_ALTER_TABLE:
      return "ALTER TABLE";
    case SQLITE_REINDEX:
      return "REINDEX";
    case SQLITE_ANALYZE:
      return "ANALYZE";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return "transactions";
    case SQLITE_DELETE:
      return "DELETE";
    case SQLITE_INSERT:
      return "INSERT into tables of a trace";
    case SQLITE_UPDATE:
      return "UPDATE";
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TEMP_INDEX:
      return "indices";
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_TEMP_TRIGGER:
      return "triggers";
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_VIEW:
      return "CREATE without TEMP";
    case SQLITE_CREATE_VTABLE:
      return "CREATE VIRTUAL TABLE";
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_VTABLE:
      return "DROP of tables of a trace";
    default:
      return "this";
  }
}

}  // namespace

std::string Authoriser::refusal_of(const Action& action) const {
  const bool in_temp = action.database == "temp";
  const bool of_schema = action.first == "sqlite_temp_master";
  switch (action.code) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_VIEW:
      return {};
    case SQLITE_READ:
      return is_foreign_table(action.first) ? std::string(action.first) : std::string();
    case SQLITE_FUNCTION: {
      const bool known = std::ranges::binary_search(kFunctions, action.second) ||
                         functions_.contains(action.second);
      return known ? std::string() : std::string(action.second) + "()";
    }
    case SQLITE_PRAGMA:
      return std::ranges::find(kPragmas, action.first) != kPragmas.end()
                 ? std::string()
                 : "PRAGMA " + std::string(action.first);
    // Making and dropping tables of their own changes the list of these.
    case SQLITE_INSERT:
      if (in_temp && (!of_schema || verb_ == "CREATE")) return {};
      break;
    // SQLite's own notes of tables, which statements cannot change themselves.
    case SQLITE_UPDATE:
      if (of_schema || action.first == "sqlite_master") return {};
      break;
    case SQLITE_DELETE:
      if (in_temp && verb_ == "DROP") return {};
      break;
    default:
      break;
  }
  return std::string(word_of(action.code));
}

void Authoriser::guard(sqlite3* connection) {
  const auto check = [](void* self, int code, const char* first, const char* second,
                        const char* database, const char*) {
    auto& own = *static_cast<Authoriser*>(self);
    std::string refusal =
        own.refusal_of({code, view_of(first), view_of(second), view_of(database)});
    if (refusal.empty()) return SQLITE_OK;
    if (own.refused_.empty()) own.refused_ = std::move(refusal);
    return SQLITE_DENY;
  };
  sqlite3_set_authorizer(connection, check, this);
}

bool Authoriser::begin_statement(std::string_view verb) {
  verb_ = verb;
  const bool refused = std::ranges::find(kRefusedVerbs, verb) != kRefusedVerbs.end();
  refused_ = refused ? verb : "";
  return !refused;
}

std::string first_word(std::string_view statement) {
  std::optional<SqlToken> token = next_sql_token(statement, 0);
  while (token && token->kind == SqlTokenKind::comment) {
    token = next_sql_token(statement, token->end);
  }
  std::string word(token ? text_of(*token, statement) : std::string_view());
  for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  return word;
}

}  // namespace cinderscope
