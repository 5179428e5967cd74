#include "ingest/search/search_query.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/base/ascii.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostTerms = 64;

bool is_key_char(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.' || c == '[' || c == ']' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// What stands behind an opening quote, and where it ends. While somebody types, the closing quote
// is not there yet: the text then goes to the end.
struct Quoted {
  std::string text;
  std::size_t end = 0;  // behind the closing quote
};

Quoted quoted_at(std::string_view text, std::size_t quote) {
  Quoted result;
  std::size_t at = quote + 1;
  for (; at < text.size() && text[at] != '"'; ++at) {
    const bool escapes =
        text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
    if (escapes) ++at;
    result.text += text[at];
  }
  result.end = std::min(at + 1, text.size());
  return result;
}

// An expression between slashes with a blank or nothing behind it, so that paths are none.
struct Expression {
  std::string_view text;
  bool ignore_case = false;
  std::size_t end = 0;
};

std::optional<Expression> expression_at(std::string_view text, std::size_t slash) {
  for (std::size_t at = slash + 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
      continue;
    }
    if (text[at] != '/') continue;
    Expression found{text.substr(slash + 1, at - slash - 1), false, at + 1};
    if (found.end < text.size() && text[found.end] == 'i') {
      found.ignore_case = true;
      ++found.end;
    }
    if (found.text.empty()) return std::nullopt;
    if (found.end == text.size() || is_blank(text[found.end])) return found;
  }
  return std::nullopt;
}

struct OwnKey {
  std::string_view name;
  TermField field;
};
constexpr std::array<OwnKey, 9> kOwnKeys = {{{"name", TermField::name},
                                             {"dur", TermField::duration},
                                             {"duration", TermField::duration},
                                             {"cat", TermField::category},
                                             {"category", TermField::category},
                                             {"thread", TermField::thread},
                                             {"process", TermField::process},
                                             {"tid", TermField::tid},
                                             {"pid", TermField::pid}}};

// Behind "args." a key is that of an argument, even where it is one of our own.
SearchTerm term_of_key(std::string_view key) {
  constexpr std::string_view kArgs = "args.";
  SearchTerm term{.field = TermField::argument, .key = ascii_lower(key)};
  if (term.key.starts_with(kArgs)) {
    term.key.erase(0, kArgs.size());
    return term;
  }
  for (const OwnKey& own : kOwnKeys) {
    if (own.name == term.key) term.field = own.field;
  }
  return term;
}

class SearchParser {
 public:
  explicit SearchParser(std::string_view text) : text_(text) {}

