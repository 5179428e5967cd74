#include "app/convert/tables/table_texts.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace cinderscope {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10;

std::vector<TextColumn> columns_of(const SchemaTable& table) {
  std::vector<TextColumn> columns;
  for (const SchemaColumn& column : table.columns) columns.push_back({.key = column.name});
  return columns;
}

class TextSink final : public QuerySink {
 public:
  TextSink(const SchemaTable& table, const TextOfTable& how, OutputFile& out)
      : out_(out), writer_(text_, {.text = how.text}, columns_of(table)), trace_id_(how.trace_id) {
    for (const SchemaColumn& column : table.columns) {
      is_trace_.push_back(column.name == "trace_id" && trace_id_ != 0);
    }
    writer_.head();
  }

  void begin(std::size_t, std::span<const QueryColumn>) override {}
  bool row(std::span<const QueryCell> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (is_trace_[i]) {
        writer_.number(trace_id_);
      } else {
        write(cells[i]);
      }
    }
    if (text_.size() < kPieceBytes) return true;
    flush();
    return out_.ok();
  }
  void flush() {
    out_.append(text_);
    text_.clear();
  }

 private:
  void write(const QueryCell& cell) {
    if (const auto* text = std::get_if<std::string_view>(&cell)) return writer_.text(*text);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return writer_.number(*number);
    const auto* real = std::get_if<double>(&cell);
    if (real == nullptr || !std::isfinite(*real)) return writer_.null();
    writer_.decimal(fmt::format("{}", *real));
  }

  OutputFile& out_;
  std::string text_;
  TableWriter writer_;
  std::int64_t trace_id_;
  std::vector<bool> is_trace_;  // of each column
};

}  // namespace

Result<std::uint64_t> write_table(QueryDatabase& database, const SchemaTable& table,
                                  const TextOfTable& how, OutputFile& out,
                                  const std::atomic<bool>& cancelled) {
  TextSink sink(table, how, out);
  const QueryOutcome outcome = database.run({.text = select_of(table)}, cancelled, sink);
  if (outcome.end == QueryEnd::cancelled || cancelled) {
    return Error{ErrorCode::cancelled, "Writing was cancelled.", {}};
  }
  if (!outcome.ok()) {
    return Error{ErrorCode::cannot_read,
                 fmt::format("The table {} cannot be written: {}", table.name, outcome.text()),
                 {}};
  }
  sink.flush();
  return outcome.rows;
}

}  // namespace cinderscope
