#include "app/output/query_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/utf8.h"
#include "ingest/part/table_text.h"

namespace cinderscope {

namespace {

constexpr std::size_t kPieceBytes = 64 << 10;

// As SQLite's own programs write numbers: with a point or an exponent, so that they are no
// integers.
std::string decimal_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

// A cell as people read it: times and durations as in the window.
std::string shown_text(const QueryCell& cell, ColumnKind kind, const QueryOutputOptions& options) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    if (!options.raw && kind == ColumnKind::time) return timestamp_text(*whole, options.times);
    if (!options.raw && kind == ColumnKind::duration) {
      return duration_text(*whole, options.times.axis);
    }
    return fmt::to_string(*whole);
  }
  if (const auto* number = std::get_if<double>(&cell)) {
    if (!options.raw && kind == ColumnKind::duration) {
      return duration_text(*number, options.times.axis);
    }
    return decimal_text(*number);
  }
  const auto* text = std::get_if<std::string_view>(&cell);
  return text == nullptr ? std::string() : std::string(*text);
}

class Output : public QueryOutput {
 public:
  explicit Output(QueryOutputOptions options) : options_(std::move(options)) {}

  void begin(std::size_t, std::span<const QueryColumn> columns) final {
    rows_ = 0;
    kinds_.clear();
    for (const QueryColumn& column : columns) {
      kinds_.push_back(shown_kind(column.kind, column.name));
    }
    begin_answer(columns);
    ++answers_;
  }
  bool row(std::span<const QueryCell> cells) final {
    if (options_.most_rows != 0 && rows_ == options_.most_rows) return false;
    ++rows_;
    add_row(cells);
    if (piece_.size() >= kPieceBytes) flush();
    return reads_ && rows_ != options_.most_rows;
  }
  void end() final {
    end_answer();
    flush();
  }
  void finish() override { flush(); }

 protected:
  virtual void begin_answer(std::span<const QueryColumn> columns) = 0;
  virtual void add_row(std::span<const QueryCell> cells) = 0;
  virtual void end_answer() {}
  void flush() {
    if (reads_ && !piece_.empty()) reads_ = options_.write(piece_);
    piece_.clear();
  }

  QueryOutputOptions options_;
  std::vector<ColumnKind> kinds_;  // as the columns are shown
  std::string piece_;
  std::uint64_t rows_ = 0;
  std::size_t answers_ = 0;  // before this one

 private:
  bool reads_ = true;
};

// CSV, TSV, JSON lines and Markdown.
class TextOutput final : public Output {
 public:
  TextOutput(QueryOutputOptions options, TableText form)
      : Output(std::move(options)), form_(form) {}

 private:
  void begin_answer(std::span<const QueryColumn> columns) override {
    if (answers_ > 0 && form_ != TableText::json_lines) piece_ += '\n';
    std::vector<TextColumn> heads;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool numbers = kinds_[i] != ColumnKind::any && kinds_[i] != ColumnKind::text;
      heads.push_back({.key = columns[i].name, .numbers = numbers});
    }
    table_.emplace(piece_, TableForm{.text = form_}, std::move(heads));
    table_->head();
  }
  void add_row(std::span<const QueryCell> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const QueryCell& cell = cells[i];
      if (std::holds_alternative<std::monostate>(cell)) {
        table_->null();
      } else if (table_->for_people()) {
        table_->shown(shown_text(cell, kinds_[i], options_));
      } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        table_->number(*whole);
      } else if (const auto* number = std::get_if<double>(&cell)) {
        std::isfinite(*number) ? table_->decimal(decimal_text(*number)) : table_->null();
      } else {
        table_->text(std::get<std::string_view>(cell));
      }
    }
  }

  TableText form_;
  std::optional<TableWriter> table_;
};

// An array of objects; of several statements an array of these.
class JsonOutput final : public Output {
 public:
  using Output::Output;

  void finish() override {
    if (answers_ == 0) piece_ += "[";
    piece_ += options_.several || answers_ == 0 ? "]\n" : "\n";
    flush();
  }

 private:
  void begin_answer(std::span<const QueryColumn> columns) override {
    if (options_.several) piece_ += answers_ == 0 ? "[" : ",\n";
    piece_ += '[';
    keys_.clear();
    for (const QueryColumn& column : columns) {
      std::string key = column.name;  // objects have no two members of one name
      for (int n = 2; std::ranges::count(keys_, key) != 0; ++n) {
        key = fmt::format("{}_{}", column.name, n);
      }
      keys_.push_back(std::move(key));
    }
  }
  void add_row(std::span<const QueryCell> cells) override {
    JsonWriter object;
    object.begin_object();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      object.key(keys_[i]);
      if (const auto* whole = std::get_if<std::int64_t>(&cells[i])) {
        object.number(*whole);
      } else if (const auto* number = std::get_if<double>(&cells[i])) {
        std::isfinite(*number) ? object.raw(decimal_text(*number)) : object.null();
      } else if (const auto* text = std::get_if<std::string_view>(&cells[i])) {
        object.text(*text);
      } else {
        object.null();
      }
    }
    object.end_object();
    if (rows_ > 1) piece_ += ",\n ";
    piece_ += object.str();
  }
  void end_answer() override { piece_ += ']'; }

  std::vector<std::string> keys_;
};

