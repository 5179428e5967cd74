#include "formats/google_json/write/event_text.h"

#include <fmt/format.h>

#include <iterator>

#include "ingest/base/grouped_text.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/utf8.h"

namespace cinderscope::google_json {
namespace {

constexpr std::uint64_t kNsPerUs = 1000;
constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;  // what a double holds exactly

bool is_plain(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\') return false;
  }
  return true;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    if (!next.valid) return false;
    text.remove_prefix(next.size);
  }
  return true;
}

// Digits without a leading zero, up to 2^53.
bool is_number(std::string_view id) {
  constexpr std::size_t kMostDigits = 16;
  if (id.empty() || id.size() > kMostDigits || (id[0] == '0' && id.size() > 1)) return false;
  std::uint64_t number = 0;
  for (const char c : id) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number <= kMostExact;
}

}  // namespace

void append_time(std::string& out, std::int64_t time, bool are_events) {
  const auto put = std::back_inserter(out);
  if (are_events) {
    fmt::format_to(put, "{}", time);
    return;
  }
  const std::uint64_t ns = magnitude(time);
  if (time < 0) out += '-';
  fmt::format_to(put, "{}", ns / kNsPerUs);
  const auto rest = static_cast<unsigned>(ns % kNsPerUs);
  if (rest == 0) return;
  const char digits[] = {'.', static_cast<char>('0' + rest / 100),
                         static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10)};
  out.append(digits, rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4);
}

bool append_text(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
    return false;
  }
  out += json_quoted(text);
  return !is_valid_utf8(text);
}

void append_id(std::string& out, std::string_view id) {
  if (is_number(id)) {
    out += id;
  } else {
    append_text(out, id);
  }
}

EventText& EventText::begin(std::string_view raw_name, std::string_view category, char phase) {
  out_ += "{\"name\":";
  out_ += raw_name;
  if (!category.empty()) {
    out_ += ",\"cat\":";
    not_utf8_ += append_text(out_, category) ? 1 : 0;
  }
  out_ += ",\"ph\":\"";
  out_ += phase;
  out_ += '"';
  return *this;
}

EventText& EventText::time(std::string_view key, std::int64_t time) {
  out_.append(",\"").append(key).append("\":");
  append_time(out_, time, are_events_);
  return *this;
}

EventText& EventText::owner(std::string_view raw_owner) {
  if (!raw_owner.empty()) out_.append(",").append(raw_owner);
  return *this;
}

EventText& EventText::raw(std::string_view key, std::string_view json) {
  out_.append(",\"").append(key).append("\":").append(json);
  return *this;
}

EventText& EventText::text(std::string_view key, std::string_view text) {
  out_.append(",\"").append(key).append("\":");
  not_utf8_ += append_text(out_, text) ? 1 : 0;
  return *this;
}

}  // namespace cinderscope::google_json
