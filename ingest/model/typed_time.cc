#include "ingest/model/typed_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/ascii.h"
#include "ingest/base/saturating.h"
#include "ingest/base/time_units.h"
#include "ingest/base/time_zone.h"

namespace cinderscope {
namespace {

constexpr std::size_t kShownBytes = 60;  // of what was typed, in an error

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", text.substr(0, kShownBytes));
}

Error no_time(std::string_view text) {
  return refused(in_quotes(text) + " is not a time; give one such as +1.2s, end-2s or 1500.");
}

// Two digits below `limit`, at the front of `rest`.
std::optional<std::int64_t> two_digits(std::string_view& rest, int limit) {
  const bool fits = rest.size() >= 2 && is_digit(rest[0]) && is_digit(rest[1]);
  if (!fits) return std::nullopt;
  const int value = (rest[0] - '0') * 10 + (rest[1] - '0');
  rest.remove_prefix(2);
  return value < limit ? std::optional<std::int64_t>(value) : std::nullopt;
}

// "09:30", "9:30:01.25": nanoseconds since midnight.
std::optional<std::int64_t> time_of_day(std::string_view text) {
  const std::string padded = text.find(':') == 1 ? "0" + std::string(text) : std::string(text);
  std::string_view rest = padded;
  const auto hours = two_digits(rest, 24);
  if (!hours || !rest.starts_with(':')) return std::nullopt;
  rest.remove_prefix(1);
  const auto minutes = two_digits(rest, 60);
  if (!minutes) return std::nullopt;
  std::int64_t ns = (*hours * 3600 + *minutes * 60) * kSecondNs;
  if (rest.empty()) return ns;
  if (!rest.starts_with(':')) return std::nullopt;
  rest.remove_prefix(1);
  const auto seconds = two_digits(rest, 60);
  if (!seconds || (!rest.empty() && !rest.starts_with('.'))) return std::nullopt;
  if (rest.size() == 1) return std::nullopt;
  ns += *seconds * kSecondNs;
  std::int64_t step = kSecondNs;
  for (const char digit : rest.substr(std::min<std::size_t>(rest.size(), 1))) {
    if (!is_digit(digit)) return std::nullopt;
    step /= 10;
    ns += step * (digit - '0');
  }
  return ns;
}

bool has_letter(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return !is_digit(c) && c != '.' && c != '-'; });
}

Error outside(const TimeContext& context, const TypedTime& time) {
  std::string text = fmt::format("{} is not in the trace, which goes from {} to {} {}",
                                 in_quotes(time.text), context.begin_ns, context.end_ns,
                                 context.axis == TimeAxis::nanoseconds ? "ns" : "events");
  const bool plain = time.from == TypedTime::From::zero && time.ns >= 0;
  if (plain && time.ns <= saturating_difference(context.end_ns, context.begin_ns)) {
    text += fmt::format("; \"+{}\" counts from its begin", time.text);
  }
  return refused(text + ".");
}

}  // namespace

Result<TypedTime> typed_time(std::string_view text) {
  using enum TypedTime::From;
  TypedTime time{.note = {}, .text = std::string(text)};
  if (text == "now") {
    time.from = selection;
    return time;
  }
  if (text.starts_with("mark:")) {
    time.from = mark;
    time.note = text.substr(5);
    if (time.note.size() > 1 && time.note.starts_with('"') && time.note.ends_with('"')) {
      time.note = time.note.substr(1, time.note.size() - 2);
    }
    if (time.note.empty()) return refused("mark: needs a bookmark's note, as in mark:start.");
    return time;
  }
  if (text.find(':') != std::string_view::npos) {
    const auto since_midnight = time_of_day(text);
    if (!since_midnight) {
      return refused(in_quotes(text) + " is not a time of day; write it as 09:30:01.25.");
    }
    time.from = midnight;
    time.ns = *since_midnight;
    return time;
  }
  std::string_view length = text;
  bool backwards = false;
  if (text == "end") {
    time.from = end;
    return time;
  }
  if (text.starts_with("end-")) {
    time.from = end;
    length = text.substr(4);
    backwards = true;
  } else if (text.starts_with('+')) {
    time.from = begin;
    length = text.substr(1);
  }
  if (time.from != zero && length.starts_with('-')) return no_time(text);
  const Result<Nanoseconds> read = nanoseconds_from(length);
  if (!read) return no_time(text);
  time.ns = backwards ? -read->floor_ns : read->floor_ns;
  time.has_unit = has_letter(length);
  return time;
}

