#include "render/editing/sql_completion.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/sql/sql_tokens.h"

namespace cinderscope {
namespace {

// Those worth completing, longest-known first letters: SELECT before SET.
constexpr auto kOffered = std::to_array<std::string_view>({"SELECT",
                                                           "FROM",
                                                           "WHERE",
                                                           "JOIN",
                                                           "LEFT JOIN",
                                                           "USING",
                                                           "ON",
                                                           "GROUP BY",
                                                           "ORDER BY",
                                                           "PARTITION BY",
                                                           "HAVING",
                                                           "LIMIT",
                                                           "DESC",
                                                           "DISTINCT",
                                                           "AND",
                                                           "OR",
                                                           "NOT",
                                                           "NULL",
                                                           "IS",
                                                           "IN",
                                                           "LIKE",
                                                           "GLOB",
                                                           "REGEXP",
                                                           "BETWEEN",
                                                           "CASE",
                                                           "WHEN",
                                                           "THEN",
                                                           "ELSE",
                                                           "END",
                                                           "AS",
                                                           "OVER",
                                                           "FILTER",
                                                           "WITH",
                                                           "RECURSIVE",
                                                           "UNION ALL",
                                                           "EXISTS",
                                                           "OFFSET",
                                                           "EXPLAIN",
                                                           "CAST",
                                                           "CREATE TEMP TABLE",
                                                           "CREATE TEMP VIEW"});

// A table as it stands in FROM.
struct Source {
  std::string table, alias;
};

class Statement {
 public:
  Statement(std::string_view text, std::size_t caret) : text_(text) {
    for (const SqlToken& token : sql_tokens(text)) {
      if (token.kind == SqlTokenKind::comment) {
        const bool to_line_end = text[token.begin] == '-';
        const std::size_t inside = token.end - (to_line_end || token.open ? 0 : 1);
        in_comment_ |= token.begin < caret && caret <= inside;
        continue;
      }
      const bool ends = is_sign(token, ";");
      if (ends && token.end <= caret) {
        tokens_.clear();
        continue;
      }
      if (ends) break;
      tokens_.push_back(token);
    }
  }

  bool caret_in_comment() const { return in_comment_; }
  std::span<const SqlToken> tokens() const { return tokens_; }
  std::string_view text_of(const SqlToken& token) const {
    return cinderscope::text_of(token, text_);
  }
  bool is_sign(const SqlToken& token, std::string_view sign) const {
    return token.kind == SqlTokenKind::sign && text_of(token) == sign;
  }
  bool is_word(const SqlToken& token, std::string_view word) const {
    return (token.kind == SqlTokenKind::word || token.kind == SqlTokenKind::keyword) &&
           equals_in_any_case(text_of(token), word);
  }
  bool is_name(const SqlToken& token) const {
    return token.kind == SqlTokenKind::word || token.kind == SqlTokenKind::name;
  }
  std::string name_of(const SqlToken& token) const { return cinderscope::name_of(text_of(token)); }

  // The tables behind FROM and JOIN, sub-queries and all.
  std::vector<Source> sources() const;
  std::vector<std::string> common_tables() const;  // WITH x AS

 private:
  std::size_t behind_brackets(std::size_t at) const;
  std::string_view text_;
  std::vector<SqlToken> tokens_;
  bool in_comment_ = false;
};

// From an opening bracket to behind its closing one.
std::size_t Statement::behind_brackets(std::size_t at) const {
  std::size_t depth = 0;
  for (; at < tokens_.size(); ++at) {
    if (is_sign(tokens_[at], "(")) ++depth;
    if (is_sign(tokens_[at], ")") && --depth == 0) return at + 1;
  }
  return at;
}

std::vector<Source> Statement::sources() const {
  std::vector<Source> sources;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!is_word(tokens_[i], "FROM") && !is_word(tokens_[i], "JOIN")) continue;
    std::size_t at = i + 1;
    for (;;) {
      if (at >= tokens_.size() || !is_name(tokens_[at])) break;
      Source source{.table = name_of(tokens_[at++]), .alias = {}};
      if (at < tokens_.size() && is_sign(tokens_[at], "(")) at = behind_brackets(at);
      if (at < tokens_.size() && is_word(tokens_[at], "AS")) ++at;
      if (at < tokens_.size() && is_name(tokens_[at])) source.alias = name_of(tokens_[at++]);
      sources.push_back(std::move(source));
      if (at >= tokens_.size() || !is_sign(tokens_[at], ",")) break;
      ++at;
    }
  }
  return sources;
}

