#include "app/commands/palette_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "render/text/fuzzy_match.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMaxRecent = 8;
constexpr int kRecentBonus = 6, kDisabledCost = 60, kNameCost = 12, kTargetCost = 16;

struct Ranked {
  PaletteRow row;
  int score = 0;
};

bool is_free_word(std::string_view word) {  // NAME, in capitals: anything can stand there
  return std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

PaletteRow row_of(const Command& command, const PaletteSource& source) {
  return {.text = std::string(command.help),
          .note = std::string(command.argument),
          .keys = source.keys.first(command.id),
          .enabled = enabled(command, source.state),
          .command = std::string(command.name),
          .asks = needs_argument(command) || !choices_of(command).empty()};
}

// By its help text, or by its name where that fits better.
std::optional<Ranked> ranked(const Command& command, const PaletteSource& source,
                             std::string_view typed) {
  const auto by_help = fuzzy_match(typed, command.help);
  const auto by_name = fuzzy_match(typed, command.name);
  if (!by_help && !by_name) return std::nullopt;
  Ranked found{.row = row_of(command, source)};
  if (by_help && (!by_name || by_help->score >= by_name->score - kNameCost)) {
    found.row.offsets = by_help->offsets;
    found.score = by_help->score;
  } else {
    found.row.note = command.name;
    found.score = by_name->score - kNameCost;
  }
  const auto used = std::ranges::find(source.recent, command.id);
  if (used != source.recent.end()) found.score += kRecentBonus;
  if (!found.row.enabled) found.score -= kDisabledCost;
  return found;
}

// "theme dark" typed as in a script.
std::optional<PaletteRow> whole_call(const PaletteSource& source, std::string_view typed) {
  const CommandCall call = split_call(typed);
  const Command* command = command_named(call.name);
  if (command == nullptr || command->argument.empty() || call.argument.empty()) {
    return std::nullopt;
  }
  PaletteRow row = row_of(*command, source);
  row.note = fmt::format("{} {}", call.name, call.argument);
  row.argument = call.argument;
  row.asks = false;
  return row;
}

std::vector<PaletteRow> unasked(const PaletteSource& source) {
  std::vector<PaletteRow> rows, disabled;
  for (const CommandId id : source.recent) rows.push_back(row_of(command(id), source));
  for (const Command& each : all_commands()) {
    if (each.id == CommandId::palette) continue;
    if (std::ranges::find(source.recent, each.id) != source.recent.end()) continue;
    PaletteRow row = row_of(each, source);
    (row.enabled ? rows : disabled).push_back(std::move(row));
  }
  for (const PaletteTarget& target : source.targets) {
    rows.push_back({.text = target.text,
                    .note = target.note,
                    .command = target.command,
                    .argument = target.argument});
  }
  std::ranges::move(disabled, std::back_inserter(rows));
  return rows;
}

}  // namespace

std::vector<std::string> choices_of(const Command& command) {
  std::string_view form = command.argument;
  if (form.starts_with('[') && form.ends_with(']')) form = form.substr(1, form.size() - 2);
  std::vector<std::string> choices;
  if (form.find('|') == std::string_view::npos || form.find(' ') != std::string_view::npos) {
    return choices;
  }
  while (!form.empty()) {
    const std::size_t bar = std::min(form.find('|'), form.size());
    const std::string_view word = form.substr(0, bar);
    if (!is_free_word(word)) choices.emplace_back(word);
    form.remove_prefix(std::min(bar + 1, form.size()));
  }
  return choices;
}

bool needs_argument(const Command& command) {
  return !command.argument.empty() && !command.argument.starts_with('[');
}

std::vector<PaletteRow> palette_rows(const PaletteSource& source, std::string_view typed) {
  if (split_call(typed).name.empty()) return unasked(source);
  std::vector<Ranked> found;
  for (const Command& each : all_commands()) {
    if (each.id == CommandId::palette) continue;
    if (auto row = ranked(each, source, typed)) found.push_back(std::move(*row));
  }
  for (const PaletteTarget& target : source.targets) {
    const auto match = fuzzy_match(typed, target.text);
    if (!match) continue;
    found.push_back({.row = {.text = target.text,
                             .offsets = match->offsets,
                             .note = target.note,
                             .command = target.command,
                             .argument = target.argument},
                     .score = match->score - kTargetCost});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Ranked::score);
  // Letters strewn over a text mean little once there is one that fits well.
  const int least = found.empty() ? 0 : found.front().score / 2;
  std::erase_if(found, [least](const Ranked& each) { return each.score < least; });
  std::vector<PaletteRow> rows;
  for (Ranked& each : found) rows.push_back(std::move(each.row));
  if (auto call = whole_call(source, typed)) {
    // "hide thr" rather means "Hide the thread" than a thread of that name.
    const bool sure = rows.empty() || row_of(*command_named(call->command), source).asks;
    rows.insert(rows.begin() + (sure ? 0 : 1), std::move(*call));
  }
  return rows;
}

std::vector<PaletteRow> argument_rows(const Command& command, std::string_view typed) {
  std::vector<PaletteRow> rows;
  const std::string name(command.name);
  const std::string_view argument =
      typed.substr(std::min(typed.find_first_not_of(' '), typed.size()));
  std::vector<Ranked> found;
  bool whole = false;
  for (const std::string& choice : choices_of(command)) {
    const auto match = fuzzy_match(typed, choice);
    if (!match) continue;
    whole |= choice == argument;
    found.push_back(
        {.row = {.text = choice, .offsets = match->offsets, .command = name, .argument = choice},
         .score = match->score});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Ranked::score);
  for (Ranked& each : found) rows.push_back(std::move(each.row));
  const bool takes_any = choices_of(command).empty() || is_free_word(command.argument);
  if (!argument.empty() && takes_any && !whole) {
    rows.push_back({.text = fmt::format("{} {}", name, argument),
                    .command = name,
                    .argument = std::string(argument)});
  }
  if (argument.empty() && !needs_argument(command)) {
    rows.push_back({.text = std::string(command.help), .note = "switch", .command = name});
  }
  return rows;
}

void note_recent(std::vector<CommandId>& recent, CommandId id) {
  std::erase(recent, id);
  recent.insert(recent.begin(), id);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

}  // namespace cinderscope
