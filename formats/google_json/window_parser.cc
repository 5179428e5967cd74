#include "formats/google_json/window_parser.h"

#include <algorithm>
#include <utility>

#include "formats/google_json/event_border.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope::google_json {
namespace {

// Text, copy and index of a block stay in a core's second-level cache.
constexpr std::uint64_t kBlockBytes = 128u << 10;
constexpr std::uint64_t kSmallBlockBytes = 8u << 10;  // at first, and where the index went wrong
constexpr std::uint64_t kLongestJunkString = 64u << 10;
constexpr std::uint64_t kPinnedAtOnce = 2u << 20;  // of a window, which is shorter mostly

std::int64_t signed_offset(std::uint64_t offset) {
  return static_cast<std::int64_t>(offset);
}

bool is_scalar(std::string_view word) {
  return word == "null" || word == "true" || word == "false" || word == "NaN" ||
         json::number_of(word).has_value();
}

}  // namespace

EventBatch WindowParser::parse(std::uint64_t begin, std::uint64_t limit, bool bracketed,
                               EventBatch spare) {
  SelfTraceMark mark("parse window");
  EventBatch batch = std::move(spare);
  batch.begin = begin;
  reader_.start(batch);
  pos_ = begin;
  text_.start_at(begin);
  text_.look_ahead(std::min(limit, begin + kPinnedAtOnce));
  junk_end_ = 0;
  block_end_ = 0;
  block_size_ = kSmallBlockBytes;
  while (true) {
    skip_separators();
    if (pos_ >= limit) break;
    if (!text_.reach(pos_ + 1)) {
      batch.stop = WindowEnd::input_end;
      break;
    }
    const char c = text_.at(pos_);
    if (c == ']' && bracketed) {
      ++pos_;
      batch.stop = WindowEnd::array_end;
      break;
    }
    const Progress progress = c == '{' ? read_events(limit, batch) : skip_other(batch);
    if (progress != Progress::going) {
      batch.stop = progress == Progress::no_memory ? WindowEnd::no_memory : WindowEnd::input_end;
      break;
    }
  }
  batch.end = pos_;
  text_.release();
  mark.set("bytes", static_cast<std::int64_t>(batch.end - batch.begin));
  return batch;
}

void WindowParser::skip_separators() {
  const bool in_junk = junk_end_ == pos_;
  while (true) {
    pos_ = skip_blanks(text_, pos_);
    if (pos_ >= text_.end() || text_.at(pos_) != ',') break;
    ++pos_;
  }
  if (in_junk) junk_end_ = pos_;
}

// Indexes up to `size` bytes from pos_ on.
bool WindowParser::index_block(std::uint64_t size) {
  yield_to_ui();
  block_is_last_ = !text_.reach(pos_ + size);
  std::string_view text = text_.from(pos_).substr(0, size);
  if (!block_is_last_) {
    // Behind a bracket it is mostly no string that is cut, which would need a second run.
    const std::size_t bracket = text.rfind('}');
    if (bracket != std::string_view::npos) text = text.substr(0, bracket + 1);
  }
  block_begin_ = pos_;
  block_end_ = pos_ + text.size();
  block_wanted_ = size;
  token_ = 0;
  return block_.index(text);
}

// Moves token_ to the one at pos_; false where the index has none there.
bool WindowParser::find_token() {
  if (pos_ < block_begin_ || pos_ >= block_end_) return false;
  const std::uint32_t* tokens = block_.tokens();
  const auto wanted = static_cast<std::uint32_t>(pos_ - block_begin_);
  const std::uint32_t* end = tokens + block_.token_count();
  const std::uint32_t* at = std::lower_bound(tokens + token_, end, wanted);
  if (at == end || *at != wanted) return false;
  token_ = static_cast<std::uint32_t>(at - tokens);
  return true;
}

// Reads the event at pos_ and those that follow it, as long as they are written in the usual way.
// False if not even the first one is.
bool WindowParser::scan_events(std::uint64_t limit, EventBatch& batch) {
  const auto is_separator = [](char c) { return json::is_blank(c) || c == ','; };
  RawEvent event;
  for (bool any = false;; any = true) {
    text_.look_ahead(pos_ + kScanBytes);
    const std::string_view text = text_.from(pos_);
    const std::uint64_t size = std::min<std::uint64_t>(text.size(), kScanBytes);
    if (!scanner_.scan(text.data(), static_cast<std::uint32_t>(size), event)) return any;
    take(event, text.data(), pos_, batch);
    // A comma and the next event: what skip_separators() and the caller would find, too.
    const std::uint64_t end = std::min<std::uint64_t>(limit - pos_, text.size());
    std::uint64_t at = event.end;
    while (at < end && is_separator(text[at])) ++at;
    const bool has_next = at < end && text[at] == '{';
    pos_ += has_next ? at : event.end;
    if (!has_next) return true;
  }
}

