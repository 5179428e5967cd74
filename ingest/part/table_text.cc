#include "ingest/part/table_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

bool is_break(char c) {
  return c == '\t' || c == '\n' || c == '\r';
}

// All of it stands for itself; `sign` is what the form uses beside quotes.
bool is_plain(std::string_view text, char sign) {
  return std::ranges::all_of(
      text, [sign](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != sign; });
}

// What a spreadsheet calculates, if a field begins with it.
bool begins_formula(std::string_view text) {
  constexpr std::string_view kSigns = "=+-@\t\r";
  return !text.empty() && kSigns.find(text.front()) != std::string_view::npos;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

template <class Number>
void append_number(std::string& out, Number number) {
  char digits[24];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  out.append(std::begin(digits), end);
}

}  // namespace

std::optional<TableText> table_text_of(std::string_view path) {
  for (const auto& [ending, form] :
       {std::pair(".csv", TableText::csv), std::pair(".tsv", TableText::tsv),
        std::pair(".md", TableText::markdown), std::pair(".jsonl", TableText::json_lines)}) {
    if (path.ends_with(ending)) return form;
  }
  return std::nullopt;
}

TableWriter::TableWriter(std::string& out, TableForm form, std::vector<TextColumn> columns)
    : out_(out), form_(form), columns_(std::move(columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool is_first = i == 0;
    switch (form_.text) {
      case TableText::csv:
        before_.emplace_back(is_first ? "" : ",");
        break;
      case TableText::tsv:
        before_.emplace_back(is_first ? "" : "\t");
        break;
      case TableText::markdown:
        before_.emplace_back(is_first ? "| " : " | ");
        break;
      case TableText::json_lines:
        before_.push_back((is_first ? "{" : ",") + json_quoted(columns_[i].key) + ":");
    }
  }
}

void TableWriter::head() {
  if (form_.text == TableText::json_lines || columns_.empty()) return;
  for (const TextColumn& column : columns_) {
    text(for_people() && !column.title.empty() ? column.title : column.key);
  }
  if (!for_people()) return;
  for (const TextColumn& column : columns_) out_ += column.numbers ? "|--:" : "|---";
  out_ += "|\n";
}

void TableWriter::before_cell() {
  out_ += before_[at_];
}

void TableWriter::after_cell() {
  if (++at_ < columns_.size()) return;
  at_ = 0;
  if (form_.text == TableText::markdown) out_ += " |";
  if (form_.text == TableText::json_lines) out_ += '}';
  out_ += '\n';
}

void TableWriter::null() {
  before_cell();
  if (form_.text == TableText::json_lines) out_ += "null";
  after_cell();
}

void TableWriter::text(std::string_view text) {
  before_cell();
  append_text(text);
  after_cell();
}

void TableWriter::append_text(std::string_view text) {
  if (form_.text == TableText::markdown) {
    out_ += escaped_markdown(text);
    return;
  }
  if (form_.text == TableText::json_lines) {
    if (!is_plain(text, '\\')) {
      out_ += json_quoted(text);
      return;
    }
    out_ += '"';
    out_ += text;
    out_ += '"';
    return;
  }
  const bool is_csv = form_.text == TableText::csv;
  const bool guarded = form_.spreadsheet && begins_formula(text);
  if (!guarded && is_plain(text, ',')) {
    // An empty text is not the same as no value.
    out_ += is_csv && text.empty() ? std::string_view("\"\"") : text;
    return;
  }
  const std::string valid = (guarded ? "'" : "") + valid_utf8(text);
  if (!is_csv) {
    std::ranges::transform(valid, std::back_inserter(out_),
                           [](char c) { return is_break(c) ? ' ' : c; });
  } else if (valid.find_first_of(",\"\r\n") == std::string::npos) {
    out_ += valid;
  } else {
    append_quoted(out_, valid);
  }
}

void TableWriter::number(std::int64_t number) {
  before_cell();
  append_number(out_, number);
  after_cell();
}

void TableWriter::count(std::uint64_t number) {
  before_cell();
  append_number(out_, number);
  after_cell();
}

void TableWriter::decimal(std::string_view digits) {
  before_cell();
  out_ += digits;
  after_cell();
}

void TableWriter::shown(std::string_view text) {
  before_cell();
  append_text(text);
  after_cell();
}

std::string escaped_markdown(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos) out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

}  // namespace cinderscope
