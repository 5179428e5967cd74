#include "app/commands/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/session/merge_offset.h"
#include "app/store/settings.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/model/typed_time.h"

namespace cinderscope {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kShownBytes = 60;  // of what was typed, in an error

struct KindName {
  std::string_view name;
  ArgumentKind kind;
  std::string_view noun;  // in errors
};
constexpr auto kKinds = std::to_array<KindName>({
    {"TEXT", ArgumentKind::text, "a text"},
    {"WORDS", ArgumentKind::name, "a text"},
    {"NOTE", ArgumentKind::name, "a note"},
    {"REGEX", ArgumentKind::name, "a regular expression"},
    {"KEYS", ArgumentKind::text, "keys"},
    {"PATH", ArgumentKind::path, "a file"},
    {"FOLDER", ArgumentKind::path, "a folder"},
    {"NAME", ArgumentKind::name, "a name"},
    {"THREAD", ArgumentKind::thread, "a thread"},
    {"TIME", ArgumentKind::time, "a time such as +1.2s"},
    {"BEGIN", ArgumentKind::time, "a time such as +1.2s"},
    {"END", ArgumentKind::time, "a time such as +1.2s"},
    {"FROM", ArgumentKind::time, "a time such as 1.2s"},
    {"TO", ArgumentKind::time, "a time such as 1.2s"},
    {"N", ArgumentKind::number, "a number from 1 on"},
    {"SIZE", ArgumentKind::size, "a size such as 500MB or 2GB"},
    {"OFFSET", ArgumentKind::offset, "an offset such as +12ms or -3s"},
    {"COLUMN", ArgumentKind::choice, "a column"},
    {"PANEL", ArgumentKind::choice, "a panel"},
    {"COMMAND", ArgumentKind::word, "a command"},
    {"ADDRESS", ArgumentKind::word, "an address"},
    {"TARGET", ArgumentKind::name, "what was clicked"},
});

const KindName* kind_named(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &KindName::name);
  return found == kKinds.end() ? nullptr : found;
}

bool takes_rest(ArgumentKind kind) {
  return kind == ArgumentKind::text || kind == ArgumentKind::path || kind == ArgumentKind::name ||
         kind == ArgumentKind::thread || kind == ArgumentKind::size || kind == ArgumentKind::choice;
}

bool is_word_of(const ArgumentForm& form, std::string_view text) {
  return std::ranges::find(form.words, text) != form.words.end();
}

// "a, b or c"
std::string any_of(std::span<const std::string> all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) text += i + 1 == all.size() ? " or " : ", ";
    text += all[i];
  }
  return text;
}

std::string expected(const ArgumentForm& form, std::span<const std::string> choices) {
  std::vector<std::string> all;
  if (form.kind == ArgumentKind::choice && !choices.empty()) {
    all.assign(choices.begin(), choices.end());
  }
  all.insert(all.end(), form.words.begin(), form.words.end());
  for (std::string_view rest = form.form; !rest.empty();) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    const KindName* kind = kind_named(rest.substr(0, bar));
    if (kind != nullptr && (kind->kind != ArgumentKind::choice || choices.empty())) {
      all.emplace_back(kind->noun);
    }
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return any_of(all);
}

Error unexpected(std::string_view command, std::string_view expected, std::string_view given) {
  return refused(
      fmt::format("{} takes {}, not \"{}\".", command, expected, given.substr(0, kShownBytes)));
}

bool fits(const ArgumentForm& form, const std::string& value,
          std::span<const std::string> choices) {
  if (is_word_of(form, value)) return true;
  switch (form.kind) {
    case ArgumentKind::none:
      return false;
    case ArgumentKind::time:
      return static_cast<bool>(typed_time(value));
    case ArgumentKind::number:
      return parse_number<std::int64_t>(value).value_or(0) > 0;
    case ArgumentKind::size:
      return megabytes_from(value).has_value();
    case ArgumentKind::offset:
      return merge_offset_from(value).has_value();
    case ArgumentKind::choice:
      return choices.empty() || std::ranges::find(choices, value) != choices.end();
    default:
      return true;
  }
}

// All words of `rest` up to the last one that the next argument knows.
std::optional<std::string> take_thread(std::string_view& rest, const ArgumentForm& next) {
  std::optional<std::string_view> thread;
  std::string_view behind, ahead = rest;
  while (!ahead.empty()) {
    const std::string_view before = ahead;
    const bool quoted = ahead.starts_with('"');
    const auto word = take_word(ahead);
    if (!word) break;
    if (quoted || !is_word_of(next, *word)) continue;
    thread = trimmed(rest.substr(0, static_cast<std::size_t>(before.data() - rest.data())));
    behind = before;
  }
  if (!thread) return take_word(rest);
  rest = behind;
  return whole_rest(*thread);
}

}  // namespace

