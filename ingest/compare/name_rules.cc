#include "ingest/compare/name_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>

#include "ingest/search/text_match.h"

namespace cinderscope {

namespace {

constexpr std::array<std::string_view, kNameRules> kRuleWords = {
    "demangle", "addresses", "lambdas", "hashes", "lines", "templates", "numbers", "case"};
constexpr std::array<std::string_view, 3> kStateWords = {"off", "rest", "always"};
constexpr std::int64_t kExpressionBytes = 16 << 20;  // for its program and its cached states

template <std::size_t kCount>
std::optional<std::size_t> place_of(const std::array<std::string_view, kCount>& words,
                                    std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace

std::string_view word_of(NameRule rule) {
  return kRuleWords[static_cast<std::size_t>(rule)];
}

std::string_view word_of(RuleState state) {
  return kStateWords[static_cast<std::size_t>(state)];
}

NameRules NameRules::exact() {
  NameRules rules;
  rules.states.fill(RuleState::off);
  return rules;
}

Result<NameRules> parse_name_rules(std::string_view spec) {
  if (spec == "usual") return NameRules{};
  if (spec == "exact") return NameRules::exact();
  NameRules rules;
  while (true) {
    const std::size_t comma = spec.find(',');
    const std::string_view part = spec.substr(0, comma);
    const std::size_t equals = part.find('=');
    const auto rule = place_of(kRuleWords, part.substr(0, equals));
    const auto state = equals == std::string_view::npos
                           ? std::nullopt
                           : place_of(kStateWords, part.substr(equals + 1));
    if (!rule || !state) {
      return refused(fmt::format(
          "\"{}\" is no rule for names; give usual, exact or {}=off|rest|always with commas.",
          part.substr(0, 60), fmt::join(kRuleWords, "|")));
    }
    rules.states[*rule] = static_cast<RuleState>(*state);
    if (comma == std::string_view::npos) return rules;
    spec.remove_prefix(comma + 1);
  }
}

std::string name_rules_text(const NameRules& rules) {
  const NameRules usual, exact = NameRules::exact();
  if (rules.states == usual.states) return "usual";
  if (rules.states == exact.states) return "exact";
  std::string text;
  for (std::size_t i = 0; i < kNameRules; ++i) {
    if (rules.states[i] == usual.states[i]) continue;
    if (!text.empty()) text += ',';
    text += kRuleWords[i];
    text += '=';
    text += word_of(rules.states[i]);
  }
  return text;
}

Result<Rename> parse_rename(std::string_view text) {
  Rename rename;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (text[i + 1] != '=') rename.expression += '\\';
      rename.expression += text[++i];
    } else if (text[i] == '=') {
      if (rename.expression.empty()) break;
      rename.text = text.substr(i + 1);
      return rename;
    } else {
      rename.expression += text[i];
    }
  }
  return refused(fmt::format("\"{}\" is no rename; write it as REGEX=TEXT.", text.substr(0, 60)));
}

Result<Renamer> Renamer::of(std::span<const Rename> renames) {
  Renamer made;
  for (const Rename& rename : renames) {
    // Says in plain words what is wrong.
    if (const auto checked = TextMatch::matching(rename.expression, false); !checked) {
      Error error = checked.error();
      error.text =
          fmt::format("The rename \"{}={}\": {}", rename.expression, rename.text, error.text);
      error.code = ErrorCode::refused;
      return error;
    }
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kExpressionBytes);
    auto expression = std::make_shared<const re2::RE2>(rename.expression, options);
    std::string wrong;
    if (!expression->ok() || !expression->CheckRewriteString(rename.text, &wrong)) {
      return refused(fmt::format(
          "The rename \"{}={}\": its text may have \\1 to \\9 for groups of the expression, "
          "and \\\\ for a backslash.",
          rename.expression, rename.text));
    }
    made.expressions_.push_back(std::move(expression));
    made.texts_.push_back(rename.text);
  }
  return made;
}

bool Renamer::apply(std::size_t rename, std::string& name) const {
  std::string changed = name;
  if (re2::RE2::GlobalReplace(&changed, *expressions_[rename], texts_[rename]) == 0) return false;
  if (changed == name) return false;
  name = std::move(changed);
  return true;
}

}  // namespace cinderscope