// Reads the event at pos_ and some that follow it directly.
WindowParser::Progress WindowParser::read_events(std::uint64_t limit, EventBatch& batch) {
  if (scan_events(limit, batch)) {
    block_size_ = kSmallBlockBytes;
    return Progress::going;
  }
  if (!find_token()) {
    const bool misled = pos_ >= block_begin_ && pos_ < block_end_;
    block_size_ = misled ? kSmallBlockBytes : std::min(block_size_ * 2, kBlockBytes);
    const std::uint64_t rest = limit - pos_;
    if (!index_block(std::min(block_size_, rest < kBlockBytes ? rest + kSmallBlockBytes : rest))) {
      return Progress::no_memory;
    }
  }
  // A block's worth at most goes this way, until the scanner is asked again.
  RawEvent event;
  while (true) {
    const Walk walk = walker_.walk(block_, token_, event);
    if (walk == Walk::damaged) return resume(batch);
    if (walk == Walk::incomplete) return grow_block(batch);
    take(event, text_.from(block_begin_).data(), block_begin_, batch);
    pos_ = block_begin_ + event.end;
    token_ = event.end_token;
    // A comma and the next event: what skip_separators() and the caller would find, too.
    const std::uint32_t* tokens = block_.tokens();
    if (token_ + 1 >= block_.token_count() || block_.copy()[tokens[token_]] != ',' ||
        block_.copy()[tokens[token_ + 1]] != '{' || block_begin_ + tokens[token_ + 1] >= limit) {
      return Progress::going;
    }
    ++token_;
    pos_ = block_begin_ + tokens[token_];
  }
}

// The block ends inside the event at pos_: makes a block that begins there, or a longer one.
WindowParser::Progress WindowParser::grow_block(EventBatch& batch) {
  if (block_is_last_) {
    batch.diagnostics.count(diagnostic::kTruncatedEvent, signed_offset(pos_));
    return Progress::input_end;
  }
  const std::uint64_t size = block_begin_ == pos_ ? block_wanted_ * 4 : block_size_;
  if (size > IndexedBlock::kMaxBytes) {
    batch.count_damage(diagnostic::kEventTooLong, signed_offset(pos_));
    const std::optional<std::uint64_t> end = skip_value(text_, pos_);
    if (!end) return Progress::input_end;
    pos_ = *end;
    return Progress::going;
  }
  return index_block(size) ? Progress::going : Progress::no_memory;
}

WindowParser::Progress WindowParser::resume(EventBatch& batch) {
  const std::uint64_t error_at = block_begin_ + walker_.error_at();
  batch.count_damage(diagnostic::kBadJsonEvent, signed_offset(error_at));
  const std::optional<std::uint64_t> next = resume_after_damage(text_, pos_, error_at);
  if (!next) {
    pos_ = text_.end();
    return Progress::input_end;
  }
  pos_ = *next;
  return Progress::going;
}

// An element that is no event, or text that is no element at all.
WindowParser::Progress WindowParser::skip_other(EventBatch& batch) {
  const std::uint64_t begin = pos_;
  const char c = text_.at(pos_);
  bool element = true;
  if (c == '[') {
    const std::optional<std::uint64_t> end = skip_value(text_, pos_);
    if (!end) {
      batch.diagnostics.count(diagnostic::kTruncatedEvent, signed_offset(begin));
      return Progress::input_end;
    }
    pos_ = *end;
  } else if (c == '"') {
    text_.reach(pos_ + kLongestJunkString);
    const std::string_view text = text_.from(pos_).substr(0, kLongestJunkString);
    const std::size_t end = json::skip_string(text, 0);
    element = end != std::string_view::npos;
    pos_ += element ? end : 1;
  } else if (c == '}' || c == ']' || c == ':') {
    element = false;
    ++pos_;
  } else {
    while (text_.reach(pos_ + 1) && !json::is_blank(text_.at(pos_)) &&
           std::string_view(",:\"{}[]").find(text_.at(pos_)) == std::string_view::npos) {
      ++pos_;
    }
    element = is_scalar(text_.view({begin, pos_}));
  }
  if (element) {
    ++batch.element_count;
    batch.diagnostics.count(diagnostic::kNotAnEvent, signed_offset(begin));
  } else if (begin != junk_end_) {
    batch.count_damage(diagnostic::kBadJsonBetween, signed_offset(begin));
  }
  if (!element) junk_end_ = pos_;
  return Progress::going;
}

}  // namespace cinderscope::google_json
