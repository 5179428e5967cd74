// The writer of all tables that leave the program as text: CSV, TSV, Markdown, JSON lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

enum class TableText : std::uint8_t {
  csv,         // RFC 4180 but for lines that end in LF; nothing between commas is no value
  tsv,         // for the clipboard: tabs and line breaks in fields become blanks
  markdown,    // for people: cells as they are on the screen
  json_lines,  // an object a row
};
// By the ending of a path: .csv, .tsv, .md, .jsonl.
std::optional<TableText> table_text_of(std::string_view path);

struct TableForm {
  TableText text = TableText::csv;
  // In CSV and TSV ' stands before texts that a spreadsheet would take for a formula.
  bool spreadsheet = false;
};

struct TextColumn {
  std::string key;         // in the head of CSV and TSV, and in JSON
  std::string title = {};  // in the head of Markdown; empty: the key
  bool numbers = false;    // to the right in Markdown
};

// Appends to a text, which its owner may empty between two rows. Texts may hold any bytes; those
// that are no UTF-8 become U+FFFD.
class TableWriter {
 public:
  TableWriter(std::string& out, TableForm form, std::vector<TextColumn> columns);

  bool for_people() const { return form_.text == TableText::markdown; }
  void head();  // nothing in JSON lines
  // The next cell; the one in the last column ends the row.
  void null();
  void text(std::string_view text);
  void number(std::int64_t number);
  void count(std::uint64_t number);
  void decimal(std::string_view digits);  // as JSON writes numbers
  void shown(std::string_view text);      // as on the screen: text for people

 private:
  void before_cell();
  void after_cell();
  void append(std::string_view text);
  void append(char c) { append(std::string_view(&c, 1)); }
  void append_text(std::string_view text);
  template <class Number>
  void append_number(Number number);
  void flush();

  std::string& out_;
  TableForm form_;
  std::vector<TextColumn> columns_;
  std::vector<std::string> before_;  // of each cell: what stands between it and the one before
  std::size_t at_ = 0;               // the next column
  // The end of the text, until the row ends: most cells are so short that to append each costs more
  // than to write it.
  std::array<char, 512> short_{};
  std::size_t short_bytes_ = 0;
};

// What Markdown would take for its own stands behind "\"; line breaks become blanks.
std::string escaped_markdown(std::string_view text);

}  // namespace cinderscope