std::optional<std::string> take_word(std::string_view& rest) {
  rest = trimmed(rest);
  // Of a bookmark's time, mark:"a note", only the note is quoted.
  constexpr std::string_view kMark = "mark:";
  if (rest.starts_with("mark:\"")) {
    rest.remove_prefix(kMark.size());
    const auto note = take_word(rest);
    return note ? std::optional(std::string(kMark) + *note) : std::nullopt;
  }
  if (!rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
    std::string word(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
    return word;
  }
  std::string word;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const bool escapes =
        rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\');
    if (escapes) {
      word += rest[++i];
    } else if (rest[i] == '"') {
      rest = trimmed(rest.substr(i + 1));
      return word;
    } else {
      word += rest[i];
    }
  }
  return std::nullopt;
}

std::string whole_rest(std::string_view rest) {
  std::string_view behind = rest;
  if (const auto word = take_word(behind); word && rest.starts_with('"') && behind.empty()) {
    return *word;
  }
  return std::string(rest);
}

std::vector<ArgumentForm> argument_forms(const Command& command) {
  std::vector<ArgumentForm> forms;
  bool optional = false;
  for (std::string_view rest = command.arguments; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    std::string_view form = rest.substr(0, blank);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
    optional |= form.starts_with('[');
    form.remove_prefix(std::min(form.find_first_not_of('['), form.size()));
    while (form.ends_with(']')) form.remove_suffix(1);
    ArgumentForm& added = forms.emplace_back();
    added.form = form;
    added.optional = optional;
    while (!form.empty()) {
      const std::size_t bar = std::min(form.find('|'), form.size());
      const std::string_view word = form.substr(0, bar);
      const KindName* kind = kind_named(word);
      if (kind != nullptr) added.kind = kind->kind;
      if (kind == nullptr) added.words.push_back(word);
      form.remove_prefix(std::min(bar + 1, form.size()));
    }
  }
  return forms;
}

bool needs_argument(const Command& command) {
  return !command.arguments.empty() && !command.arguments.starts_with('[');
}

const std::string& CommandArguments::text(std::size_t argument) const {
  static const std::string none;
  return argument < values_.size() ? values_[argument] : none;
}

std::optional<std::int64_t> CommandArguments::number(std::size_t argument) const {
  return parse_number<std::int64_t>(text(argument));
}

Result<CommandArguments> parse_arguments(const Command& command, std::string_view text,
                                         std::span<const std::string> choices) {
  const std::vector<ArgumentForm> forms = argument_forms(command);
  std::vector<std::string> values;
  std::string_view rest = trimmed(text);
  for (std::size_t i = 0; i < forms.size() && !rest.empty(); ++i) {
    const ArgumentForm& form = forms[i];
    const bool is_last = i + 1 == forms.size();
    const std::string_view before = rest;
    std::optional<std::string> value;
    if (is_last && takes_rest(form.kind)) {
      value = form.kind == ArgumentKind::text ? std::string(rest) : whole_rest(rest);
      rest = {};
    } else if (!is_last && form.kind == ArgumentKind::thread) {
      value = take_thread(rest, forms[i + 1]);
    } else {
      value = take_word(rest);
    }
    if (!value) return refused(fmt::format("{}: a quote (\") is not closed.", command.name));
    if (!fits(form, *value, choices)) {
      return unexpected(command.name, expected(form, choices),
                        value->empty() ? before.substr(0, kShownBytes) : *value);
    }
    values.push_back(std::move(*value));
  }
  if (!rest.empty()) {
    const std::string takes =
        forms.empty() ? "no argument" : fmt::format("only {}", command.arguments);
    return unexpected(command.name, takes, trimmed(text));
  }
  if (values.size() < forms.size() && !forms[values.size()].optional) {
    return refused(fmt::format(
        "{} needs {}.", command.name,
        values.empty() ? std::string(command.arguments) : expected(forms[values.size()], choices)));
  }
  return CommandArguments(std::move(values));
}

Error unexpected_argument(std::string_view command, std::span<const std::string> expected,
                          std::string_view given) {
  return unexpected(command, any_of(expected), given);
}

CommandCall split_call(std::string_view text) {
  text = trimmed(text);
  const auto blank = text.find_first_of(kBlanks);
  if (blank == std::string_view::npos) return {text, {}};
  return {text.substr(0, blank), trimmed(text.substr(blank))};
}

}  // namespace cinderscope
