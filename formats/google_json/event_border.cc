#include "formats/google_json/event_border.h"

#include <algorithm>
#include <cstring>

#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {
namespace {

constexpr std::uint64_t kReadAhead = 1u << 20;
// How far `ph` is looked for behind the `{`; an event whose name is longer gets the benefit of
// doubt.
constexpr std::uint64_t kLookAhead = 2048;

// Behind a comma or a bracket, or at the head of a line, where the event before may be cut.
bool may_begin_element(const GrowingText& text, std::uint64_t pos) {
  while (pos > text.begin() && json::is_blank(text.at(pos - 1))) {
    if (text.at(--pos) == '\n') return true;
  }
  return pos == text.begin() || std::strchr(",}[{]", text.at(pos - 1)) != nullptr;
}

bool looks_like_event(GrowingText& text, std::uint64_t pos) {
  if (!may_begin_element(text, pos)) return false;
  text.reach(pos + kLookAhead);
  const std::uint64_t end = std::min<std::uint64_t>(pos + kLookAhead, text.end());
  const std::string_view head = text.view({pos, end});
  json::MemberReader members(head);
  bool any = false;
  while (members.next()) {
    any = true;
    if (members.raw_key() == "ph") return true;
  }
  return any && head.size() == kLookAhead && json::skip_value(head, 0) == head.size();
}

}  // namespace

std::optional<std::uint64_t> skip_value(GrowingText& text, std::uint64_t pos) {
  // Starting over costs no more than twice the value, since the reach doubles.
  std::uint64_t reach = kReadAhead;
  while (true) {
    const bool more = text.reach(pos + reach);
    const std::string_view known = text.from(pos);
    const std::size_t end = json::skip_value(known, 0);
    if (end < known.size()) return pos + end;
    if (!more) {
      const bool closed = end > 0 && (known[end - 1] == '}' || known[end - 1] == ']');
      return closed && json::skip_value(known.substr(0, end - 1), 0) == end - 1
                 ? std::optional<std::uint64_t>(pos + end)
                 : std::nullopt;
    }
    reach *= 2;
  }
}

std::uint64_t skip_blanks(GrowingText& text, std::uint64_t pos) {
  while (true) {
    while (pos < text.end() && json::is_blank(text.at(pos))) ++pos;
    if (pos < text.end() || !text.reach(pos + 1)) return std::min(pos, text.end());
  }
}

std::optional<std::uint64_t> find_event(GrowingText& text, std::uint64_t from,
                                        std::uint64_t until) {
  for (std::uint64_t pos = from; pos < until; ++pos) {
    if (!text.reach(pos + 1)) return std::nullopt;
    const std::uint64_t end = std::min(until, text.end());
    const std::size_t found = text.from(pos).substr(0, end - pos).find('{');
    if (found == std::string_view::npos) {
      pos = end - 1;
      continue;
    }
    pos += found;
    if (looks_like_event(text, pos)) return pos;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> resume_after_damage(GrowingText& text, std::uint64_t event_begin,
                                                 std::uint64_t error_at) {
  std::uint64_t depth = 0;
  bool in_string = false;
  for (std::uint64_t pos = event_begin; pos < text.end() || text.reach(pos + 1); ++pos) {
    const char c = text.at(pos);
    // The damage may be a missing quote, so what seems to be inside of a string counts, too.
    if (c == '{' && pos > event_begin && pos >= error_at && looks_like_event(text, pos)) return pos;
    if (c == '"') {
      in_string = !in_string;
    } else if (c == '\\') {
      ++pos;
    } else if (!in_string && (c == '{' || c == '[')) {
      ++depth;
    } else if (!in_string && (c == '}' || c == ']') && --depth == 0) {
      return pos + 1;
    }
  }
  return std::nullopt;
}

}  // namespace cinderscope::google_json
