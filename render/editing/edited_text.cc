#include "render/editing/edited_text.h"

#include <algorithm>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostSteps = 10'000, kMostHistoryBytes = 16 << 20;
constexpr std::string_view kIndent = "  ";

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

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

// As lines of valid UTF-8, without signs that nobody sees.
std::string cleaned(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    const bool ends_line = next.code == '\r';
    if (ends_line && text.substr(1).starts_with('\n')) text.remove_prefix(1);
    if (ends_line) {
      clean += '\n';
    } else if (next.code >= ' ' ? next.code != 0x7f : next.code == '\n' || next.code == '\t') {
      append_utf8(clean, next.code);
    }
    text.remove_prefix(ends_line ? 1 : next.size);
  }
  return clean;
}

}  // namespace

TextSpan EditedText::line_span(std::size_t line) const {
  const bool last = line + 1 >= line_begins_.size();
  return {line_begins_[line], last ? text_.size() : line_begins_[line + 1] - 1};
}

std::string_view EditedText::line(std::size_t line) const {
  const TextSpan span = line_span(line);
  return std::string_view(text_).substr(span.begin, span.size());
}

std::size_t EditedText::line_of(std::size_t place) const {
  const auto after = std::ranges::upper_bound(line_begins_, place);
  return static_cast<std::size_t>(after - line_begins_.begin()) - 1;
}

TextSpan EditedText::selection() const {
  return {std::min(caret_, anchor_), std::max(caret_, anchor_)};
}

std::string_view EditedText::selected_text() const {
  return std::string_view(text_).substr(selection().begin, selection().size());
}

void EditedText::reset(std::string_view text) {
  put(0, text_.size(), {});
  std::string clean = cleaned(text);
  if (clean.size() > most_bytes_) {
    std::size_t end = most_bytes_;
    while (end > 0 && is_continuation(clean[end])) --end;
    clean.resize(end);
  }
  put(0, 0, clean);
  caret_ = anchor_ = 0;
  kept_column_ = kNoColumn;
  done_.clear();
  undone_.clear();
  history_bytes_ = 0;
}

void EditedText::put(std::size_t at, std::size_t removed_bytes, std::string_view inserted) {
  const auto first = std::ranges::upper_bound(line_begins_, at);
  const auto last = std::ranges::upper_bound(line_begins_, at + removed_bytes);
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < inserted.size(); ++i) {
    if (inserted[i] == '\n') begins.push_back(at + i + 1);
  }
  for (auto later = last; later != line_begins_.end(); ++later) {
    *later = *later - removed_bytes + inserted.size();
  }
  const auto hole = line_begins_.erase(first, last);
  line_begins_.insert(hole, begins.begin(), begins.end());
  text_.replace(at, removed_bytes, inserted);
  ++version_;
}

void EditedText::forget_oldest() {
  while (!done_.empty() && (done_.size() > kMostSteps || history_bytes_ > kMostHistoryBytes)) {
    history_bytes_ -= done_.front().removed.size() + done_.front().inserted.size();
    done_.pop_front();
  }
}

bool EditedText::change(TextSpan part, std::string_view text, bool joins) {
  std::string clean = cleaned(text);
  const std::size_t room = most_bytes_ - std::min(most_bytes_, text_.size() - part.size());
  const bool fits = clean.size() <= room;
  if (!fits) {
    std::size_t end = room;
    while (end > 0 && is_continuation(clean[end])) --end;
    clean.resize(end);
  }
  kept_column_ = kNoColumn;
  if (part.size() == 0 && clean.empty()) return fits;
  Edit edit{.at = part.begin,
            .removed = text_.substr(part.begin, part.size()),
            .inserted = std::move(clean),
            .caret_before = caret_,
            .anchor_before = anchor_};
  put(part.begin, part.size(), edit.inserted);
  caret_ = anchor_ = snapped(part.begin + edit.inserted.size());
  edit.caret_after = edit.anchor_after = caret_;
  edit.joins = joins;
  for (const Edit& gone : std::exchange(undone_, {})) {
    history_bytes_ -= gone.removed.size() + gone.inserted.size();
  }
  history_bytes_ += edit.removed.size() + edit.inserted.size();
  // What is typed in one go is undone in one, word by word.
  const bool begins_word = !edit.inserted.empty() && is_blank(edit.inserted.front());
  if (joins && !done_.empty() && done_.back().joins && edit.removed.empty() && !begins_word &&
      done_.back().at + done_.back().inserted.size() == edit.at) {
    done_.back().inserted += edit.inserted;
    done_.back().caret_after = done_.back().anchor_after = caret_;
  } else {
    done_.push_back(std::move(edit));
  }
  forget_oldest();
  return fits;
}

bool EditedText::insert(std::string_view text) {
  const bool typed = text.size() <= 4 && text != "\n";
  return change(selection(), text, typed);
}

bool EditedText::replace(TextSpan part, std::string_view text) {
  part.end = snapped(std::min(part.end, text_.size()));
  part.begin = snapped(std::min(part.begin, part.end));
  return change(part, text, false);
}

void EditedText::new_line() {
  const std::size_t begin = line_span(line_of(selection().begin)).begin;
  std::size_t end = begin;
  while (end < selection().begin && (text_[end] == ' ' || text_[end] == '\t')) ++end;
  change(selection(), "\n" + text_.substr(begin, end - begin), false);
}

