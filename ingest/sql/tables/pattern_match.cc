#include "ingest/sql/tables/pattern_match.h"

#include <sqlite3.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace cinderscope {
namespace {

constexpr std::uint32_t kStepsBetweenLooks = 1u << 16;

// Characters as SQLite reads them, whatever the bytes are. 0 at the end.
char32_t next_character(const char*& at) {
  constexpr std::array<unsigned char, 64> kBitsOfLead = [] {
    std::array<unsigned char, 64> bits{};
    for (unsigned i = 0; i < 64; ++i) {
      bits[i] = static_cast<unsigned char>(i < 32   ? i
                                           : i < 48 ? i - 32
                                           : i < 56 ? i - 48
                                           : i < 60 ? i - 56
                                           : i < 62 ? i - 60
                                                    : 0);
    }
    return bits;
  }();
  const auto first = static_cast<unsigned char>(*at);
  if (first == 0) return 0;
  ++at;
  if (first < 0xc0) return first;
  std::uint32_t character = kBitsOfLead[first - 0xc0];
  while ((static_cast<unsigned char>(*at) & 0xc0) == 0x80) {
    character = (character << 6) + (static_cast<unsigned char>(*at++) & 0x3f);
  }
  const bool is_none =
      character < 0x80 || (character & 0xfffff800) == 0xd800 || (character & 0xfffffffe) == 0xfffe;
  return is_none ? 0xfffd : character;
}

char32_t lower(char32_t c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

struct Part {
  enum class Kind : std::uint8_t { any_run, any_one, one, set, nothing };
  Kind kind = Kind::one;
  char32_t character = 0;
  bool inverted = false;
  std::vector<std::pair<char32_t, char32_t>> ranges = {};  // of a set

  bool holds(char32_t c, bool any_case) const {
    switch (kind) {
      case Kind::any_one:
        return true;
      case Kind::one:
        return c == character || (any_case && c < 0x80 && lower(c) == lower(character));
      case Kind::set: {
        bool seen = false;
        for (const auto& [first, last] : ranges) seen |= c >= first && c <= last;
        return seen != inverted;
      }
      default:
        return false;
    }
  }
};

Part run() {
  return {.kind = Part::Kind::any_run};
}

std::vector<Part> like_parts(const char* at, char32_t escape) {
  std::vector<Part> parts;
  while (char32_t c = next_character(at)) {
    if (escape != 0 && c == escape) {
      c = next_character(at);
      parts.push_back({.kind = c == 0 ? Part::Kind::nothing : Part::Kind::one, .character = c});
    } else if (c == '%') {
      parts.push_back(run());
    } else {
      parts.push_back({.kind = c == '_' ? Part::Kind::any_one : Part::Kind::one, .character = c});
    }
  }
  return parts;
}

// What stands in [...]; `]` may be its first. Without an end it holds nothing.
Part glob_set(const char*& at) {
  Part set{.kind = Part::Kind::set};
  char32_t before = 0;
  char32_t c = next_character(at);
  if (c == '^') {
    set.inverted = true;
    c = next_character(at);
  }
  if (c == ']') {
    set.ranges.emplace_back(c, c);
    c = next_character(at);
  }
  while (c != 0 && c != ']') {
    if (c == '-' && *at != ']' && *at != 0 && before > 0) {
      set.ranges.emplace_back(before, next_character(at));
      before = 0;
    } else {
      set.ranges.emplace_back(c, c);
      before = c;
    }
    c = next_character(at);
  }
  if (c == 0) set.kind = Part::Kind::nothing;
  return set;
}

std::vector<Part> glob_parts(const char* at) {
  std::vector<Part> parts;
  while (const char32_t c = next_character(at)) {
    if (c == '*') {
      parts.push_back(run());
    } else if (c == '[') {
      parts.push_back(glob_set(at));
    } else {
      parts.push_back({.kind = c == '?' ? Part::Kind::any_one : Part::Kind::one, .character = c});
    }
  }
  return parts;
}

// What the last run takes is all that has to be tried again.
bool matches(const std::vector<Part>& parts, const char* text, bool any_case,
             const std::atomic<bool>& stop) {
  std::size_t part = 0;
  std::optional<std::size_t> run;
  const char* behind_run = text;  // where what follows the last run is tried
  for (std::uint32_t steps = 0;; ++steps) {
    if (steps % kStepsBetweenLooks == 0 && stop.load(std::memory_order_relaxed)) return false;
    if (part < parts.size() && parts[part].kind == Part::Kind::any_run) {
      run = part++;
      behind_run = text;
      continue;
    }
    if (run && part == parts.size() && *run + 1 == part) return true;  // it takes the rest
    const char* next = text;
    const char32_t c = next_character(next);
    if (c == 0 && part == parts.size()) return true;
    if (c != 0 && part < parts.size() && parts[part].holds(c, any_case)) {
      text = next;
      ++part;
      continue;
    }
    if (!run || c == 0) return false;
    next_character(behind_run);
    text = behind_run;
    part = *run + 1;
  }
}

std::uint64_t steps_at_worst(const std::string& pattern, const std::string& text) {
  return std::uint64_t{pattern.size()} * text.size();
}

}  // namespace

char32_t first_character(const std::string& text) {
  const char* at = text.c_str();
  return next_character(at);
}

bool like_matches(const std::string& pattern, const std::string& text, char32_t escape,
                  const std::atomic<bool>& stop, std::uint64_t few_steps) {
  if (steps_at_worst(pattern, text) <= few_steps) {
    return sqlite3_strlike(pattern.c_str(), text.c_str(), static_cast<unsigned>(escape)) == 0;
  }
  return matches(like_parts(pattern.c_str(), escape), text.c_str(), true, stop);
}

bool glob_matches(const std::string& pattern, const std::string& text,
                  const std::atomic<bool>& stop, std::uint64_t few_steps) {
  if (steps_at_worst(pattern, text) <= few_steps)
    return sqlite3_strglob(pattern.c_str(), text.c_str()) == 0;
  return matches(glob_parts(pattern.c_str()), text.c_str(), false, stop);
}

}  // namespace cinderscope
