// The tables bookmark, pause and help.
#include <algorithm>

#include "ingest/sql/query_schema.h"
#include "ingest/sql/tables/all_tables.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

class Bookmarks final : public RowList {
 public:
  explicit Bookmarks(const QueryData& data) {
    for (std::size_t i = 0; i < data.traces().size(); ++i) {
      const std::uint32_t input = data.traces()[i].input;
      if (i > 0 && data.traces()[i - 1].input == input) continue;
      for (const QueryBookmark& each : data.inputs()[input].bookmarks) {
        rows_.push_back({static_cast<std::int64_t>(i) + 1, &each});
      }
    }
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(rows_.size()); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const auto& [trace, bookmark] = rows_[static_cast<std::size_t>(row)];
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return sqlite3_result_int64(out, trace);
      case 2:
        return sqlite3_result_int64(out, bookmark->time_ns);
      case 3:
        return sqlite3_result_int64(out, bookmark->begin_ns);
      case 4:
        return sqlite3_result_int64(out, bookmark->end_ns);
      default:
        return give_text(out, bookmark->note);
    }
  }

 private:
  struct Row {
    std::int64_t trace;
    const QueryBookmark* bookmark;
  };
  std::vector<Row> rows_;
};

class Pauses final : public RowList {
 public:
  explicit Pauses(const QueryData& data) : data_(data), firsts_{0} {
    for (std::uint32_t input = 0; input < data.inputs().size(); ++input) {
      for (const auto& each : data.timeline(input).pauses) {
        processes_.push_back({input, each.get()});
        firsts_.push_back(firsts_.back() + static_cast<std::int64_t>(each->all().size()));
      }
    }
  }

  std::int64_t count() const override { return firsts_.back(); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const auto at =
        static_cast<std::size_t>(std::ranges::upper_bound(firsts_, row) - firsts_.begin() - 1);
    const auto& [input, pauses] = processes_[at];
    const Pause& pause = pauses->all()[static_cast<std::size_t>(row - firsts_[at])];
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return sqlite3_result_int64(out, data_.trace_key(input, pauses->process()));
      case 2:
        return give_key(out, data_.process_key(input, pauses->process()));
      case 3:
        return sqlite3_result_int64(out, pause.begin_ns);
      default:
        return sqlite3_result_int64(out, pause.end_ns - pause.begin_ns);
    }
  }

 private:
  struct OfProcess {
    std::uint32_t input;
    const ProcessPauses* pauses;
  };
  const QueryData& data_;
  std::vector<OfProcess> processes_;
  std::vector<std::int64_t> firsts_;  // rows before each, then all
};

class HelpRows final : public RowList {
 public:
  explicit HelpRows(const QueryData& data) {
    for (const TableEntry* table : data.tables()) {
      rows_.push_back({"table", std::string(table->name), std::string(table->help)});
      for (const SqlColumn& column : table->columns) {
        std::string text(word_of(column.kind));
        if (column.hidden) text += text.empty() ? "parameter" : ", parameter";
        if (!column.help.empty()) text += (text.empty() ? "" : ": ") + std::string(column.help);
        rows_.push_back(
            {"column", std::string(table->name) + "." + std::string(column.name), std::move(text)});
      }
    }
    for (const FunctionEntry* function : data.functions()) {
      rows_.push_back({function->is_aggregate ? "aggregate" : "function",
                       std::string(function->name) + "(" + std::string(function->arguments) + ")",
                       std::string(function->help)});
    }
  }

  std::int64_t count() const override { return static_cast<std::int64_t>(rows_.size()); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const Row& of = rows_[static_cast<std::size_t>(row)];
    give_text(out, column == 0 ? of.what : column == 1 ? of.name : of.text);
  }

 private:
  struct Row {
    std::string what, name, text;
  };
  std::vector<Row> rows_;
};

}  // namespace

const TableEntry& bookmark_table() {
  static const TableEntry entry = {
      .name = "bookmark",
      .help = "Bookmarks of the window or of a session",
      .columns = {{"bookmark_id", integer},
                  {"trace_id", integer},
                  {"ts", time},
                  {"begin_ts", time, "Of its view"},
                  {"end_ts", time},
                  {"note", text}},
      .make = make_listed<Bookmarks, true>,
      .row_count = [](const QueryData& data) { return Bookmarks(data).count(); }};
  return entry;
}

const TableEntry& pause_table() {
  static const TableEntry entry = {
      .name = "pause",
      .help = "Times in which all threads of a process stood still",
      .columns = {{"pause_id", integer},
                  {"trace_id", integer},
                  {"process_id", integer},
                  {"ts", time},
                  {"dur", duration}},
      .make = make_listed<Pauses, true>,
      .row_count = [](const QueryData& data) { return Pauses(data).count(); }};
  return entry;
}

const TableEntry& help_table() {
  static const TableEntry entry = {.name = "help",
                                   .help = "Tables, columns and functions",
                                   .columns = {{"what", text, "table, column, function, aggregate"},
                                               {"name", text},
                                               {"text", text}},
                                   .make = make_listed<HelpRows, false>};
  return entry;
}

}  // namespace cinderscope
