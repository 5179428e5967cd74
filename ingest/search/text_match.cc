#include "ingest/search/text_match.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ingest/base/ascii.h"
#include "ingest/base/text_bytes.h"
#include "ingest/base/utf8.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestFolded = 1024;         // of a text whose case is folded beyond ASCII
constexpr std::int64_t kExpressionBytes = 16 << 20;  // for its program and its cached states

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool found_in(const char* text, std::size_t size, const std::string& wanted) {
  return contains_bytes({text, size}, wanted);
}

re2::RE2::Options options(bool ignore_case) {
  re2::RE2::Options made;
  made.set_log_errors(false);
  made.set_case_sensitive(!ignore_case);
  made.set_max_mem(kExpressionBytes);
  made.set_never_capture(true);
  return made;
}

// Where the bracket stands that nothing closes, or the closing one that nothing opens.
std::size_t odd_bracket(std::string_view expression) {
  std::string open;
  std::vector<std::size_t> places;
  bool in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      if (i + 1 < expression.size() && expression[i + 1] == '^') ++i;
      if (i + 1 < expression.size() && expression[i + 1] == ']') ++i;  // the first one is itself
    } else if (c == '(') {
      places.push_back(i);
    } else if (c == ')') {
      if (places.empty()) return i;
      places.pop_back();
    }
  }
  return places.empty() ? 0 : places.back();
}

std::string plain_words(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
      return "There is no such escape in an expression.";
    case re2::RE2::ErrorBadCharClass:
      return "There is no such class of characters.";
    case re2::RE2::ErrorBadCharRange:
      return "The range of characters goes backwards.";
    case re2::RE2::ErrorMissingBracket:
      return "A ] is missing.";
    case re2::RE2::ErrorMissingParen:
      return "A bracket ( has no partner.";
    case re2::RE2::ErrorUnexpectedParen:
      return "A bracket ) has no partner.";
    case re2::RE2::ErrorTrailingBackslash:
      return "The expression ends in a backslash.";
    case re2::RE2::ErrorRepeatArgument:
      return "There is nothing to repeat.";
    case re2::RE2::ErrorRepeatSize:
      return "The number of repetitions is too large or goes backwards.";
    case re2::RE2::ErrorRepeatOp:
      return "Two repetitions follow each other.";
    case re2::RE2::ErrorBadPerlOp:
      return "Expressions have no (? ) of this kind.";
    case re2::RE2::ErrorBadUTF8:
      return "The expression is not valid UTF-8.";
    case re2::RE2::ErrorBadNamedCapture:
      return "The group's name is not valid.";
    case re2::RE2::ErrorPatternTooLarge:
      return "The expression is too large.";
    default:
      return "The expression is wrong.";
  }
}

}  // namespace

TextMatch TextMatch::containing(std::string_view text) {
  TextMatch test;
  if (text.empty()) return test;
  test.kind_ = Kind::contains;
  test.text_ = ascii_lower(text);
  if (is_ascii(text) || text.size() > kLongestFolded || valid_utf8(text) != text) return test;
  auto folded = std::make_shared<const re2::RE2>(
      re2::RE2::QuoteMeta(re2::StringPiece(text.data(), text.size())), options(true));
  if (!folded->ok()) return test;
  test.kind_ = Kind::expression;
  test.expression_ = std::move(folded);
  return test;
}

TextMatch TextMatch::equal_to(std::string_view text) {
  TextMatch test;
  test.kind_ = Kind::equal;
  test.text_ = text;
  return test;
}

Result<TextMatch> TextMatch::matching(std::string_view expression, bool ignore_case) {
  TextMatch test;
  test.kind_ = Kind::expression;
  test.expression_ = std::make_shared<const re2::RE2>(
      re2::StringPiece(expression.data(), expression.size()), options(ignore_case));
  if (test.expression_->ok()) return test;
  const re2::RE2::ErrorCode code = test.expression_->error_code();
  std::size_t place = 0;
  if (code == re2::RE2::ErrorMissingParen || code == re2::RE2::ErrorUnexpectedParen) {
    place = odd_bracket(expression);
  } else if (code == re2::RE2::ErrorTrailingBackslash) {
    place = expression.size() - 1;
  } else {
    const std::size_t found = expression.find(test.expression_->error_arg());
    place = found == std::string_view::npos ? 0 : found;
  }
  return Error{.code = ErrorCode::damaged,
               .text = plain_words(code),
               .offset_bytes = static_cast<std::int64_t>(place)};
}

bool TextMatch::holds(std::string_view text) const {
  switch (kind_) {
    case Kind::any:
      return true;
    case Kind::equal:
      return text == text_;
    case Kind::expression:
      return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *expression_);
    case Kind::contains:
      break;
  }
  if (text.size() < text_.size()) return false;
  // Names are short: most need no memory of their own to be folded in.
  std::array<char, 256> small;
  if (text.size() <= small.size()) {
    std::transform(text.begin(), text.end(), small.begin(), [](char c) { return ascii_lower(c); });
    return found_in(small.data(), text.size(), text_);
  }
  const std::string folded = ascii_lower(text);
  return found_in(folded.data(), folded.size(), text_);
}

}  // namespace cinderscope