std::vector<std::string> Statement::common_tables() const {
  std::vector<std::string> names;
  if (tokens_.empty() || !is_word(tokens_[0], "WITH")) return names;
  for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
    if (is_word(tokens_[i], "SELECT")) break;
    if (!is_name(tokens_[i])) continue;
    names.push_back(name_of(tokens_[i]));
    std::size_t at = i + 1;
    if (is_sign(tokens_[at], "(")) at = behind_brackets(at);
    while (at < tokens_.size() && !is_sign(tokens_[at], "(")) ++at;
    i = behind_brackets(at) - 1;
  }
  return names;
}

const SqlWords::Table* table_named(const SqlWords& words, std::string_view name) {
  const auto found = std::ranges::find_if(words.tables, [&](const SqlWords::Table& table) {
    return equals_in_any_case(table.name, name);
  });
  return found == words.tables.end() ? nullptr : &*found;
}

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && equals_in_any_case(text.substr(0, prefix.size()), prefix);
}

// Whether the text token number `at` is compared with a column called name, in any way.
bool is_compared_with_name(const Statement& statement, std::size_t at) {
  const auto tokens = statement.tokens();
  const auto before = [&](std::size_t i) { return i > 0 ? i - 1 : tokens.size(); };
  std::size_t i = before(at);
  // Out of a list: IN ('a', 'b', '…
  while (i < tokens.size() &&
         (statement.is_sign(tokens[i], ",") || tokens[i].kind == SqlTokenKind::text)) {
    i = before(i);
  }
  if (i < tokens.size() && statement.is_sign(tokens[i], "(")) i = before(i);
  if (i >= tokens.size()) return false;
  constexpr auto kSigns = std::to_array<std::string_view>({"=", "==", "<>", "!="});
  constexpr auto kWords = std::to_array<std::string_view>({"LIKE", "GLOB", "IN", "IS", "NOT"});
  const bool compares = std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return statement.is_sign(tokens[i], sign); });
  std::size_t words = 0;
  while (i < tokens.size() && std::ranges::any_of(kWords, [&](std::string_view word) {
           return statement.is_word(tokens[i], word);
         })) {
    ++words;
    i = before(i);
  }
  if (words == 0 && !compares) return false;
  if (compares) i = before(i);
  return i < tokens.size() && statement.is_name(tokens[i]) &&
         equals_in_any_case(statement.name_of(tokens[i]), "name");
}

std::string doubled_quotes(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '\'' ? 2 : 1, c);
  return doubled;
}

std::string single_quotes(std::string_view text) {
  std::string single;
  for (std::size_t i = 0; i < text.size(); ++i) {
    single += text[i];
    if (text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
  }
  return single;
}

// The names of calls that go into a text, which is closed if it was open.
SqlCompletions call_names(std::string_view text, const SqlToken& token, std::size_t caret,
                          const SqlWords& words) {
  SqlCompletions found{.replaced = {token.begin + 1, caret}, .items = {}};
  const bool closed = !token.open;
  if (closed) found.replaced.end = token.end - 1;
  if (!words.names || found.replaced.end < found.replaced.begin) return found;
  const std::string typed = single_quotes(text.substr(token.begin + 1, caret - token.begin - 1));
  for (const std::string& name : words.names(typed, kMostCompletions)) {
    found.items.push_back({.text = doubled_quotes(name) + (closed ? "" : "'"),
                           .detail = {},
                           .kind = SqlCompletionKind::call_name});
  }
  return found;
}

struct Collector {
  std::string_view typed;
  std::vector<SqlCompletion> items = {};
  std::set<std::string> seen = {};

  void add(std::string_view text, std::string_view detail, SqlCompletionKind kind) {
    if (items.size() >= kMostCompletions || !begins_with(text, typed)) return;
    if (!seen.insert(ascii_lower(text)).second) return;
    items.push_back({std::string(text), std::string(detail), kind});
  }
  void add_columns(const SqlWords::Table& table) {
    for (const SqlWords::Column& column : table.columns) {
      add(column.name, column.type, SqlCompletionKind::column);
    }
  }
};

bool wants_table(const Statement& statement, std::size_t before) {
  const auto tokens = statement.tokens();
  if (before >= tokens.size()) return false;
  constexpr auto kBefore = std::to_array<std::string_view>({"FROM", "JOIN", "INTO", "TABLE"});
  if (std::ranges::any_of(kBefore, [&](std::string_view word) {
        return statement.is_word(tokens[before], word);
      })) {
    return true;
  }
  if (!statement.is_sign(tokens[before], ",")) return false;
  // A comma of the list behind FROM.
  for (std::size_t i = before; i-- > 0;) {
    if (statement.is_word(tokens[i], "FROM")) return true;
    const bool of_list = statement.is_name(tokens[i]) || statement.is_sign(tokens[i], ",") ||
                         statement.is_word(tokens[i], "AS");
    if (!of_list) return false;
  }
  return false;
}

}  // namespace

