// What statements may do: read, and keep tables and views of their own beside the traces.
#pragma once

#include <set>
#include <string>
#include <string_view>

struct sqlite3;

namespace cinderscope {

// Outlives the connection it guards.
class Authoriser {
 public:
  // Beside the functions that SQLite brings and that do no harm.
  void allow_function(std::string_view name) { functions_.emplace(name); }
  // From here on; what the connection was filled with before needed more.
  void guard(sqlite3* connection);

  // Before a statement is prepared; `verb` is its first word, in upper case. False: it is refused.
  bool begin_statement(std::string_view verb);
  // What was refused since: "ATTACH", "load_extension()"; empty: nothing.
  const std::string& refused() const { return refused_; }

 private:
  // What SQLite tells of an action; any of them may be empty.
  struct Action {
    int code = 0;
    std::string_view first, second, database;
  };
  std::string refusal_of(const Action& action) const;  // empty: it is allowed

  std::set<std::string, std::less<>> functions_;
  std::string verb_, refused_;
};

// The first word of a statement, in upper case; empty if it does not begin with a word.
std::string first_word(std::string_view statement);

}  // namespace cinderscope
