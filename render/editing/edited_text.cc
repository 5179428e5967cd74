#include "render/editing/edited_text.h"

#include <algorithm>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"
#include "render/editing/characters.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostSteps = 10'000, kMostHistoryBytes = 16 << 20;

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
