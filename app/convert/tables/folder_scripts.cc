#include "app/convert/tables/folder_scripts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/convert/tables/table_request.h"
#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kVersion = 1;

std::string_view word_of_form(TableText text) {
  return text == TableText::json_lines ? "jsonl" : "csv";
}

ColumnKind kind_of(std::string_view word) {
  for (const ColumnKind kind :
       {ColumnKind::integer, ColumnKind::real, ColumnKind::text, ColumnKind::time,
        ColumnKind::duration, ColumnKind::slice, ColumnKind::instant}) {
    if (word_of(kind) == word) return kind;
  }
  return ColumnKind::any;
}

bool is_text(const SchemaColumn& column) {
  return column.kind == ColumnKind::text || column.kind == ColumnKind::any;
}

// The column's type as another program calls it.
struct TypeNames {
  std::string_view whole, real, text;
  std::string_view of(const SchemaColumn& column) const {
    if (is_text(column)) return text;
    return column.kind == ColumnKind::real ? real : whole;
  }
};

const SchemaTable* find_table(const FolderSchema& schema, std::string_view name) {
  const auto found = std::ranges::find(schema.tables, name, &SchemaTable::name);
  return found == schema.tables.end() ? nullptr : &*found;
}

bool is_csv(const FolderSchema& schema) {
  return schema.text != TableText::json_lines;
}

constexpr std::string_view kThreadSlice =
    "CREATE OR REPLACE VIEW thread_slice AS\n"
    "SELECT s.*, t.trace_name, p.process_name, p.pid, h.thread_name, h.tid\n"
    "FROM slice s JOIN trace t USING (trace_id)\n"
    "LEFT JOIN thread h ON h.trace_id = s.trace_id AND h.thread_id = s.thread_id\n"
    "LEFT JOIN process p ON p.trace_id = s.trace_id AND p.process_id = s.process_id;\n";

// Where its files are not there: what Statistics measure, but for shares.
constexpr std::string_view kNameStat =
    "CREATE OR REPLACE VIEW name_stat AS\n"
    "SELECT trace, trace_id, name, count(*) AS count, sum(dur) AS total, sum(self_dur) AS self,\n"
    "  avg(dur) AS mean, quantile_disc(dur, 0.5) AS median, quantile_disc(dur, 0.9) AS p90,\n"
    "  quantile_disc(dur, 0.99) AS p99, min(dur) AS min, max(dur) AS max,\n"
    "  sum(unfinished) AS unfinished\n"
    "FROM slice GROUP BY trace, trace_id, name;\n";

std::string duckdb(const FolderSchema& schema) {
  constexpr TypeNames kTypes{"BIGINT", "DOUBLE", "VARCHAR"};
  std::string out =
      "-- Views over all partitions: run it in this folder, which is where the paths begin.\n";
  for (const SchemaTable& table : schema.tables) {
    std::string columns;
    for (const SchemaColumn& column : table.columns) {
      columns +=
          fmt::format("{}'{}': '{}'", columns.empty() ? "" : ", ", column.name, kTypes.of(column));
    }
    const std::string_view hive = "hive_partitioning = true, hive_types = {'trace': VARCHAR}";
    if (is_csv(schema)) {
      out += fmt::format(
          "CREATE OR REPLACE VIEW {} AS SELECT * FROM read_csv('{}/*/*.csv*', header = true, "
          "delim = ',', quote = '\"', escape = '\"',\n  nullstr = '', allow_quoted_nulls = false, "
          "{},\n  columns = {{{}}});\n",
          sql_name(table.name), table.name, hive, columns);
    } else {
      out += fmt::format(
          "CREATE OR REPLACE VIEW {} AS SELECT * FROM read_json('{}/*/*.jsonl*', "
          "format = 'newline_delimited',\n  {},\n  columns = {{{}}});\n",
          sql_name(table.name), table.name, hive, columns);
    }
  }
  const bool has_slices = find_table(schema, "slice") != nullptr;
  if (has_slices && find_table(schema, "thread") != nullptr &&
      find_table(schema, "process") != nullptr && find_table(schema, "trace") != nullptr) {
    out += kThreadSlice;
  }
  if (has_slices && find_table(schema, "name_stat") == nullptr) out += kNameStat;
  out += "CREATE OR REPLACE MACRO percentile(x, p) AS quantile_disc(x, p / 100.0);\n";
  return out;
}