  Result<SearchQuery> parse() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
        continue;
      }
      const Status taken = take_term();
      if (!taken) return taken.error();
      if (query_.terms.size() > kMostTerms) {
        return Error{.code = ErrorCode::damaged,
                     .text = "There are too many conditions.",
                     .offset_bytes = static_cast<std::int64_t>(at_)};
      }
    }
    end_phrase();
    return std::move(query_);
  }

 private:
  Status take_term() {
    if (text_[at_] == '"') return take_quoted();
    if (text_.substr(at_).starts_with("=\"")) {
      Quoted quoted = quoted_at(text_, at_ + 1);
      add({.field = TermField::name, .test = TextMatch::equal_to(quoted.text)}, quoted.end);
      return ok();
    }
    if (text_[at_] == '/') {
      if (const auto expression = expression_at(text_, at_)) {
        Result<TextMatch> test = TextMatch::matching(expression->text, expression->ignore_case);
        if (!test) return moved(test.error(), at_ + 1);
        add({.test = std::move(*test)}, expression->end);
        return ok();
      }
    }
    const bool negated = text_[at_] == '-';
    const std::size_t key = at_ + (negated ? 1 : 0);
    const std::size_t colon = colon_behind(key);
    if (colon != 0) return take_pair(negated, key, colon);
    take_word();
    return ok();
  }

  Status take_quoted() {
    Quoted quoted = quoted_at(text_, at_);
    if (quoted.text.empty()) {
      end_phrase();
      at_ = quoted.end;
      return ok();
    }
    add({.test = TextMatch::containing(quoted.text)}, quoted.end);
    return ok();
  }

  // The colon that makes what begins at `key` a key; 0 if it is none: a::b, http://x, C:\x.
  std::size_t colon_behind(std::size_t key) const {
    std::size_t at = key;
    while (at < text_.size() && is_key_char(text_[at])) ++at;
    if (at == key || at >= text_.size() || text_[at] != ':') return 0;
    const std::string_view behind = text_.substr(at + 1);
    if (behind.starts_with(':') || behind.starts_with("//")) return 0;
    const bool drive = at - key == 1 && (behind.starts_with('\\') || behind.starts_with('/'));
    return drive ? 0 : at;
  }

  Status take_pair(bool negated, std::size_t key, std::size_t colon) {
    SearchTerm term = term_of_key(text_.substr(key, colon - key));
    term.negated = negated;
    const std::size_t value = colon + 1;
    if (value < text_.size() && text_[value] == '"') {
      Quoted quoted = quoted_at(text_, value);
      if (term.field == TermField::duration) return take_times(std::move(term), value, quoted.end);
      term.test = TextMatch::containing(quoted.text);
      term.text = std::move(quoted.text);
      add(std::move(term), quoted.end);
      return ok();
    }
    if (value < text_.size() && text_[value] == '/' && term.field != TermField::duration) {
      if (const auto expression = expression_at(text_, value)) {
        Result<TextMatch> test = TextMatch::matching(expression->text, expression->ignore_case);
        if (!test) return moved(test.error(), value + 1);
        term.test = std::move(*test);
        add(std::move(term), expression->end);
        return ok();
      }
    }
    std::size_t end = value;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    if (term.field == TermField::duration) return take_times(std::move(term), value, end);
    const std::string_view written = text_.substr(value, end - value);
    if (term.field == TermField::argument) {
      if (const auto numbers = number_range(written)) {
        if (!*numbers) return moved(numbers->error(), value);
        term.numbers = **numbers;
      }
    }
    term.test = TextMatch::containing(written);
    term.text = written;
    add(std::move(term), end);
    return ok();
  }

  Status take_times(SearchTerm term, std::size_t value, std::size_t end) {
    // While somebody types there is no time yet, and nothing is wrong with that.
    if (value == end && end == text_.size()) {
      end_phrase();
      at_ = end;
      return ok();
    }
    const Result<TimeBounds> times = time_bounds(text_.substr(value, end - value));
    if (!times) return moved(times.error(), value);
    term.times = *times;
    add(std::move(term), end);
    return ok();
  }

  // Words that follow each other are one phrase, with the blanks between them as they are.
  void take_word() {
    if (!in_phrase_) phrase_ = at_;
    in_phrase_ = true;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    phrase_end_ = at_;
  }

  void end_phrase() {
    if (!std::exchange(in_phrase_, false)) return;
    query_.terms.push_back(
        {.test = TextMatch::containing(text_.substr(phrase_, phrase_end_ - phrase_))});
  }

  void add(SearchTerm term, std::size_t end) {
    end_phrase();
    query_.terms.push_back(std::move(term));
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_phrase_ = false;
  std::size_t phrase_ = 0, phrase_end_ = 0;
  SearchQuery query_;
};

// As a person would type it, in all digits: "70.907us". Below a microsecond and on the axis of
// events the number alone.
std::string exact_length(std::int64_t ns, TimeAxis axis) {
  if (ns < 1000 || axis == TimeAxis::events) return std::to_string(ns);
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 3> kUnits = {
      {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}}};
  const auto* unit = std::ranges::find_if(kUnits, [ns](const auto& of) { return ns >= of.first; });
  std::string text = std::to_string(ns / unit->first);
  if (const std::int64_t rest = ns % unit->first; rest != 0) {
    const std::string digits = std::to_string(unit->first + rest);  // with zeros in front
    text += '.' + digits.substr(1, digits.find_last_not_of('0'));
  }
  return text.append(unit->second);
}

}  // namespace

bool SearchQuery::reads_records() const {
  return std::any_of(terms.begin(), terms.end(), [](const SearchTerm& term) {
    return term.reads_record() || term.field == TermField::anything;
  });
}

Result<SearchQuery> parse_search(std::string_view text) {
  return SearchParser(text).parse();
}

// Within quotes a backslash stands before a quote or a backslash.
std::string search_text_for(std::string_view name, std::optional<std::int64_t> shortest_ns,
                            std::optional<std::int64_t> longest_ns, TimeAxis axis) {
  std::string text = "=\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
  if (!shortest_ns && !longest_ns) return text;
  text += " dur:";
  if (shortest_ns) text += exact_length(*shortest_ns, axis);
  text += "..";
  if (longest_ns) text += exact_length(*longest_ns, axis);
  return text;
}

}  // namespace cinderscope
