#include "render/text/fuzzy_match.h"

#include <algorithm>
#include <array>
#include <limits>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMaxPattern = 64, kMaxText = 256;
constexpr int kLetter = 4, kWordStart = 10, kInARow = 12, kGap = 1, kLongestGap = 6;
constexpr int kNever = std::numeric_limits<int>::min() / 2;

struct Letter {
  char32_t code = 0;  // lower case
  std::uint32_t at = 0;
  bool upper = false;
};

std::vector<Letter> letters_of(std::string_view text, std::size_t most) {
  std::vector<Letter> letters;
  std::uint32_t at = 0;
  while (letters.size() < most) {
    const Utf8Char next = first_char(text.substr(at));
    if (next.size == 0) break;
    const bool upper = next.code >= U'A' && next.code <= U'Z';
    letters.push_back({upper ? next.code + 32 : next.code, at, upper});
    at += next.size;
  }
  return letters;
}

bool is_word(char32_t code) {
  return (code >= U'a' && code <= U'z') || (code >= U'0' && code <= U'9') || code >= 0x80;
}

int bonus_at(const std::vector<Letter>& text, std::size_t i) {
  if (!is_word(text[i].code)) return 0;
  if (i == 0) return kWordStart + 2;
  const bool hump = text[i].upper && !text[i - 1].upper;
  return hump || !is_word(text[i - 1].code) ? kWordStart : 0;
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view pattern, std::string_view text) {
  std::vector<Letter> wanted = letters_of(pattern, kMaxPattern + 1);
  std::erase_if(wanted, [](const Letter& letter) { return letter.code <= U' '; });
  if (wanted.empty()) return FuzzyMatch{};
  if (wanted.size() > kMaxPattern) return std::nullopt;
  const std::vector<Letter> letters = letters_of(text, kMaxText);
  const std::size_t columns = letters.size();
  // best[row][i]: the best score with the row's letter on letters[i]; from[row][i]: the letter
  // before it that gives this score.
  std::vector<int> best(wanted.size() * columns, kNever);
  std::vector<std::uint16_t> from(wanted.size() * columns, 0);
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    int behind_gap = kNever;  // best of the row above, left of i - 1, less what the gap costs
    std::uint16_t behind_at = 0;
    for (std::size_t i = row; i < columns; ++i) {
      const int* above = row == 0 ? nullptr : &best[(row - 1) * columns];
      if (above != nullptr && i >= 2) {
        behind_gap = std::max(behind_gap - kGap, kNever);
        // The cost of a gap does not grow with its length.
        if (above[i - 2] - kGap > behind_gap) {
          behind_gap = above[i - 2] - kGap;
          behind_at = static_cast<std::uint16_t>(i - 2);
        }
      }
      if (letters[i].code != wanted[row].code) continue;
      const int own = kLetter + bonus_at(letters, i);
      int& score = best[row * columns + i];
      if (row == 0) {
        score = own - std::min(static_cast<int>(i), kLongestGap);
        continue;
      }
      const int in_a_row = i >= 1 ? above[i - 1] + kInARow : kNever;
      const int before = std::max(in_a_row, behind_gap);
      if (before <= kNever / 2) continue;
      score = before + own;
      from[row * columns + i] =
          in_a_row >= behind_gap ? static_cast<std::uint16_t>(i - 1) : behind_at;
    }
  }
  const auto last = best.end() - static_cast<std::ptrdiff_t>(columns);
  const auto found = std::max_element(last, best.end());
  if (columns == 0 || *found <= kNever / 2) return std::nullopt;
  // Of texts that fit equally the shorter one wins.
  FuzzyMatch match{.score = *found * 4 - static_cast<int>(std::min<std::size_t>(columns, 60)) / 8};
  match.offsets.resize(wanted.size());
  auto at = static_cast<std::size_t>(found - last);
  for (std::size_t row = wanted.size(); row-- > 0;) {
    match.offsets[row] = letters[at].at;
    at = from[row * columns + at];
  }
  return match;
}

std::optional<FuzzyMatch> part_match(std::string_view pattern, std::string_view text) {
  const auto same = [](char a, char b) { return ascii_lower(a) == ascii_lower(b); };
  const auto found = std::search(text.begin(), text.end(), pattern.begin(), pattern.end(), same);
  if (found == text.end() && !pattern.empty()) return std::nullopt;
  const auto at = static_cast<std::uint32_t>(found - text.begin());
  FuzzyMatch match{.score = at == 0 ? 1 : 0};
  for (std::uint32_t i = 0; i < pattern.size(); ++i) match.offsets.push_back(at + i);
  return match;
}

}  // namespace cinderscope
