#include "ingest/compare/compared_names.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ingest/base/parallel.h"

namespace cinderscope {

namespace {

constexpr std::size_t kNamesAtOnce = 512;
constexpr std::size_t kComparedBytes = 256;  // of a spelling

using Texts = std::vector<std::string>;

bool stopped(const std::atomic<bool>& cancelled) {
  return cancelled.load(std::memory_order_relaxed);
}

// Renames and the rules that are always applied. Names are many and independent of each other.
void change_all(const SideNames& names, const NameRules& rules, const Renamer& renamer, Side side,
                const std::atomic<bool>& cancelled, Texts& texts, ComparedNames& out) {
  texts.assign(names.begin(), names.end());
  const std::size_t blocks = (names.size() + kNamesAtOnce - 1) / kNamesAtOnce;
  parallel_for(blocks, core_count(), [&](std::size_t block) {
    if (stopped(cancelled)) return;
    std::array<std::uint32_t, kNameRules> by_rule{};
    std::vector<std::uint32_t> by_rename(renamer.size());
    const std::size_t end = std::min(names.size(), (block + 1) * kNamesAtOnce);
    for (std::size_t i = block * kNamesAtOnce; i < end; ++i) {
      for (std::size_t r = 0; r < renamer.size(); ++r) {
        if (renamer.apply(r, texts[i])) ++by_rename[r];
      }
      for (std::size_t r = 0; r < kNameRules; ++r) {
        if (rules.states[r] != RuleState::always) continue;
        if (apply_rule(static_cast<NameRule>(r), texts[i])) ++by_rule[r];
      }
    }
    const auto add = [side](ComparedNames::Effect& to, std::uint32_t count) {
      std::atomic_ref(to.changed[side]).fetch_add(count, std::memory_order_relaxed);
    };
    for (std::size_t r = 0; r < kNameRules; ++r) add(out.rules[r], by_rule[r]);
    for (std::size_t r = 0; r < renamer.size(); ++r) add(out.renames[r], by_rename[r]);
  });
}

// A rule for the rest: what has no partner gets one if the rule makes it the same as another name,
// or as what the rule makes of a name that has none, either.
class RestRule {
 public:
  explicit RestRule(OfSides<Texts>& texts) : texts_(texts), tried_(texts) {}

  void apply(NameRule rule, const std::atomic<bool>& cancelled, ComparedNames::Effect& effect) {
    OfSides<std::unordered_set<std::string_view>> there;
    for (const Side side : {side_a, side_b}) {
      there[side].reserve(texts_[side].size());
      there[side].insert(texts_[side].begin(), texts_[side].end());
    }
    OfSides<std::vector<std::uint32_t>> alone;
    OfSides<std::unordered_set<std::string_view>> would_be;
    for (const Side side : {side_a, side_b}) {
      for (std::uint32_t i = 0; i < texts_[side].size() && !stopped(cancelled); ++i) {
        if (there[other(side)].contains(texts_[side][i])) continue;
        alone[side].push_back(i);
        apply_rule(rule, tried_[side][i]);
        would_be[side].insert(tried_[side][i]);
      }
    }
    OfSides<std::vector<std::uint32_t>> settled;
    for (const Side side : {side_a, side_b}) {
      for (const std::uint32_t i : alone[side]) {
        const std::string& text = tried_[side][i];
        const bool has_partner =
            would_be[other(side)].contains(text) || there[other(side)].contains(text);
        if (has_partner && text != texts_[side][i]) settled[side].push_back(i);
      }
    }
    for (const Side side : {side_a, side_b}) {
      for (const std::uint32_t i : settled[side]) {
        texts_[side][i] = tried_[side][i];
        ++effect.changed[side];
      }
    }
  }

