#include "ingest/compare/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/time_units.h"

namespace cinderscope {

namespace {

using Metric = ConditionTerm::Metric;
using Which = ConditionTerm::Which;
using Op = ConditionTerm::Op;
using Limit = ConditionTerm::Limit;

constexpr std::array<std::string_view, 10> kMetrics = {"total", "self", "mean",  "median", "p90",
                                                       "p99",   "max",  "count", "new",    "gone"};

// Letters of other alphabets are letters.
bool is_plain(char c) {
  return is_letter_or_digit(c) || c == '_' || c == ':' || c == '.' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Condition> condition() {
    Condition out{.text = std::string(text_), .terms = {}};
    while (true) {
      Result<ConditionTerm> term = one_term();
      if (!term) return term.error();
      out.terms.push_back(std::move(*term));
      if (at_ == text_.size()) return out;
      if (!take(" and ")) return wrong("expected \" and \" or the end");
    }
  }

 private:
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  Error wrong(std::string_view what) const {
    return {.code = ErrorCode::refused,
            .text = fmt::format("The condition \"{}\" cannot be read at character {}: {}.", text_,
                                at_ + 1, what),
            .expected = {},
            .offset_bytes = static_cast<std::int64_t>(at_)};
  }

  Result<ConditionTerm> one_term() {
    ConditionTerm term;
    std::size_t end = at_;
    while (end < text_.size() && is_letter_or_digit(text_[end])) ++end;
    const auto metric = std::ranges::find(kMetrics, text_.substr(at_, end - at_));
    if (metric == kMetrics.end()) {
      return wrong(fmt::format("expected one of {}", fmt::join(kMetrics, ", ")));
    }
    term.metric = static_cast<Metric>(metric - kMetrics.begin());
    const bool has_part = term.metric == Metric::self || term.metric == Metric::count ||
                          term.metric == Metric::total || term.is_presence();
    at_ = end;
    if (take("(")) {
      if (const Status read = which(term); !read) return read.error();
      if (!take(")")) return wrong("expected )");
    } else if (term.is_presence()) {
      term.which = Which::any;
    } else if (!has_part) {
      return wrong("expected ( and a name: only self, total and count are those of the whole part");
    }
    if (term.is_presence()) return term;
    if (const Status read = limit(term); !read) return read.error();
    term.surely = take(" surely");
    return term;
  }

  Status which(ConditionTerm& term) {
    if (take("*")) {
      term.which = Which::any;
      return ok();
    }
    if (take("/")) return expression(term);
    term.which = Which::name;
    if (take("\"")) {
      while (at_ < text_.size() && text_[at_] != '"') {
        const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                             (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
        if (escaped) ++at_;
        term.name += text_[at_++];
      }
      return take("\"") ? ok() : Status(wrong("the quote is not closed"));
    }
    while (at_ < text_.size() && is_plain(text_[at_])) term.name += text_[at_++];
    if (term.name.empty()) return wrong("expected a name, /REGEX/ or *; other names are quoted");
    return ok();
  }

  Status expression(ConditionTerm& term) {
    term.which = Which::expression;
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '/') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        if (text_[at_ + 1] != '/') term.name += '\\';
        ++at_;
      }
      term.name += text_[at_++];
    }
    if (!take("/")) return wrong("the expression has no / at its end");
    Result<TextMatch> matches = TextMatch::matching(term.name, false);
    if (!matches) {
      at_ = first;
      std::string what = matches.error().text;
      while (what.ends_with('.')) what.pop_back();
      return wrong(what);
    }
    term.matches = std::move(*matches);
    return ok();
  }

  Status limit(ConditionTerm& term) {
    constexpr std::array<std::pair<std::string_view, Op>, 4> kOps = {
        {{">=", Op::more_or_equal}, {"<=", Op::less_or_equal}, {">", Op::more}, {"<", Op::less}}};
    const auto op = std::ranges::find_if(kOps, [&](const auto& of) { return take(of.first); });
    if (op == kOps.end()) return wrong("expected >, <, >= or <=");
    term.op = op->second;
    const std::size_t end = std::min(text_.find(' ', at_), text_.size());
    const std::string_view whole = text_.substr(at_, end - at_);
    if (!read_limit(whole, term)) {
      return wrong("expected a limit: +5%, -3ms, 20ms or x1.5, without a unit for counts");
    }
    term.limit_text = whole;
    at_ = end;
    return ok();
  }

  static std::optional<double> plain_number(std::string_view text) {
    const bool starts = !text.empty() && (is_digit(text[0]) || text[0] == '.');
    const auto number = starts ? parse_number<double>(text) : std::nullopt;
    return number && std::isfinite(*number) ? number : std::nullopt;
  }

  static bool read_limit(std::string_view text, ConditionTerm& term) {
    if (text.starts_with('x')) {
      const auto factor = plain_number(text.substr(1));
      if (!factor) return false;
      term.limit_kind = Limit::ratio;
      term.limit = *factor;
      return true;
    }
    const bool is_signed = text.starts_with('+') || text.starts_with('-');
    const double sign = text.starts_with('-') ? -1 : 1;
    if (is_signed) text.remove_prefix(1);
    if (text.ends_with('%')) {
      const auto percent = plain_number(text.substr(0, text.size() - 1));
      if (!percent) return false;
      term.limit_kind = Limit::change;
      term.limit = sign * *percent / 100;
      return true;
    }
    term.limit_kind = is_signed ? Limit::difference : Limit::value;
    if (const auto number = plain_number(text)) {
      term.limit = sign * *number;
      return true;
    }
    const bool starts = !text.empty() && (is_digit(text[0]) || text[0] == '.');
    const Result<Nanoseconds> length = nanoseconds_from(text);
    if (term.metric == Metric::count || !starts || !length) return false;
    term.limit = sign * static_cast<double>(length->floor_ns);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  return Parser(text).condition();
}

}  // namespace cinderscope
