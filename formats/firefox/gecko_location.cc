#include "formats/firefox/gecko_location.h"

#include <algorithm>

namespace cinderscope::firefox {
namespace {

// The library that an address lies in; ranges are sorted.
TextNumber library_at(const ProfileFacts& facts, std::uint64_t address) {
  auto at = std::ranges::upper_bound(facts.ranges, address, {}, &ProfileFacts::Range::begin);
  if (at == facts.ranges.begin()) return kEmptyText;
  --at;
  return address < at->end ? at->name : kEmptyText;
}

bool takes_number(std::string_view& text, std::int64_t& out) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return false;
  const std::string_view digits = text.substr(colon + 1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  out = read_number(digits);
  text = text.substr(0, colon);
  return out != kNoValue;
}

// "URI:line[:column]"; of "a -> b" the last one.
bool takes_place(std::string_view text, FunctionFacts& out, ProfileTexts& texts) {
  std::int64_t last = 0, before = 0;
  std::string_view rest = text;
  if (!takes_number(rest, last)) return false;
  std::string_view shorter = rest;
  if (takes_number(shorter, before)) {
    out.line = before;
    out.column = last;
    rest = shorter;
  } else {
    out.line = last;
  }
  if (rest.empty()) return false;
  const std::size_t arrow = rest.rfind(" -> ");
  if (arrow != std::string_view::npos) rest = rest.substr(arrow + 4);
  out.file = texts.number_of(rest);
  out.is_js = true;
  return true;
}

// " + 123", " (file:line)" or nothing.
bool may_follow_library(std::string_view text) {
  if (text.starts_with(" + ")) {
    return text.size() > 3 && text.find_first_not_of("0123456789", 3) == std::string_view::npos;
  }
  return text.empty() || (text.starts_with(" (") && text.ends_with(')'));
}

}  // namespace

FunctionFacts function_of_location(std::string_view text, const ProfileFacts& facts,
                                   ProfileTexts& texts) {
  FunctionFacts out;
  if (text.starts_with("0x")) {
    std::uint64_t address = 0;
    bool is_number = text.size() > 2 && text.size() <= 18;
    for (const char c : text.substr(2)) {
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) is_number = false;
      address = address << 4 | static_cast<unsigned>(digit < 0 ? 0 : digit);
    }
    if (is_number) out.module = library_at(facts, address);
    out.name = texts.number_of(text);
    return out;
  }
  if (const std::size_t in = text.rfind(" (in "); in != std::string_view::npos && in > 0) {
    const std::size_t end = text.find(')', in);
    if (end != std::string_view::npos && may_follow_library(text.substr(end + 1))) {
      constexpr std::string_view kThunk = "non-virtual thunk to ";
      std::string_view name = text.substr(0, in);
      if (name.starts_with(kThunk)) name.remove_prefix(kThunk.size());
      out.name = texts.number_of(name);
      out.module = texts.number_of(text.substr(in + 5, end - in - 5));
      return out;
    }
  }
  // "NAME (URI:line:column)[source]"
  std::string_view before = text;
  if (before.ends_with(']')) {
    const std::size_t open = before.rfind(")[");
    if (open != std::string_view::npos) before = before.substr(0, open + 1);
  }
  if (before.ends_with(')')) {
    const std::size_t open = before.rfind(" (");
    if (open != std::string_view::npos && open > 0 &&
        takes_place(before.substr(open + 2, before.size() - open - 3), out, texts)) {
      out.name = texts.number_of(before.substr(0, open));
      return out;
    }
  }
  const bool is_place = takes_place(text, out, texts);
  out.name = texts.number_of(is_place ? "(root scope) " + texts.text(out.file) : std::string(text));
  return out;
}

}  // namespace cinderscope::firefox
