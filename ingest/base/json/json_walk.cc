#include "ingest/base/json/json_walk.h"

#include <array>
#include <bit>

#include "ingest/base/ascii.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/text_bytes.h"

namespace cinderscope::json {
namespace {

constexpr std::array<bool, 256> kEndsScalar = [] {
  std::array<bool, 256> ends{};
  for (std::size_t c = 0; c < ends.size(); ++c) {
    ends[c] = is_blank(static_cast<char>(c)) ||
              std::string_view(",:]}[{\"").find(static_cast<char>(c)) != std::string_view::npos;
  }
  return ends;
}();
constexpr bool ends_scalar(char c) {
  return kEndsScalar[static_cast<unsigned char>(c)];
}

// What programs write for numbers that JSON has not is a value as well.
bool is_word(std::string_view word) {
  return word == "null" || word == "true" || word == "false" || word == "NaN" ||
         word == "Infinity" || word == "-Infinity" || word == "undefined";
}

}  // namespace

bool is_number(std::string_view value) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < value.size() && is_digit(value[at])) ++at;
    return at > first;
  };
  const auto next_is = [&](char c) { return at < value.size() && value[at] == c; };
  if (next_is('-') || next_is('+')) ++at;
  const bool whole = digits();
  bool fraction = false;
  if (next_is('.')) {
    ++at;
    fraction = digits();
  }
  if (!whole && !fraction) return false;
  if (next_is('e') || next_is('E')) {
    ++at;
    if (next_is('-') || next_is('+')) ++at;
    if (!digits()) return false;
  }
  return at == value.size();
}

void JsonWalk::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

char JsonWalk::kind() {
  if (cut_) return '\0';
  skip_blanks();
  if (at_ == text_.size()) {
    end_here();
    return '\0';
  }
  const char c = text_[at_];
  if (c == '{' || c == '[' || c == '"') return c;
  if (ends_scalar(c)) {
    end_here();
    return '\0';
  }
  return '0';
}

bool JsonWalk::enter(char bracket) {
  if (kind() != bracket) {
    skip();
    return false;
  }
  ++at_;
  return true;
}

// True if something stands before `closing`.
bool JsonWalk::next_of(char closing) {
  if (cut_) return false;
  while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == ',')) ++at_;
  if (at_ == text_.size()) {
    end_here();
    return false;
  }
  if (text_[at_] == closing) {
    ++at_;
    return false;
  }
  return true;
}

bool JsonWalk::next_item() {
  return next_of(']');
}

bool JsonWalk::next_key() {
  if (!next_of('}')) return false;
  const std::size_t begin = at_;
  if (text_[at_] != '"' || !skip_string()) {
    end_here();
    return false;
  }
  key_ = text_.substr(begin + 1, at_ - begin - 2);
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != ':') {
    end_here();
    return false;
  }
  ++at_;
  return true;
}

bool JsonWalk::skip_string() {
  const std::size_t end = json::skip_string(text_, at_);
  at_ = end == std::string_view::npos ? text_.size() : end;
  return end != std::string_view::npos;
}

// A number at the very end of the text may go on.
bool JsonWalk::skip_scalar() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  if (at_ == text_.size()) return false;
  if (at_ > begin && ends_scalar(text_[at_])) return true;
  while (at_ < text_.size() && !ends_scalar(text_[at_])) ++at_;
  if (at_ == text_.size()) return false;
  const std::string_view word = text_.substr(begin, at_ - begin);
  return is_number(word) || is_word(word);
}

bool JsonWalk::skip_nested() {
  std::uint64_t depth = 0;
  // Takes the byte at at_, which is no quote; true at the bracket that ends the value.
  const auto take = [&](char c) {
    if (c == '{' || c == '[') ++depth;
    ++at_;
    return (c == '}' || c == ']') && --depth == 0;
  };
  // Sixteen bytes at a time: only brackets and quotes are looked at.
  while (at_ + 16 <= text_.size()) {
    const std::size_t begin = at_;
    const SixteenBytes bytes(text_.data() + begin);
    std::uint32_t marks = bytes.equal('"') | bytes.equal('[', '{') | bytes.equal(']', '}');
    for (; marks != 0; marks &= marks - 1) {
      at_ = begin + static_cast<std::size_t>(std::countr_zero(marks));
      if (text_[at_] == '"') break;
      if (take(text_[at_])) return true;
    }
    if (marks == 0) {
      at_ = begin + 16;
    } else if (!skip_string()) {
      return false;
    }
  }
  while (at_ < text_.size()) {
    if (text_[at_] == '"') {
      if (!skip_string()) return false;
    } else if (take(text_[at_])) {
      return true;
    }
  }
  return false;
}

std::string_view JsonWalk::value() {
  const char first = kind();
  if (first == '\0') return {};
  const std::size_t begin = at_;
  const bool whole = first == '"' ? skip_string() : first == '0' ? skip_scalar() : skip_nested();
  if (!whole) end_here();
  return text_.substr(begin, at_ - begin);
}

}  // namespace cinderscope::json
