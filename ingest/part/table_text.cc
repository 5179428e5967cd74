#include "ingest/part/table_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

bool is_break(char c) {
  return c == '\t' || c == '\n' || c == '\r';
}

// All of it stands for itself; `sign` is what the form uses beside quotes.
template <char sign>
bool is_plain(std::string_view text) {
  static constexpr auto kPlain = [] {
    std::array<bool, 256> plain{};
    for (char c = ' '; c < 0x7f; ++c) plain[static_cast<unsigned char>(c)] = c != '"' && c != sign;
    return plain;
  }();
  return std::ranges::all_of(text, [](char c) { return kPlain[static_cast<unsigned char>(c)]; });
}

// What a spreadsheet calculates, if a field begins with it.
bool begins_formula(std::string_view text) {
  constexpr std::string_view kSigns = "=+-@\t\r";
  return !text.empty() && kSigns.find(text.front()) != std::string_view::npos;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out += '"';
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
  for (const TextColumn& column : columns_) append(column.numbers ? "|--:" : "|---");
  append("|\n");
  flush();
}

void TableWriter::before_cell() {
  append(before_[at_]);
}

void TableWriter::after_cell() {
  if (++at_ < columns_.size()) return;
  at_ = 0;
  if (form_.text == TableText::markdown) append(" |");
  if (form_.text == TableText::json_lines) append('}');
  append('\n');
  flush();
}

void TableWriter::append(std::string_view text) {
  if (text.size() > short_.size() - short_bytes_) {
    flush();
    if (text.size() > short_.size()) {
      out_ += text;
      return;
    }
  }
  std::memcpy(short_.data() + short_bytes_, text.data(), text.size());
  short_bytes_ += text.size();
}

template <class Number>
void TableWriter::append_number(Number number) {
  constexpr std::size_t kMostDigits = 24;
  if (short_.size() - short_bytes_ < kMostDigits) flush();
  char* const begin = short_.data() + short_bytes_;
  const char* const end = std::to_chars(begin, begin + kMostDigits, number).ptr;
  short_bytes_ += static_cast<std::size_t>(end - begin);
}

void TableWriter::flush() {
  out_.append(short_.data(), short_bytes_);
  short_bytes_ = 0;
}

void TableWriter::null() {
  before_cell();
  if (form_.text == TableText::json_lines) append("null");
  after_cell();
}

void TableWriter::text(std::string_view text) {
  before_cell();
  append_text(text);
  after_cell();
}

void TableWriter::append_text(std::string_view text) {
  if (form_.text == TableText::markdown) {
    append(escaped_markdown(text));
    return;
  }
  if (form_.text == TableText::json_lines) {
    if (!is_plain<'\\'>(text)) {
      append(json_quoted(text));
      return;
    }
    append('"');
    append(text);
    append('"');
    return;
  }
  const bool is_csv = form_.text == TableText::csv;
  const bool guarded = form_.spreadsheet && begins_formula(text);
  if (!guarded && is_plain<','>(text)) {
    // An empty text is not the same as no value.
    append(is_csv && text.empty() ? std::string_view("\"\"") : text);
    return;
  }
  std::string valid = (guarded ? "'" : "") + valid_utf8(text);
  if (!is_csv) {
    std::ranges::replace_if(valid, is_break, ' ');
    append(valid);
  } else if (valid.find_first_of(",\"\r\n") == std::string::npos) {
    append(valid);
  } else {
    append(in_quotes(valid));
  }
}

void TableWriter::number(std::int64_t number) {
  before_cell();
  append_number(number);
  after_cell();
}

void TableWriter::count(std::uint64_t number) {
  before_cell();
  append_number(number);
  after_cell();
}

void TableWriter::decimal(std::string_view digits) {
  before_cell();
  append(digits);
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