std::string dask(const FolderSchema& schema) {
  constexpr TypeNames kTypes{"Int64", "float64", "string"};
  std::string out =
      "\"\"\"A function a table: with_dask.slice() gives a Dask frame of all traces, with their "
      "names in the column\n"
      "`trace`. Run it in this folder, or give the folder. NULL and the empty text are the same "
      "here.\"\"\"\n"
      "import os\n\nimport dask.dataframe\n\n"
      "HERE = os.path.dirname(os.path.abspath(__file__))\n\n\n";
  if (is_csv(schema)) {
    out +=
        "def read(table, types, numbers, folder=HERE):\n"
        "    \"\"\"Numbers may be missing, texts are as they stand.\"\"\"\n"
        "    files = os.path.join(folder, table, '*', table + '.csv*')\n"
        "    frame = dask.dataframe.read_csv(files, dtype=types, blocksize=None, "
        "include_path_column='path',\n"
        "                                    compression='infer', keep_default_na=False,\n"
        "                                    na_values={name: [''] for name in numbers})\n"
        "    frame['trace'] = frame['path'].astype(str).str.extract('trace=([^/]+)', "
        "expand=False)\n"
        "    return frame.drop(columns='path')\n";
  } else {
    out +=
        "def read(table, types, numbers, folder=HERE):\n"
        "    \"\"\"Numbers may be missing, texts are as they stand.\"\"\"\n"
        "    files = os.path.join(folder, table, '*', table + '.jsonl*')\n"
        "    frame = dask.dataframe.read_json(files, lines=True, blocksize=None, "
        "include_path_column='path',\n"
        "                                     compression='infer', dtype=types)\n"
        "    frame['trace'] = frame['path'].astype(str).str.extract('trace=([^/]+)', "
        "expand=False)\n"
        "    return frame.drop(columns='path').astype(types)\n";
  }
  for (const SchemaTable& table : schema.tables) {
    std::string types, numbers;
    for (const SchemaColumn& column : table.columns) {
      types +=
          fmt::format("{}'{}': '{}'", types.empty() ? "" : ", ", column.name, kTypes.of(column));
      if (!is_text(column)) {
        numbers += fmt::format("{}'{}'", numbers.empty() ? "" : ", ", column.name);
      }
    }
    out += fmt::format(
        "\n\ndef {0}(folder=HERE):\n    return read('{0}', {{{1}}},\n                [{2}], "
        "folder)\n",
        table.name, types, numbers);
  }
  return out;
}

std::string clickhouse(const FolderSchema& schema) {
  constexpr TypeNames kTypes{"Nullable(Int64)", "Nullable(Float64)", "Nullable(String)"};
  std::string out =
      "-- Untested: ClickHouse was not at hand. Views over all partitions, for clickhouse-local in "
      "this folder.\n"
      "SET format_csv_null_representation = '';\n";
  for (const SchemaTable& table : schema.tables) {
    std::string columns;
    for (const SchemaColumn& column : table.columns) {
      columns +=
          fmt::format("{}`{}` {}", columns.empty() ? "" : ", ", column.name, kTypes.of(column));
    }
    out += fmt::format(
        "CREATE VIEW `{0}` AS SELECT *, extract(_path, 'trace=([^/]+)') AS trace\n"
        "FROM file('{0}/*/*.{1}*', {2}, '{3}');\n",
        table.name, word_of_form(schema.text), is_csv(schema) ? "CSVWithNames" : "JSONEachRow",
        columns);
  }
  return out;
}