Result<std::int64_t> typed_duration(std::string_view text) {
  const Result<Nanoseconds> length = nanoseconds_from(text);
  if (length && !text.starts_with('-')) return length->floor_ns;
  return refused(in_quotes(text) + " is not a length of time; write it as 12.5ms or 1h2m.");
}

Result<std::int64_t> absolute_time(std::string_view text) {
  const Result<TypedTime> time = typed_time(text);
  if (!time) return time.error();
  if (time->from == TypedTime::From::zero) return time->ns;
  return refused(in_quotes(text) +
                 " depends on the trace; give a time as in the file, such as 1500 or 12.5ms.");
}

TimeContext time_context(const Timeline& timeline) {
  return {.axis = timeline.axis,
          .begin_ns = timeline.begin_ns,
          .end_ns = timeline.end_ns,
          .marks = {},
          .selected_ns = {}};
}

Result<std::int64_t> time_in(const TimeContext& context, const TypedTime& time) {
  using enum TypedTime::From;
  const bool of_events = context.axis == TimeAxis::events;
  if (of_events && (time.has_unit || time.from == midnight)) {
    return refused("This trace has no clock: its axis counts events. Give a number such as +1500.");
  }
  std::int64_t result = time.ns;
  switch (time.from) {
    case zero:
      break;
    case begin:
      result = saturating_sum(context.begin_ns, time.ns);
      break;
    case end:
      result = saturating_sum(context.end_ns, time.ns);
      break;
    case midnight: {
      if (!counts_from_1970(context.begin_ns)) {
        return refused("The clock of this file does not count from 1970: it tells no time of day.");
      }
      const auto on_first_day = time_on_day(context.begin_ns, time.ns);
      if (!on_first_day) return outside(context, time);
      result = *on_first_day;
      break;
    }
    case mark: {
      if (!context.in_window) return refused("Bookmarks (mark:) are known in the window only.");
      const auto found = std::ranges::find(context.marks, time.note, &MarkedTime::note);
      if (found == context.marks.end()) {
        return refused(fmt::format("There is no bookmark {}.", in_quotes(time.note)));
      }
      result = found->time_ns;
      break;
    }
    case selection:
      if (!context.in_window) return refused("now is the selected call, in the window only.");
      if (!context.selected_ns) return refused("now is the selected call; none is selected.");
      result = *context.selected_ns;
      break;
  }
  if (result < saturating_difference(context.begin_ns, context.margin_ns) ||
      result > saturating_sum(context.end_ns, context.margin_ns)) {
    return outside(context, time);
  }
  return result;
}

Result<TypedRange> range_in(const TimeContext& context, const std::optional<TypedTime>& from,
                            const std::optional<TypedTime>& to) {
  TypedRange range{INT64_MIN, INT64_MAX};
  if (from) {
    const Result<std::int64_t> begin = time_in(context, *from);
    if (!begin) return begin.error();
    range.begin_ns = *begin;
  }
  if (to) {
    const Result<std::int64_t> end = time_in(context, *to);
    if (!end) return end.error();
    range.end_ns = *end;
  }
  if (from && to && from->from == TypedTime::From::mark && to->from == TypedTime::From::mark &&
      from->note == to->note) {
    const auto mark = std::ranges::find(context.marks, from->note, &MarkedTime::note);
    return TypedRange{mark->begin_ns, mark->end_ns};
  }
  if (range.begin_ns < range.end_ns) return range;
  return refused(fmt::format("Give two times, e.g. +1.2s +1.5s: {} is not after {}.", range.end_ns,
                             range.begin_ns));
}

TypedTime from_begin(TypedTime time) {
  if (time.from == TypedTime::From::zero && !time.text.starts_with('-')) {
    time.from = TypedTime::From::begin;
    time.text.insert(0, "+");
  }
  return time;
}

}  // namespace cinderscope
