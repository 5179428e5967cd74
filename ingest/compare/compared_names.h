// Which names of two sides are the same, once rules have changed them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/compare/name_rules.h"

namespace cinderscope {

enum Side : std::uint8_t { side_a, side_b };
template <class Value>
using OfSides = std::array<Value, 2>;  // [side_a], [side_b]
inline Side other(Side side) {
  return side == side_a ? side_b : side_a;
}

// The names of a side as they were read, each once.
using SideNames = std::vector<std::string_view>;

struct ComparedName {
  std::string text;                           // what the rules made of all of these
  OfSides<std::vector<std::uint32_t>> names;  // in SideNames, ascending

  bool in(Side side) const { return !names[side].empty(); }
  bool in_both() const { return in(side_a) && in(side_b); }
};

struct ComparedNames {
  std::vector<ComparedName> names;                  // by first name of A, then of B
  OfSides<std::vector<std::uint32_t>> compared_of;  // by index in SideNames
  // How many names of each side a rule changed.
  struct Effect {
    OfSides<std::uint32_t> changed{};
  };
  std::array<Effect, kNameRules> rules;
  std::vector<Effect> renames;
  bool whole = false;  // false: cancelled

  std::size_t both_count = 0, only_a_count = 0, only_b_count = 0;
};

// Any thread. 100 000 names a side take less than a second. An Error: a rename is no expression.
Result<ComparedNames> compare_names(const OfSides<SideNames>& sides, const NameRules& rules,
                                    const std::atomic<bool>& cancelled);

// Up to `most` of the compared names that are on `side` alone, nearest spelling to `text` first:
// what a name that is alone might have been called there.
std::vector<std::uint32_t> nearest_names(const ComparedNames& names, Side side,
                                         std::string_view text, std::size_t most,
                                         const std::atomic<bool>& cancelled);

// The rename that makes `from` the same as `to`, of names as they were read.
Rename same_as(std::string_view from, std::string_view to);

}  // namespace cinderscope