std::string spark(const FolderSchema& schema) {
  constexpr TypeNames kTypes{"BIGINT", "DOUBLE", "STRING"};
  std::string out =
      "\"\"\"Untested: Spark was not at hand. A function a table: with_spark.slice(spark) gives a "
      "frame of all traces,\n"
      "with their names in the column `trace`. Spark reads .gz; .zst where its Hadoop can.\"\"\"\n"
      "import os\n\nHERE = os.path.dirname(os.path.abspath(__file__))\n\n\n"
      "def read(spark, table, schema, folder=HERE):\n"
      "    path = os.path.join(folder, table)\n";
  out += is_csv(schema) ? "    return spark.read.csv(path, header=True, schema=schema, "
                          "nullValue='', emptyValue='',\n"
                          "                          quote='\"', escape='\"', multiLine=True)\n"
                        : "    return spark.read.json(path, schema=schema)\n";
  for (const SchemaTable& table : schema.tables) {
    std::string columns;
    for (const SchemaColumn& column : table.columns) {
      columns +=
          fmt::format("{}`{}` {}", columns.empty() ? "" : ", ", column.name, kTypes.of(column));
    }
    out += fmt::format(
        "\n\ndef {0}(spark, folder=HERE):\n    return read(spark, '{0}', '{1}, `trace` STRING', "
        "folder)\n",
        table.name, columns);
  }
  return out;
}

std::string_view unit_of(const SchemaColumn& column) {
  return column.kind == ColumnKind::time || column.kind == ColumnKind::duration
             ? "axis"
             : std::string_view();
}

}  // namespace

std::optional<FolderSchema> FolderSchema::from(std::string_view json) {
  const Result<JsonValue> read = read_json(json);
  const JsonValue* tables = read ? read->find("tables") : nullptr;
  const JsonValue* form = read ? read->find("form") : nullptr;
  if (tables == nullptr || form == nullptr || read->find("version") == nullptr) return std::nullopt;
  FolderSchema schema;
  schema.text =
      form->text == word_of_form(TableText::json_lines) ? TableText::json_lines : TableText::csv;
  for (const JsonMember& each : tables->members) {
    const JsonValue* name = each.value.find("name");
    const JsonValue* columns = each.value.find("columns");
    if (name == nullptr || columns == nullptr) return std::nullopt;
    SchemaTable table{.name = name->text, .help = {}, .columns = {}};
    for (const JsonMember& column : columns->members) {
      const JsonValue* column_name = column.value.find("name");
      const JsonValue* type = column.value.find("type");
      if (column_name == nullptr || type == nullptr) return std::nullopt;
      table.columns.push_back({.name = column_name->text, .kind = kind_of(type->text), .help = {}});
    }
    schema.tables.push_back(std::move(table));
  }
  return schema;
}

std::string FolderSchema::json() const {
  JsonWriter out;
  out.begin_object().field("version", kVersion).field("form", word_of_form(text));
  out.field("units", std::string_view("Times and durations are whole numbers in the unit of the "
                                      "trace's axis: trace.axis is ns or events."));
  out.key("tables").begin_array();
  for (const SchemaTable& table : tables) {
    out.begin_object().field("name", std::string_view(table.name));
    out.key("columns").begin_array();
    for (const SchemaColumn& column : table.columns) {
      out.begin_object().field("name", std::string_view(column.name));
      out.field("type", word_of(column.kind == ColumnKind::any ? ColumnKind::text : column.kind));
      if (!unit_of(column).empty()) out.field("unit", unit_of(column));
      out.end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return out.str() + "\n";
}

bool FolderSchema::add(const std::vector<SchemaTable>& more) {
  bool is_new = false;
  for (const SchemaTable& table : more) {
    const auto known = std::ranges::find(tables, table.name, &SchemaTable::name);
    if (known == tables.end()) {
      tables.push_back(table);
      is_new = true;
      continue;
    }
    for (const SchemaColumn& column : table.columns) {
      if (std::ranges::find(known->columns, column.name, &SchemaColumn::name) !=
          known->columns.end()) {
        continue;
      }
      known->columns.push_back(column);
      is_new = true;
    }
  }
  std::ranges::sort(tables, {}, &SchemaTable::name);
  return is_new;
}

std::vector<FolderScript> folder_scripts(const FolderSchema& schema) {
  return {{"duckdb.sql", duckdb(schema)},
          {"with_dask.py", dask(schema)},
          {"clickhouse.sql", clickhouse(schema)},
          {"with_spark.py", spark(schema)}};
}

}  // namespace cinderscope