 private:
  OfSides<Texts>& texts_;
  OfSides<Texts> tried_;  // by all rules for the rest so far
};

void group(OfSides<Texts>& texts, ComparedNames& out) {
  std::unordered_map<std::string_view, std::uint32_t> found;
  found.reserve(texts[side_a].size() + texts[side_b].size());
  for (const Side side : {side_a, side_b}) {
    out.compared_of[side].reserve(texts[side].size());
    for (std::uint32_t i = 0; i < texts[side].size(); ++i) {
      const auto next = static_cast<std::uint32_t>(out.names.size());
      const auto [at, is_new] = found.try_emplace(texts[side][i], next);
      if (is_new) out.names.emplace_back();
      out.names[at->second].names[side].push_back(i);
      out.compared_of[side].push_back(at->second);
    }
  }
  for (const auto& [text, name] : found) out.names[name].text = text;
  for (const ComparedName& name : out.names) {
    ++(name.in_both() ? out.both_count : name.in(side_a) ? out.only_a_count : out.only_b_count);
  }
}

using Letters = std::array<std::int16_t, 256>;
Letters letters_of(std::string_view text) {
  Letters letters{};
  for (const char c : text) ++letters[static_cast<unsigned char>(c)];
  return letters;
}

// Texts that differ so much in their letters are at least so many edits apart.
std::size_t least_edits(const Letters& a, const Letters& b) {
  int more = 0, less = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int difference = a[i] - b[i];
    (difference > 0 ? more : less) += std::abs(difference);
  }
  return static_cast<std::size_t>(std::max(more, less));
}

std::size_t edits_between(std::string_view a, std::string_view b, std::vector<std::size_t>& row) {
  row.resize(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Result<ComparedNames> compare_names(const OfSides<SideNames>& sides, const NameRules& rules,
                                    const std::atomic<bool>& cancelled) {
  const Result<Renamer> renamer = Renamer::of(rules.renames);
  if (!renamer) return renamer.error();
  ComparedNames out;
  out.renames.resize(renamer->size());
  OfSides<Texts> texts;
  for (const Side side : {side_a, side_b}) {
    change_all(sides[side], rules, *renamer, side, cancelled, texts[side], out);
  }
  const bool has_rest = std::ranges::count(rules.states, RuleState::rest) > 0;
  if (has_rest && !stopped(cancelled)) {
    RestRule rest(texts);
    for (std::size_t r = 0; r < kNameRules; ++r) {
      if (rules.states[r] != RuleState::rest) continue;
      rest.apply(static_cast<NameRule>(r), cancelled, out.rules[r]);
    }
  }
  group(texts, out);
  out.whole = !stopped(cancelled);
  return out;
}

std::vector<std::uint32_t> nearest_names(const ComparedNames& names, Side side,
                                         std::string_view text, std::size_t most,
                                         const std::atomic<bool>& cancelled) {
  struct Candidate {
    std::size_t edits = 0;
    std::uint32_t name = 0;
    auto operator<=>(const Candidate&) const = default;
  };
  text = text.substr(0, kComparedBytes);
  const Letters letters = letters_of(text);
  const auto spelling = [&names](std::uint32_t name) {
    return std::string_view(names.names[name].text).substr(0, kComparedBytes);
  };
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < names.names.size() && !stopped(cancelled); ++i) {
    if (names.names[i].in(other(side)) || !names.names[i].in(side)) continue;
    candidates.push_back({least_edits(letters, letters_of(spelling(i))), i});
  }
  std::ranges::sort(candidates);
  std::vector<Candidate> nearest;  // ascending
  std::vector<std::size_t> row;
  for (const Candidate& candidate : candidates) {
    const bool full = nearest.size() >= most;
    if (most == 0 || stopped(cancelled) || (full && candidate.edits >= nearest.back().edits)) break;
    const Candidate found{edits_between(text, spelling(candidate.name), row), candidate.name};
    nearest.insert(std::ranges::upper_bound(nearest, found), found);
    if (nearest.size() > most) nearest.pop_back();
  }
  std::vector<std::uint32_t> out;
  for (const Candidate& candidate : nearest) out.push_back(candidate.name);
  return out;
}

Rename same_as(std::string_view from, std::string_view to) {
  Rename rename{
      .expression = "\\A" + re2::RE2::QuoteMeta(re2::StringPiece(from.data(), from.size())) + "\\z",
      .text = {}};
  for (const char c : to) {
    if (c == '\\') rename.text += '\\';
    rename.text += c;
  }
  return rename;
}

}  // namespace cinderscope
