#include "app/session_file/json_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kLineBytes = 100;      // of a line with several members
constexpr std::size_t kMostPaired = 10'000;  // elements; of longer lists none are paired

// What tells an element of an array from the others; null: nothing.
const JsonValue* key_of(const JsonValue& element) {
  for (const char* key : {"id", "trace", "time"}) {
    if (const JsonValue* value = element.find(key)) return value;
  }
  return nullptr;
}

JsonValue with_unknown_elements(JsonValue ours, const JsonValue& theirs) {
  if (ours.members.size() > kMostPaired || theirs.members.size() > kMostPaired) return ours;
  std::vector<std::pair<std::string_view, const JsonValue*>> keyed;
  for (const JsonMember& each : theirs.members) {
    if (const JsonValue* key = key_of(each.value)) keyed.emplace_back(key->raw, &each.value);
  }
  std::ranges::stable_sort(keyed, {}, [](const auto& each) { return each.first; });
  for (JsonMember& each : ours.members) {
    const JsonValue* key = key_of(each.value);
    if (key == nullptr) continue;
    const auto same = std::ranges::lower_bound(keyed, key->raw, {},
                                               [](const auto& other) { return other.first; });
    if (same == keyed.end() || same->first != key->raw) continue;
    each.value = with_unknown(std::move(each.value), *same->second);
  }
  return ours;
}

bool is_container(const JsonValue& value) {
  return value.kind == JsonKind::object || value.kind == JsonKind::array;
}

// A list of objects has a line for each, and so has what holds one.
bool breaks(const JsonValue& value) {
  return std::ranges::any_of(value.members, [&](const JsonMember& each) {
    return breaks(each.value) ||
           (value.kind == JsonKind::array && each.value.kind == JsonKind::object);
  });
}

void write_scalar(const JsonValue& value, std::string& out) {
  out += value.kind == JsonKind::string ? valid_utf8(value.raw) : std::string(value.raw);
}

void write_in_line(const JsonValue& value, std::string& out) {
  if (!is_container(value)) return write_scalar(value, out);
  const bool is_object = value.kind == JsonKind::object;
  out += is_object ? '{' : '[';
  for (const JsonMember& each : value.members) {
    if (&each != value.members.data()) out += ", ";
    if (is_object) out += json_quoted(each.key) + ": ";
    write_in_line(each.value, out);
  }
  out += is_object ? '}' : ']';
}

void write(const JsonValue& value, std::size_t indent, bool is_root, std::string& out) {
  if (!is_container(value)) return write_scalar(value, out);
  if (value.members.empty() || (!is_root && !breaks(value))) {
    std::string line;
    write_in_line(value, line);
    if (indent + line.size() <= kLineBytes || value.members.empty()) {
      out += line;
      return;
    }
  }
  const bool is_object = value.kind == JsonKind::object;
  out += is_object ? '{' : '[';
  for (const JsonMember& each : value.members) {
    out += &each == value.members.data() ? "\n" : ",\n";
    out.append(indent + 2, ' ');
    if (is_object) out += json_quoted(each.key) + ": ";
    write(each.value, indent + 2, false, out);
  }
  out += '\n';
  out.append(indent, ' ');
  out += is_object ? '}' : ']';
}

}  // namespace

JsonValue with_unknown(JsonValue ours, const JsonValue& theirs) {
  if (ours.kind != theirs.kind) return ours;
  if (ours.kind == JsonKind::array) return with_unknown_elements(std::move(ours), theirs);
  if (ours.kind != JsonKind::object) return ours;
  std::string_view before;
  for (const JsonMember& member : theirs.members) {
    const auto same = std::ranges::find(ours.members, member.key, &JsonMember::key);
    if (same != ours.members.end()) {
      same->value = with_unknown(std::move(same->value), member.value);
    } else {
      auto place = std::ranges::find(ours.members, before, &JsonMember::key);
      if (place != ours.members.end()) ++place;
      if (before.empty()) place = ours.members.begin();
      ours.members.insert(place, member);
    }
    before = member.key;
  }
  return ours;
}

std::string laid_out(const JsonValue& value) {
  std::string out;
  write(value, 0, true, out);
  return out + '\n';
}

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const std::size_t begin = before.rfind('\n');
  const std::size_t column =
      begin == std::string_view::npos ? before.size() + 1 : before.size() - begin;
  return fmt::format("line {}, column {}", line, column);
}

}  // namespace cinderscope
