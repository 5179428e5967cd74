// Arguments of commands: the form that a row gives, and reading what was typed by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "ingest/base/result.h"

namespace cinderscope {

// A form lists arguments between blanks; those from the first "[" on may be left out. Each is a
// choice of words in lower case, a kind in capitals, or both: "OFFSET|start|same [N]". Kinds:
//   TEXT KEYS                    the rest of the line as it stands, quotes and all
//   PATH FOLDER NAME THREAD      the rest of the line where nothing may follow, else one word; in
//   WORDS NOTE REGEX TARGET      quotes it keeps the blanks at its ends
//   COLUMN PANEL                 the same; one of the words that the row's `choices` gives, if any
//   TIME BEGIN END FROM TO       a time, "+1.2s", as in typed_time.h
//   N                            a whole number from 1 on
//   SIZE OFFSET                  "500MB", "2GB"; "+12ms", "-3s"
//   COMMAND ADDRESS              one word, looked at by the command itself
// Arguments are separated by blanks; "…" with \" and \\ makes one of several words. A THREAD
// before a choice of words takes all words up to the last one that is such a choice.
enum class ArgumentKind : std::uint8_t {
  none,  // only the words
  text,
  path,
  name,
  thread,
  time,
  number,
  size,
  offset,
  choice,
  word,
};

struct ArgumentForm {
  std::string_view form;  // "OFFSET|start|same"
  ArgumentKind kind = ArgumentKind::none;
  std::vector<std::string_view> words;
  bool optional = false;
};
std::vector<ArgumentForm> argument_forms(const Command& command);

// Whether it can do nothing without an argument.
bool needs_argument(const Command& command);

// Arguments that fit a command's form; what was left out is an empty text.
class CommandArguments {
 public:
  CommandArguments() = default;
  explicit CommandArguments(std::vector<std::string> values) : values_(std::move(values)) {}
  bool empty() const { return values_.empty(); }
  const std::string& text(std::size_t argument = 0) const;
  bool is(std::string_view word) const { return text() == word; }
  std::optional<std::int64_t> number(std::size_t argument = 0) const;
  // Of "[on|off]" and other pairs: nothing given is the other one than `now`.
  bool switched(bool now, std::string_view on = "on") const { return empty() ? !now : is(on); }

 private:
  std::vector<std::string> values_;
};

// An Error says what the command takes. `choices` are those of COLUMN or PANEL.
Result<CommandArguments> parse_arguments(const Command& command, std::string_view text,
                                         std::span<const std::string> choices = {});

// For a command that takes TEXT apart by itself: a word at the front of `rest`, which goes on
// behind it; nullopt if its quotes do not end.
std::optional<std::string> take_word(std::string_view& rest);
// All of `rest`; without its quotes where it is one word in quotes.
std::string whole_rest(std::string_view rest);

// "sort-calls takes count or name, not "x".", for a command that looks at a word by itself.
Error unexpected_argument(std::string_view command, std::span<const std::string> expected,
                          std::string_view given);

// Splits "zoom-to 1 2" into name and the rest (blanks around both are dropped).
struct CommandCall {
  std::string_view name, argument;
};
CommandCall split_call(std::string_view text);

}  // namespace cinderscope
