#include "formats/google_json/event_walker.h"

#include <algorithm>
#include <string_view>

#include "ingest/base/json/json_tokens.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {
namespace {

Key escaped_key(const char* copy, std::uint32_t quote, std::uint32_t colon) {
  const std::string_view text(copy + quote + 1, colon - quote - 1);
  if (text.find('\\') == std::string_view::npos) return Key::other;
  return key_from_text(decode_json_string(text.substr(0, text.rfind('"'))));
}

}  // namespace

Walk EventWalker::walk(const IndexedBlock& block, std::uint32_t token, RawEvent& out) {
  const std::uint32_t* tokens = block.tokens();
  const std::uint32_t count = block.token_count();
  const char* copy = block.copy();
  out.present = 0;
  out.begin = tokens[token];
  std::uint32_t i = token + 1;
  while (true) {
    if (i >= count) return Walk::incomplete;
    const std::uint32_t key_at_quote = tokens[i];
    if (copy[key_at_quote] != '"') {
      // The end of an empty event, or a trailing comma.
      if (copy[key_at_quote] == '}') break;
      return damaged(key_at_quote);
    }
    if (count - i < 4) return Walk::incomplete;
    if (copy[tokens[i + 1]] != ':') return damaged(tokens[i + 1]);
    Key key = key_at(copy + key_at_quote + 1);
    if (key == Key::other) key = escaped_key(copy, key_at_quote, tokens[i + 1]);
    const std::uint32_t value_at = tokens[i + 2];
    i += 2;
    switch (copy[value_at]) {
      case '{':
      case '[':
        if (const Walk nested = skip_nested(block, i); nested != Walk::whole) return nested;
        break;
      case '}':
      case ']':
      case ',':
      case ':':
        return damaged(value_at);
      default:
        ++i;
    }
    if (i >= count) return Walk::incomplete;
    std::uint32_t value_end = tokens[i];
    while (json::is_blank(copy[value_end - 1])) --value_end;
    out.values[index(key)] = {value_at, value_end};
    out.present |= 1u << index(key);
    const char after = copy[tokens[i]];
    if (after == '}') break;
    if (after != ',') return damaged(tokens[i]);
    ++i;
  }
  out.end = tokens[i] + 1;
  out.end_token = i + 1;
  return Walk::whole;
}

// Follows the grammar, not only the count of brackets: where an event is cut inside its args and
// another one follows, the count would swallow everything to the end of the file.
Walk EventWalker::skip_nested(const IndexedBlock& block, std::uint32_t& token) {
  enum class Expect : std::uint8_t { value, key, colon, comma };
  const std::uint32_t* tokens = block.tokens();
  const std::uint32_t count = block.token_count();
  const char* copy = block.copy();
  open_is_object_.clear();
  bool in_object = false;
  Expect expect = Expect::value;
  for (std::uint32_t i = token; i < count; ++i) {
    const char c = copy[tokens[i]];
    switch (c) {
      case '{':
      case '[':
        if (expect != Expect::value) return damaged(tokens[i]);
        in_object = c == '{';
        open_is_object_.push_back(in_object);
        expect = in_object ? Expect::key : Expect::value;
        break;
      case '}':
      case ']':
        // Also after a comma: a trailing one is forgiven.
        if (expect == Expect::colon || in_object != (c == '}')) return damaged(tokens[i]);
        if (in_object && expect == Expect::value) return damaged(tokens[i]);
        open_is_object_.pop_back();
        if (open_is_object_.empty()) {
          token = i + 1;
          return Walk::whole;
        }
        in_object = open_is_object_.back();
        expect = Expect::comma;
        break;
      case ',':
        if (expect != Expect::comma) return damaged(tokens[i]);
        expect = in_object ? Expect::key : Expect::value;
        break;
      case ':':
        if (expect != Expect::colon) return damaged(tokens[i]);
        expect = Expect::value;
        break;
      case '"':
        if (expect == Expect::key) {
          expect = Expect::colon;
          break;
        }
        [[fallthrough]];
      default:
        if (expect != Expect::value) return damaged(tokens[i]);
        expect = Expect::comma;
    }
  }
  return Walk::incomplete;
}

}  // namespace cinderscope::google_json