void EditedText::erase(CaretMove towards) {
  TextSpan part = selection();
  if (part.size() == 0) {
    switch (towards) {
      case CaretMove::left:
        part.begin = previous(caret_);
        break;
      case CaretMove::word_left:
        part.begin = word_begin(caret_);
        break;
      case CaretMove::word_right:
        part.end = word_end(caret_);
        break;
      default:
        part.end = next(caret_);
    }
  }
  change(part, {}, false);
}

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

void EditedText::move(CaretMove where, bool selects, std::size_t lines) {
  const bool vertical = where == CaretMove::up || where == CaretMove::down;
  std::size_t to = caret_;
  switch (where) {
    case CaretMove::left:
      to = has_selection() && !selects ? selection().begin : previous(caret_);
      break;
    case CaretMove::right:
      to = has_selection() && !selects ? selection().end : next(caret_);
      break;
    case CaretMove::word_left:
      to = word_begin(caret_);
      break;
    case CaretMove::word_right:
      to = word_end(caret_);
      break;
    case CaretMove::up:
    case CaretMove::down:
      to = beside_line(where == CaretMove::down, lines);
      break;
    case CaretMove::line_begin: {
      const TextSpan span = line_span(line_of(caret_));
      std::size_t text = span.begin;
      while (text < span.end && is_blank(text_[text])) ++text;
      to = caret_ == text ? span.begin : text;
      break;
    }
    case CaretMove::line_end:
      to = line_span(line_of(caret_)).end;
      break;
    case CaretMove::text_begin:
      to = 0;
      break;
    case CaretMove::text_end:
      to = text_.size();
      break;
  }
  const std::size_t column = kept_column_;
  place_caret(to, selects);
  if (vertical) kept_column_ = column;
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

namespace {

template <class EditLine>
std::string each_line(std::string_view lines, EditLine edit) {
  std::string all;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    if (begin > 0) all += '\n';
    all += edit(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

std::size_t blanks_before(std::string_view line) {
  const std::size_t text = line.find_first_not_of(" \t");
  return text == std::string_view::npos ? line.size() : text;
}

}  // namespace

void EditedText::toggle_comment(std::string_view mark) {
  const TextSpan part = whole_lines();
  const std::string lines = text_.substr(part.begin, part.size());
  std::size_t least = lines.size();  // blanks before the line that has fewest
  bool all = true, any = false;
  each_line(lines, [&](std::string_view line) {
    const std::size_t text = blanks_before(line);
    if (text < line.size()) {
      any = true;
      least = std::min(least, text);
      all &= line.substr(text).starts_with(mark);
    }
    return std::string();
  });
  if (!any) return;
  const std::string with_blank = std::string(mark) + " ";
  const bool had_selection = has_selection();
  const std::size_t from_end = part.end - std::min(caret_, part.end);
  change(part,
         each_line(lines,
                   [&](std::string_view line) {
                     const std::size_t text = blanks_before(line);
                     std::string edited(line);
                     if (text == line.size()) return edited;
                     if (!all) return edited.insert(least, with_blank);
                     const bool blank = line.substr(text).starts_with(with_blank);
                     return edited.erase(text, mark.size() + (blank ? 1 : 0));
                   }),
         false);
  const std::size_t end = caret_;
  if (had_selection) {
    select({part.begin, end});
  } else {
    place_caret(end - std::min(from_end, end - part.begin), false);
  }
  if (!done_.empty()) {
    done_.back().caret_after = caret_;
    done_.back().anchor_after = anchor_;
  }
}

void EditedText::indent(bool out) {
  const TextSpan part = whole_lines();
  const std::string lines = text_.substr(part.begin, part.size());
  change(part,
         each_line(lines,
                   [&](std::string_view line) {
                     if (!out)
                       return line.empty() ? std::string() : std::string(kIndent).append(line);
                     std::size_t gone = 0;
                     while (gone < kIndent.size() && gone < line.size() && line[gone] == ' ')
                       ++gone;
                     if (gone == 0 && line.starts_with('\t')) gone = 1;
                     return std::string(line.substr(gone));
                   }),
         false);
  select({part.begin, caret_});
  if (!done_.empty()) {
    done_.back().caret_after = caret_;
    done_.back().anchor_after = anchor_;
  }
}

bool EditedText::undo() {
  if (done_.empty()) return false;
  Edit edit = std::move(done_.back());
  done_.pop_back();
  put(edit.at, edit.inserted.size(), edit.removed);
  caret_ = edit.caret_before;
  anchor_ = edit.anchor_before;
  edit.joins = false;
  kept_column_ = kNoColumn;
  undone_.push_back(std::move(edit));
  return true;
}

bool EditedText::redo() {
  if (undone_.empty()) return false;
  Edit edit = std::move(undone_.back());
  undone_.pop_back();
  put(edit.at, edit.removed.size(), edit.inserted);
  caret_ = edit.caret_after;
  anchor_ = edit.anchor_after;
  kept_column_ = kNoColumn;
  done_.push_back(std::move(edit));
  return true;
}

}  // namespace cinderscope
