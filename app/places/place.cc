#include "app/places/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kHeadDigits = 8;
constexpr std::size_t kMostText = 1 << 16;  // that is looked through for a place

bool stays(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~' || static_cast<unsigned char>(c) >= 0x80;
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    if (stays(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  return valid_utf8(out);
}

std::optional<TimeRange> times_from(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto begin = parse_number<std::int64_t>(text.substr(0, comma)),
             end = parse_number<std::int64_t>(text.substr(comma + 1));
  if (!begin || !end || *begin >= *end) return std::nullopt;
  return TimeRange{*begin, *end};
}

// KIND/PID/TID/DEPTH@BEGIN; PID and TID are encoded, so that a "/" in them is none here.
std::optional<NamedSlice> slice_from(std::string_view text) {
  std::vector<std::string_view> parts;
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(0, at);
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    parts.push_back(rest.substr(0, slash));
    rest.remove_prefix(slash + 1);
  }
  if (parts.size() != 3) return std::nullopt;
  const auto kind = track_kind_from(parts[0]);
  auto pid = decoded(parts[1]), tid = decoded(parts[2]);
  const auto depth = parse_number<std::uint32_t>(rest);
  const auto begin = parse_number<std::int64_t>(text.substr(at + 1));
  if (!kind || !pid || !tid || !depth || !begin) return std::nullopt;
  NamedSlice slice{.depth = *depth, .name = {}, .begin_ns = *begin};
  slice.track = {.kind = *kind, .pid = std::move(*pid), .tid = std::move(*tid), .name = {}};
  return slice;
}

bool names_a_file(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

bool is_head(std::string_view text) {
  return text.size() == kHeadDigits &&
         std::ranges::all_of(text, [](char c) { return hex_digit(c) >= 0; });
}

// False: the value cannot be read.
bool take(std::string_view key, std::string_view raw, std::string& name, Place& place) {
  if (key == "slice") return (place.slice = slice_from(raw)).has_value();
  const std::optional<std::string> value = decoded(raw);
  if (!value) return false;
  const auto other = [&place]() -> PlacedTrace& {
    if (!place.other) place.other.emplace();
    return *place.other;
  };
  if (key == "size")
    return (place.trace.size_bytes = parse_number<std::uint64_t>(*value)).has_value();
  if (key == "size2") return (other().size_bytes = parse_number<std::uint64_t>(*value)).has_value();
  if (key == "head" || key == "head2") {
    if (!is_head(*value)) return false;
    (key == "head" ? place.trace : other()).head = *value;
  }
  if (key == "trace2") {
    if (!names_a_file(*value)) return false;
    other().name = *value;
  }
  if (key == "view") return (place.view = times_from(*value)).has_value();
  if (key == "range") return (place.range = times_from(*value)).has_value();
  if (key == "name") name = *value;
  if (key == "thread") place.thread = *value;
  if (key == "search") place.search = *value;
  if (key == "panel") place.panel = *value;
  if (key == "sql") place.sql = *value;
  if (key == "compare") place.compared = *value;
  return true;
}

}  // namespace

bool is_place(std::string_view text) {
  return text.starts_with(kPlaceScheme);
}

std::string place_text(const Place& place) {
  std::string text = std::string(kPlaceScheme) + encoded(place.trace.name);
  char sign = '?';
  const auto add = [&](std::string_view key, const std::string& value) {
    const std::string part = fmt::format("{}{}={}", sign, key, value);
    if (text.size() + part.size() > kLongestPlace) return;
    text += part;
    sign = '&';
  };
  const auto add_range = [&](std::string_view key, const std::optional<TimeRange>& range) {
    if (range) add(key, fmt::format("{},{}", range->begin_ns, range->end_ns));
  };
  if (place.trace.size_bytes) add("size", fmt::to_string(*place.trace.size_bytes));
  if (!place.trace.head.empty()) add("head", place.trace.head.substr(0, kHeadDigits));
  add_range("view", place.view);
  add_range("range", place.range);
  if (place.slice) {
    const NamedSlice& slice = *place.slice;
    add("slice", fmt::format("{}/{}/{}/{}@{}", word_of(slice.track.kind), encoded(slice.track.pid),
                             encoded(slice.track.tid), slice.depth, slice.begin_ns));
    add("name", encoded(slice.name));
  }
  if (!place.thread.empty()) add("thread", encoded(place.thread));
  if (place.other) {
    add("trace2", encoded(place.other->name));
    if (place.other->size_bytes) add("size2", fmt::to_string(*place.other->size_bytes));
    if (!place.other->head.empty()) add("head2", place.other->head.substr(0, kHeadDigits));
    if (!place.compared.empty()) add("compare", encoded(place.compared));
  }
  if (!place.panel.empty()) add("panel", encoded(place.panel));
  if (!place.search.empty()) add("search", encoded(place.search));
  if (!place.sql.empty()) add("sql", encoded(place.sql));
  return text;
}

Result<Place> place_from(std::string_view text) {
  text = text.substr(0, kMostText);
  std::size_t begin = text.find(kPlaceScheme);
  if (begin == std::string_view::npos) {
    return refused("This is no place: one begins with \"cinderscope:\".");
  }
  text = text.substr(begin);
  text = text.substr(0, text.find_first_of(" \t\r\n`<>\""));
  if (text.size() > kLongestPlace) return refused("The place is longer than 4000 bytes.");
  text.remove_prefix(kPlaceScheme.size());
  const std::size_t question = text.find('?');
  Place place;
  place.trace.name = decoded(text.substr(0, question)).value_or("");
  if (!names_a_file(place.trace.name)) {
    return refused("The place names no trace, or a path in place of a name.");
  }
  std::string name;
  std::string_view rest = question == std::string_view::npos ? "" : text.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const std::string_view key = pair.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    if (!take(key, value, name, place)) place.unread.emplace_back(key);
  }
  if (place.slice) place.slice->name = name;
  if (place.other && place.other->name.empty()) place.other.reset();
  return place;
}

}  // namespace cinderscope
