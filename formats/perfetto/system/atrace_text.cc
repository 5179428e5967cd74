#include "formats/perfetto/system/atrace_text.h"

#include "ingest/base/number_text.h"

namespace cinderscope::perfetto {
namespace {

// The text before the next '|', which is taken away with it; none where nothing is left.
class MarkParts {
 public:
  explicit MarkParts(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next() {
    if (over_) return std::nullopt;
    const std::size_t bar = rest_.find('|');
    const std::string_view part = rest_.substr(0, bar);
    over_ = bar == std::string_view::npos;
    rest_.remove_prefix(over_ ? rest_.size() : bar + 1);
    return part;
  }
  bool over() const { return over_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool over_ = false;
};

bool take_text(MarkParts& parts, std::string_view& out) {
  out = parts.next().value_or(std::string_view());
  return !out.empty();
}

bool take_number(MarkParts& parts, std::int64_t& out) {
  const auto part = parts.next();
  if (!part) return false;
  const auto number = parse_number<std::int64_t>(*part);
  if (number) out = *number;
  return number.has_value();
}

}  // namespace

std::optional<AtraceMark> parse_atrace(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.remove_suffix(1);
  MarkParts parts(text);
  const std::string_view letter = parts.next().value_or(std::string_view());
  if (letter.size() != 1) return std::nullopt;
  AtraceMark mark{.letter = letter[0]};
  if (mark.letter == 'E' && parts.over()) return mark;
  const auto pid = parse_number<std::uint32_t>(parts.next().value_or(std::string_view()));
  if (!pid) {
    // An end needs none.
    return mark.letter == 'E' && text == "E|" ? std::optional(mark) : std::nullopt;
  }
  mark.has_pid = true;
  mark.pid = *pid;
  bool good = false;
  switch (mark.letter) {
    case 'B':
      mark.name = parts.rest();
      good = !parts.over();
      break;
    case 'E':
      good = true;
      break;
    case 'S':
    case 'F':
    case 'C':
      good = take_text(parts, mark.name) && take_number(parts, mark.number);
      break;
    case 'G':
      good = take_text(parts, mark.track) && take_text(parts, mark.name) &&
             take_number(parts, mark.number);
      break;
    case 'H': {
      good = take_text(parts, mark.track);
      const auto third = parts.next();
      if (good && third && !parts.over()) {
        mark.name = *third;
        good = take_number(parts, mark.number);
      } else if (good && third) {
        MarkParts alone(*third);
        good = take_number(alone, mark.number);
      } else {
        good = false;
      }
      break;
    }
    case 'I':
      good = take_text(parts, mark.name);
      break;
    case 'N':
      good = take_text(parts, mark.track) && take_text(parts, mark.name);
      break;
    default:
      break;
  }
  return good ? std::optional(mark) : std::nullopt;
}

}  // namespace cinderscope::perfetto
