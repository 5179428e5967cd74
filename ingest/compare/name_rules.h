// Rules that change names before those of two sides are compared: what compilers and virtual
// machines number anew in each build or run is taken off.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"

namespace re2 {
class RE2;
}

namespace cinderscope {

// In the order in which they are tried.
enum class NameRule : std::uint8_t {
  demangle,     // _Z… to what the C++ library makes of it
  addresses,    // 0x7f12ab to 0x…, @6d06d69c at a word's end to @…
  lambdas,      // numbers of lambdas and closures to #
  hashes,       // Rust's hash, .llvm.123, .constprop.0, .isra.1, .part.2, .cold: gone
  lines,        // numbers of lines at the end: gone
  templates,    // <…> to <>
  numbers,      // runs of digits that are no part of a word to #
  letter_case,  // of ASCII letters; its word is "case"
};
inline constexpr std::size_t kNameRules = 8;
std::string_view word_of(NameRule rule);

enum class RuleState : std::uint8_t {
  off,
  rest,    // tried on names alone, and only kept if they then have a partner
  always,  // on all names
};
std::string_view word_of(RuleState state);

// Of the user: what matches the expression (RE2) becomes the text, in which \1 is the first group.
struct Rename {
  std::string expression, text;
  bool operator==(const Rename&) const = default;
};

struct NameRules {
  std::array<RuleState, kNameRules> states = {
      RuleState::always, RuleState::always, RuleState::always, RuleState::always,
      RuleState::always, RuleState::rest,   RuleState::off,    RuleState::off};
  std::vector<Rename> renames;  // before all rules, in this order, on names as they were read

  bool operator==(const NameRules&) const = default;
  RuleState of(NameRule rule) const { return states[static_cast<std::size_t>(rule)]; }
  static NameRules exact();  // all rules off
};

// "usual", "exact", or rules that differ from the usual ones: "templates=always,numbers=rest".
Result<NameRules> parse_name_rules(std::string_view spec);
// The same text of rules, without renames.
std::string name_rules_text(const NameRules& rules);
// "REGEX=TEXT"; \= is an equals sign within the expression.
Result<Rename> parse_rename(std::string_view text);

// Applies one rule; true if that changed the name. Takes linear time and no memory beyond some
// copies of the name.
bool apply_rule(NameRule rule, std::string& name);

// Compiled renames. Immutable once made; any thread.
class Renamer {
 public:
  // An Error says which expression is wrong.
  static Result<Renamer> of(std::span<const Rename> renames);
  std::size_t size() const { return expressions_.size(); }
  // Applies one of them; true if that changed the name.
  bool apply(std::size_t rename, std::string& name) const;

 private:
  std::vector<std::shared_ptr<const re2::RE2>> expressions_;
  std::vector<std::string> texts_;
};

}  // namespace cinderscope