// Laid out in columns as wide as the first rows need.
class TableOutput final : public Output {
 public:
  using Output::Output;

 private:
  static constexpr std::size_t kMeasuredRows = 500, kWidest = 100;

  struct Cell {
    std::string text;
    bool is_number = false;
  };

  void begin_answer(std::span<const QueryColumn> columns) override {
    if (answers_ > 0) piece_ += '\n';
    waiting_.clear();
    widths_.clear();
    std::vector<Cell> head;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool numbers = kinds_[i] != ColumnKind::any && kinds_[i] != ColumnKind::text;
      head.push_back({one_line(columns[i].name), numbers});
    }
    widths_.assign(columns.size(), 0);
    waiting_.push_back(std::move(head));
    laid_out_ = false;
  }
  void add_row(std::span<const QueryCell> cells) override {
    std::vector<Cell> row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool is_number = std::holds_alternative<std::int64_t>(cells[i]) ||
                             std::holds_alternative<double>(cells[i]);
      row.push_back({one_line(shown_text(cells[i], kinds_[i], options_)), is_number});
    }
    if (laid_out_) return write(row);
    waiting_.push_back(std::move(row));
    if (waiting_.size() > kMeasuredRows) lay_out();
  }
  void end_answer() override {
    if (!laid_out_) lay_out();
  }

  // A head stands where its numbers do.
  void lay_out() {
    laid_out_ = true;
    if (waiting_.size() > 1) {
      for (std::size_t i = 0; i < widths_.size(); ++i) {
        waiting_.front()[i].is_number |= waiting_[1][i].is_number;
      }
    }
    for (const std::vector<Cell>& row : waiting_) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths_[i] = std::max(widths_[i], width(row[i].text));
      }
    }
    for (const std::vector<Cell>& row : waiting_) write(row);
    waiting_.clear();
  }
  void write(const std::vector<Cell>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t used = width(row[i].text);
      const std::string blanks(widths_[i] > used ? widths_[i] - used : 0, ' ');
      const bool last = i + 1 == row.size();
      if (row[i].is_number) piece_ += blanks;
      piece_ += row[i].text;
      if (!row[i].is_number && !last) piece_ += blanks;
      piece_ += last ? "\n" : "  ";
    }
  }
  static std::size_t width(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) text.remove_prefix(first_char(text).size);
    return count;
  }
  // Without what would break the line, and cut where it is very long.
  static std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return (c >= 0 && c < ' ') || c == 127; }, ' ');
    std::string_view rest = text;
    std::size_t count = 0;
    for (; !rest.empty() && count < kWidest; ++count) rest.remove_prefix(first_char(rest).size);
    if (rest.empty()) return text;
    text.resize(text.size() - rest.size());
    return text + "…";
  }

  std::vector<std::vector<Cell>> waiting_;  // the head first
  std::vector<std::size_t> widths_;
  bool laid_out_ = false;
};

}  // namespace

std::optional<QueryForm> query_form_of(std::string_view word) {
  constexpr std::pair<std::string_view, QueryForm> kWords[] = {
      {"table", QueryForm::table},      {"csv", QueryForm::csv},
      {"tsv", QueryForm::tsv},          {"json", QueryForm::json},
      {"jsonl", QueryForm::json_lines}, {"markdown", QueryForm::markdown}};
  for (const auto& [each, form] : kWords) {
    if (each == word) return form;
  }
  return std::nullopt;
}

std::unique_ptr<QueryOutput> query_output(QueryOutputOptions options) {
  switch (options.form) {
    case QueryForm::table:
      return std::make_unique<TableOutput>(std::move(options));
    case QueryForm::json:
      return std::make_unique<JsonOutput>(std::move(options));
    case QueryForm::tsv:
      return std::make_unique<TextOutput>(std::move(options), TableText::tsv);
    case QueryForm::json_lines:
      return std::make_unique<TextOutput>(std::move(options), TableText::json_lines);
    case QueryForm::markdown:
      return std::make_unique<TextOutput>(std::move(options), TableText::markdown);
    default:
      return std::make_unique<TextOutput>(std::move(options), TableText::csv);
  }
}

}  // namespace cinderscope
