// Where the caret goes, and what is selected on the way.
#include <algorithm>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"
#include "render/editing/characters.h"
#include "render/editing/edited_text.h"

namespace cinderscope {

namespace {

// Signs that belong to the character before them: accents, variants, skin tones, joiners.
bool extends(char32_t c) {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0x1ab0 && c <= 0x1aff) ||
         (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f) || c == 0x200d ||
         (c >= 0x1f3fb && c <= 0x1f3ff);
}
constexpr char32_t kJoiner = 0x200d;

bool is_word(char c) {
  return is_letter_or_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::size_t EditedText::next(std::size_t place) const {
  const auto rest = [&] { return std::string_view(text_).substr(place); };
  if (place >= text_.size()) return text_.size();
  char32_t last = first_char(rest()).code;
  place += first_char(rest()).size;
  while (place < text_.size()) {
    const Utf8Char follows = first_char(rest());
    if (!extends(follows.code) && (last != kJoiner || follows.code == '\n')) break;
    last = follows.code;
    place += follows.size;
  }
  return place;
}

std::size_t EditedText::previous(std::size_t place) const {
  const auto step = [&](std::size_t at) {
    do {
      --at;
    } while (at > 0 && is_continuation(text_[at]));
    return at;
  };
  const auto code_at = [&](std::size_t at) {
    return first_char(std::string_view(text_).substr(at)).code;
  };
  if (place == 0) return 0;
  place = step(place);
  while (place > 0) {
    const std::size_t before = step(place);
    const bool joined = code_at(before) == kJoiner && text_[place] != '\n';
    if (!extends(code_at(place)) && !joined) break;
    place = before;
  }
  return place;
}

std::size_t EditedText::word_end(std::size_t place) const {
  while (place < text_.size() && !is_word(text_[place])) ++place;
  while (place < text_.size() && is_word(text_[place])) ++place;
  return place;
}

std::size_t EditedText::word_begin(std::size_t place) const {
  while (place > 0 && !is_word(text_[place - 1])) --place;
  while (place > 0 && is_word(text_[place - 1])) --place;
  return place;
}

std::size_t EditedText::snapped(std::size_t place) const {
  place = std::min(place, text_.size());
  if (place == 0 || place == text_.size()) return place;
  while (is_continuation(text_[place])) --place;
  const bool within = extends(first_char(std::string_view(text_).substr(place)).code) ||
                      (place >= 3 && text_.compare(place - 3, 3, "\u200d") == 0);
  return within && text_[place] != '\n' ? next(previous(place)) : place;
}

std::size_t EditedText::column_of(std::size_t place) const {
  std::size_t column = 0;
  for (std::size_t at = line_span(line_of(place)).begin; at < place; at = next(at)) ++column;
  return column;
}

std::size_t EditedText::place_in(std::size_t line, std::size_t column) const {
  const TextSpan span = line_span(line);
  std::size_t place = span.begin;
  while (column-- > 0 && place < span.end) place = next(place);
  return std::min(place, span.end);
}

std::size_t EditedText::beside_line(bool down, std::size_t lines) {
  if (kept_column_ == kNoColumn) kept_column_ = column_of(caret_);
  const std::size_t line = line_of(caret_), last = line_count() - 1;
  if (!down && line == 0) return 0;
  if (down && line == last) return text_.size();
  return place_in(down ? std::min(line + lines, last) : line - std::min(line, lines), kept_column_);
}

std::size_t EditedText::moved(CaretMove where, bool selects, std::size_t lines) {
  switch (where) {
    case CaretMove::left:
      return has_selection() && !selects ? selection().begin : previous(caret_);
    case CaretMove::right:
      return has_selection() && !selects ? selection().end : next(caret_);
    case CaretMove::word_left:
      return word_begin(caret_);
    case CaretMove::word_right:
      return word_end(caret_);
    case CaretMove::up:
    case CaretMove::down:
      return beside_line(where == CaretMove::down, lines);
    case CaretMove::line_begin: {
      const TextSpan span = line_span(line_of(caret_));
      std::size_t text = span.begin;
      while (text < span.end && is_blank(text_[text])) ++text;
      return caret_ == text ? span.begin : text;
    }
    case CaretMove::line_end:
      return line_span(line_of(caret_)).end;
    case CaretMove::text_begin:
      return 0;
    case CaretMove::text_end:
      return text_.size();
  }
  return caret_;
}

void EditedText::move(CaretMove where, bool selects, std::size_t lines) {
  const std::size_t to = moved(where, selects, lines);
  const std::size_t column = kept_column_;
  place_caret(to, selects);
  if (where == CaretMove::up || where == CaretMove::down) kept_column_ = column;
}

void EditedText::place_caret(std::size_t place, bool selects) {
  caret_ = snapped(place);
  if (!selects) anchor_ = caret_;
  kept_column_ = kNoColumn;
  if (!done_.empty()) done_.back().joins = false;
}

void EditedText::select(TextSpan part) {
  place_caret(part.begin, false);
  place_caret(part.end, true);
}

void EditedText::select_word(std::size_t at) {
  at = snapped(at);
  std::size_t begin = at, end = at;
  while (begin > 0 && is_word(text_[begin - 1])) --begin;
  while (end < text_.size() && is_word(text_[end])) ++end;
  if (begin == end) end = next(begin);
  select({begin, end});
}

void EditedText::select_line(std::size_t at) {
  const TextSpan span = line_span(line_of(snapped(at)));
  select({span.begin, std::min(span.end + 1, text_.size())});
}

// A line of which only the begin is selected does not belong to it.
TextSpan EditedText::whole_lines() const {
  const TextSpan part = selection();
  std::size_t last = line_of(part.end);
  if (part.size() > 0 && last > line_of(part.begin) && line_span(last).begin == part.end) --last;
  return {line_span(line_of(part.begin)).begin, line_span(last).end};
}

}  // namespace cinderscope