SqlCompletions sql_completions(std::string_view text, std::size_t caret, const SqlWords& words) {
  caret = std::min(caret, text.size());
  const Statement statement(text, caret);
  if (statement.caret_in_comment()) return {{caret, caret}, {}};
  const auto tokens = statement.tokens();
  std::size_t at = 0;  // the token that the caret is in, or at the end of
  while (at < tokens.size() && tokens[at].end < caret) ++at;
  const bool in_token = at < tokens.size() && tokens[at].begin < caret;
  if (in_token && tokens[at].kind == SqlTokenKind::text) {
    const bool inside = caret < tokens[at].end || tokens[at].open;
    if (!inside || !is_compared_with_name(statement, at)) return {{caret, caret}, {}};
    return call_names(text, tokens[at], caret, words);
  }
  const bool word = in_token && (tokens[at].kind == SqlTokenKind::word ||
                                 tokens[at].kind == SqlTokenKind::keyword);
  if (in_token && !word && tokens[at].kind != SqlTokenKind::sign) return {{caret, caret}, {}};
  const std::size_t begin = word ? tokens[at].begin : caret;
  Collector out{.typed = text.substr(begin, caret - begin)};
  std::size_t before = tokens.size();  // the token before what is typed
  for (std::size_t i = 0; i < tokens.size() && tokens[i].end <= begin; ++i) before = i;
  const std::vector<Source> sources = statement.sources();

  if (before < tokens.size() && statement.is_sign(tokens[before], ".") && before > 0) {
    const std::string name = statement.name_of(tokens[before - 1]);
    for (const Source& source : sources) {
      const bool meant =
          equals_in_any_case(source.alias.empty() ? source.table : source.alias, name);
      const SqlWords::Table* table = meant ? table_named(words, source.table) : nullptr;
      if (table != nullptr) out.add_columns(*table);
    }
    return {{begin, caret}, std::move(out.items)};
  }
  const auto add_tables = [&] {
    for (const std::string& name : statement.common_tables()) {
      out.add(name, "WITH", SqlCompletionKind::table);
    }
    for (const SqlWords::Table& table : words.tables) {
      out.add(table.name, table.takes_arguments ? "(…)" : "table", SqlCompletionKind::table);
    }
  };
  if (wants_table(statement, before)) {
    add_tables();
    return {{begin, caret}, std::move(out.items)};
  }
  for (const Source& source : sources) {
    if (const SqlWords::Table* table = table_named(words, source.table)) out.add_columns(*table);
  }
  for (const Source& source : sources) {
    if (!source.alias.empty()) out.add(source.alias, source.table, SqlCompletionKind::table);
  }
  for (const SqlWords::Function& function : words.functions) {
    out.add(function.name, function.form, SqlCompletionKind::function);
  }
  if (!out.typed.empty()) {
    for (const std::string_view keyword : kOffered) {
      out.add(keyword, {}, SqlCompletionKind::keyword);
    }
    add_tables();
  }
  return {{begin, caret}, std::move(out.items)};
}

}  // namespace cinderscope
