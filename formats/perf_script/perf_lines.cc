#include "formats/perf_script/perf_lines.h"

#include <algorithm>

#include "ingest/base/ascii.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/number_text.h"

namespace cinderscope::perf_script {
namespace {

constexpr bool is_perf_blank(char c) {
  return c == ' ' || c == '\t';
}
constexpr bool is_perf_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}
constexpr bool is_perf_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view skip_perf_blanks(std::string_view text) {
  while (!text.empty() && is_perf_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && is_perf_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The next word, taken off `text` with the blanks around it.
std::string_view take_perf_word(std::string_view& text) {
  text = skip_perf_blanks(text);
  std::size_t end = 0;
  while (end < text.size() && !is_perf_blank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text = skip_perf_blanks(text.substr(end));
  return word;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

bool is_perf_id(std::string_view text) {
  return all_digits(text.starts_with('-') ? text.substr(1) : text);
}

// "12/34" or "34".
bool take_ids(std::string_view word, RecordLine& out) {
  const std::size_t slash = word.find('/');
  out.pid = slash == std::string_view::npos ? std::string_view() : word.substr(0, slash);
  out.tid = slash == std::string_view::npos ? word : word.substr(slash + 1);
  return is_perf_id(out.tid) && (slash == std::string_view::npos || is_perf_id(out.pid));
}

bool is_cpu_word(std::string_view word) {
  return word.size() > 2 && word.front() == '[' && word.back() == ']' &&
         all_digits(word.substr(1, word.size() - 2));
}

// "seconds.fraction:"
std::optional<std::int64_t> time_of_word(std::string_view word) {
  if (!word.ends_with(':')) return std::nullopt;
  word.remove_suffix(1);
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos || !all_digits(word.substr(0, point)) ||
      !all_digits(word.substr(point + 1))) {
    return std::nullopt;
  }
  const auto time = time_from_decimal(word, 9);
  if (!time) return std::nullopt;
  return time->ns;
}

// "period event: rest"
bool take_event(std::string_view text, RecordLine& out) {
  std::string_view behind = text;
  std::string_view word = take_perf_word(behind);
  if (all_digits(word)) {
    out.period = parse_number<std::uint64_t>(word);
    text = behind;
    word = take_perf_word(behind);
  }
  if (word.size() < 2 || word.back() != ':') return false;
  out.event = word.substr(0, word.size() - 1);
  out.rest = without_blanks_behind(behind);
  return true;
}

// What stands behind the name, with a time.
bool take_timed(std::string_view text, RecordLine& out) {
  if (!take_ids(take_perf_word(text), out)) return false;
  std::string_view word = take_perf_word(text);
  if (is_cpu_word(word)) {
    out.cpu = word.substr(1, word.size() - 2);
    word = take_perf_word(text);
  }
  out.time_ns = time_of_word(word);
  if (!out.time_ns) {
    if (word.empty() || is_digit(word[0]) || word[0] == ':' || word[0] == '[') return false;
    out.time_ns = time_of_word(take_perf_word(text));  // the word before were flags
  }
  if (!out.time_ns) return false;
  if (text.starts_with("PERF_RECORD_")) {
    out.is_other = true;
    return true;
  }
  if (text.empty()) return true;  // fields without the event's name
  return take_event(text, out);
}

bool take_untimed(std::string_view text, RecordLine& out) {
  if (!take_ids(take_perf_word(text), out)) return false;
  std::string_view behind = text;
  const std::string_view word = take_perf_word(behind);
  if (is_cpu_word(word)) {
    out.cpu = word.substr(1, word.size() - 2);
    text = behind;
  }
  return take_event(text, out) && is_perf_letter(out.event[0]);
}

// The shortest name behind which the rest fits.
template <class Take>
std::optional<RecordLine> with_shortest_name(std::string_view line, Take take) {
  std::size_t at = 0;
  while (at < line.size()) {
    std::size_t end = at;
    while (end < line.size() && !is_perf_blank(line[end])) ++end;
    RecordLine out;
    out.comm = line.substr(0, end);
    if (end < line.size() && take(line.substr(end), out)) return out;
    at = end;
    while (at < line.size() && is_perf_blank(line[at])) ++at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<RecordLine> record_line(std::string_view line) {
  const std::string_view text = skip_perf_blanks(line);
  // Nearly all lines are frames, which have neither.
  if (text.find(':') == std::string_view::npos) return std::nullopt;
  if (auto timed = with_shortest_name(text, take_timed)) return timed;
  if (text.size() != line.size()) return std::nullopt;
  return with_shortest_name(text, take_untimed);
}

std::optional<FrameLine> frame_line(std::string_view line, bool unindented) {
  const std::string_view text = skip_perf_blanks(line);
  const bool indented = text.size() < line.size();
  if (!indented && (!unindented || !without_blanks_behind(line).ends_with(')'))) {
    return std::nullopt;
  }
  std::size_t end = 0;
  while (end < text.size() && is_perf_hex(text[end])) ++end;
  if (end == 0 || end == text.size() || !is_perf_blank(text[end])) return std::nullopt;
  const std::string_view behind = without_blanks_behind(skip_perf_blanks(text.substr(end)));
  if (behind.empty()) return std::nullopt;
  return FrameLine{text.substr(0, end), behind};
}

std::optional<FrameLine> frame_of_rest(std::string_view rest) {
  return frame_line(rest, true);
}

bool is_begun_frame(std::string_view line) {
  const std::string_view text = without_blanks_behind(skip_perf_blanks(line));
  return !line.empty() && is_perf_blank(line[0]) && std::ranges::all_of(text, is_perf_hex);
}

std::string_view source_of_line(std::string_view line) {
  std::string_view text = without_blanks_behind(skip_perf_blanks(line));
  if (text.size() == line.size()) return {};
  constexpr std::string_view kInlined = " (inlined)";
  if (text.ends_with(kInlined)) text.remove_suffix(kInlined.size());
  if (text.ends_with(']')) {
    const std::size_t bracket = text.rfind('[');
    if (bracket == std::string_view::npos || bracket == 0) return {};
    const std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
    return !inside.empty() && std::ranges::all_of(inside, is_perf_hex) ? text : std::string_view();
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  return all_digits(text.substr(colon + 1)) ? text : std::string_view();
}

namespace {

// "+0x14" at the end of a symbol or module.
std::string_view without_offset(std::string_view text) {
  const std::size_t plus = text.rfind("+0x");
  if (plus == std::string_view::npos || plus + 3 == text.size()) return text;
  return std::ranges::all_of(text.substr(plus + 3), is_perf_hex) ? text.substr(0, plus) : text;
}

}  // namespace

FrameText parts_of_frame(std::string_view text) {
  constexpr std::string_view kInlined = " (inlined)", kDeleted = " (deleted))";
  FrameText out;
  if (text.ends_with(kInlined)) {
    out.symbol = without_offset(text.substr(0, text.size() - kInlined.size()));
    out.inlined = true;
    return out;
  }
  out.symbol = without_offset(text);
  if (!text.ends_with(')')) return out;
  std::string_view before = text;
  if (text.ends_with(kDeleted)) before.remove_suffix(kDeleted.size());
  const std::size_t open = before.rfind(" (");
  if (open == std::string_view::npos && !text.starts_with('(')) return out;
  const std::size_t begin = open == std::string_view::npos ? 0 : open;
  const std::size_t name = open == std::string_view::npos ? 1 : open + 2;
  out.module = without_offset(text.substr(name, text.size() - name - 1));
  out.symbol = without_offset(without_blanks_behind(text.substr(0, begin)));
  return out;
}

EventName event_name(std::string_view event) {
  for (const std::string_view pmu : {"cpu_core/", "cpu_atom/"}) {
    if (!event.starts_with(pmu)) continue;
    const std::string_view rest = event.substr(pmu.size());
    const std::size_t slash = rest.rfind('/');
    if (slash == std::string_view::npos || slash == 0) break;
    std::string_view modifiers = rest.substr(slash + 1);
    if (modifiers.starts_with(':')) modifiers.remove_prefix(1);
    return {rest.substr(0, slash), modifiers};
  }
  return {event, {}};
}

bool is_kernel_module(std::string_view module) {
  if (module.size() > 1 && module.front() == '[' && module.back() == ']') {
    return module != "[vdso]" && module != "[vsyscall]" && module != "[unknown]" &&
           module != "[stack]" && module != "[heap]" && !is_jit_module(module);
  }
  return module.ends_with("vmlinux") || module.ends_with(".ko") || module.ends_with(".ko.xz");
}

bool is_jit_module(std::string_view module) {
  if (module.starts_with("[JIT]")) return true;  // "[JIT] tid 77"
  const std::string_view file = module.substr(module.rfind('/') + 1);
  return file.starts_with("jitted-") ||
         (module.starts_with("/tmp/perf-") && module.ends_with(".map"));
}

bool is_perf_text(std::string_view head, bool whole) {
  const auto is_text = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || (c >= '\t' && c <= '\r');
  };
  if (head.empty() || head[0] == '[' || head[0] == '<' || !std::ranges::all_of(head, is_text)) {
    return false;
  }
  constexpr int kLinesLookedAt = 8;
  int number = 0, looked_at = 0;
  bool after_mark = false, after_untimed = false;
  while (!head.empty() && looked_at <= kLinesLookedAt) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && !whole) break;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    if (number == 2 && after_mark && line.starts_with("# captured on")) return true;
    after_mark = number == 1 && line == "# ========";
    if (after_untimed) {
      // Words of prose may be hexadecimal ("be"); addresses without a digit are rare.
      const auto frame = frame_line(line, true);
      if (frame && std::ranges::any_of(frame->address, is_digit)) return true;
    }
    after_untimed = false;
    if (skip_perf_blanks(line).empty() || line.starts_with('#')) continue;
    if (++looked_at > kLinesLookedAt) break;
    const auto record = record_line(line);
    if (!record) continue;
    if (record->time_ns) return true;
    after_untimed = true;
  }
  return false;
}

}  // namespace cinderscope::perf_script
