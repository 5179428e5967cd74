#include "app/commands/palette_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/arguments.h"
#include "app/commands/path_rows.h"
#include "render/text/fuzzy_match.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMaxRecent = 8;
constexpr std::string_view kPalette = "palette";  // does not list itself
constexpr int kRecentBonus = 6, kDisabledCost = 60, kNameCost = 12, kTargetCost = 16;

// Nothing but words of its form can stand there.
bool is_plain_choice(const ArgumentForm& form) {
  return !form.words.empty() && form.kind == ArgumentKind::none;
}

PaletteRow row_of(const Command& command, const PaletteSource& source) {
  const std::vector<ArgumentForm> forms = argument_forms(command);
  const bool has_choices =
      forms.size() == 1 && (is_plain_choice(forms[0]) || forms[0].kind == ArgumentKind::choice);
  return {.text = std::string(command.help),
          .offsets = {},
          .note = std::string(command.arguments),
          .keys = source.keys.first(command.name),
          .enabled = enabled(command, source.state),
          .command = std::string(command.name),
          .argument = {},
          .asks = needs_argument(command) || has_choices};
}

// By its help text, or by its name where that fits better.
std::optional<RankedRow> ranked(const Command& command, const PaletteSource& source,
                                std::string_view typed) {
  const auto by_help = fuzzy_match(typed, command.help);
  const auto by_name = fuzzy_match(typed, command.name);
  if (!by_help && !by_name) return std::nullopt;
  RankedRow found{.row = row_of(command, source)};
  if (by_help && (!by_name || by_help->score >= by_name->score - kNameCost)) {
    found.row.offsets = by_help->offsets;
    found.score = by_help->score;
  } else {
    found.row.note = command.name;
    found.score = by_name->score - kNameCost;
  }
  const auto used = std::ranges::find(source.recent, command.name);
  if (used != source.recent.end()) found.score += kRecentBonus;
  if (!found.row.enabled) found.score -= kDisabledCost;
  return found;
}

// "theme dark" typed as in a script.
std::optional<PaletteRow> whole_call(const PaletteSource& source, std::string_view typed) {
  const CommandCall call = split_call(typed);
  const Command* command = source.commands.named(call.name);
  if (command == nullptr || command->arguments.empty() || call.argument.empty()) {
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
  for (const std::string_view name : source.recent) {
    if (const Command* each = source.commands.named(name)) rows.push_back(row_of(*each, source));
  }
  for (const Command& each : source.commands) {
    if (each.name == kPalette) continue;
    if (std::ranges::find(source.recent, each.name) != source.recent.end()) continue;
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

std::vector<PaletteRow> best_rows(std::vector<RankedRow> found) {
  std::ranges::stable_sort(found, std::ranges::greater(), &RankedRow::score);
  const int least = found.empty() ? 0 : found.front().score / 2;
  std::vector<PaletteRow> rows;
  for (RankedRow& each : found) {
    if (each.score >= least) rows.push_back(std::move(each.row));
  }
  return rows;
}

std::vector<PaletteRow> palette_rows(const PaletteSource& source, std::string_view typed) {
  if (split_call(typed).name.empty()) return unasked(source);
  std::vector<RankedRow> found;
  for (const Command& each : source.commands) {
    if (each.name == kPalette) continue;
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
  std::vector<PaletteRow> rows = best_rows(std::move(found));
  if (auto call = whole_call(source, typed)) {
    // "hide thr" rather means "Hide the thread" than a thread of that name, "open a tr" no file.
    const Command& command = *source.commands.named(call->command);
    const bool sure = rows.empty() || (row_of(command, source).asks && !takes_path(command));
    rows.insert(rows.begin() + (sure ? 0 : 1), std::move(*call));
  }
  return rows;
}

std::vector<PaletteRow> argument_rows(const Command& command, std::string_view typed,
                                      std::span<const std::string> choices) {
  const std::vector<ArgumentForm> forms = argument_forms(command);
  if (forms.empty()) return {};
  std::vector<PaletteRow> rows;
  const std::string name(command.name);
  const std::string_view argument =
      typed.substr(std::min(typed.find_first_not_of(' '), typed.size()));
  std::vector<std::string> words(choices.begin(), choices.end());
  words.insert(words.end(), forms[0].words.begin(), forms[0].words.end());
  std::vector<RankedRow> found;
  bool whole = false;
  for (const std::string& word : words) {
    const auto match = fuzzy_match(typed, word);
    if (!match) continue;
    whole |= word == argument;
    RankedRow& row = found.emplace_back();
    row.row.text = row.row.argument = word;
    row.row.offsets = match->offsets;
    row.row.command = name;
    row.score = match->score;
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &RankedRow::score);
  rows.reserve(rows.size() + found.size());
  for (RankedRow& each : found) rows.push_back(std::move(each.row));
  const bool only_words = forms[0].kind == ArgumentKind::choice || is_plain_choice(forms[0]);
  const bool takes_any = !only_words || forms.size() > 1;
  if (!argument.empty() && takes_any && !whole) {
    PaletteRow& row = rows.emplace_back();
    row.text = fmt::format("{} {}", name, argument);
    row.command = name;
    row.argument = argument;
  }
  if (argument.empty() && !needs_argument(command)) {
    PaletteRow& row = rows.emplace_back();
    row.text = command.help;
    row.note = "switch";
    row.command = name;
  }
  return rows;
}

void note_recent(std::vector<std::string_view>& recent, std::string_view command) {
  std::erase(recent, command);
  recent.insert(recent.begin(), command);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

}  // namespace cinderscope
