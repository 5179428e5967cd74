#include "app/store/json_members.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "app/store/json_writer.h"
#include "ingest/base/json_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostMembers = 1000;  // each is looked for among all before it

bool is_scalar(std::string_view word) {
  if (word == "true" || word == "false" || word == "null") return true;
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error != std::errc::invalid_argument && end == word.data() + word.size();
}

// Reads one value whose first token is `first`; false if the text ends inside it.
bool skip_value(JsonTokens& tokens, JsonToken first) {
  if (first == JsonToken::string) return true;
  if (first == JsonToken::scalar) return is_scalar(tokens.text());
  if (first != JsonToken::open_object && first != JsonToken::open_array) return false;
  return tokens.skip_rest(first);
}

}  // namespace

std::optional<JsonMembers> json_members(std::string_view text) {
  JsonTokens tokens(text);
  if (tokens.next() != JsonToken::open_object) return std::nullopt;
  JsonMembers members;
  JsonToken token = tokens.next();
  while (token != JsonToken::close_object) {
    if (token != JsonToken::string || members.size() >= kMostMembers) return std::nullopt;
    std::string key = decode_json_string(tokens.text());
    if (tokens.next() != JsonToken::colon) return std::nullopt;
    const JsonToken first = tokens.next();
    const auto begin = static_cast<std::size_t>(tokens.offset());
    if (!skip_value(tokens, first)) return std::nullopt;
    const auto end = static_cast<std::size_t>(tokens.end_offset());
    set_member(members, {std::move(key), std::string(text.substr(begin, end - begin))});
    token = tokens.next();
    if (token == JsonToken::comma) {
      token = tokens.next();
      if (token == JsonToken::close_object) return std::nullopt;
    } else if (token != JsonToken::close_object) {
      return std::nullopt;
    }
  }
  if (tokens.next() != JsonToken::end) return std::nullopt;
  return members;
}

std::string json_object(const JsonMembers& members) {
  std::string out = "{";
  for (const JsonMember& member : members) {
    out += out.size() > 1 ? ",\n  " : "\n  ";
    out += JsonWriter().text(member.key).str() + ": " + member.json;
  }
  return out + (members.empty() ? "}\n" : "\n}\n");
}

const JsonMember* member_named(const JsonMembers& members, std::string_view key) {
  const auto found = std::ranges::find(members, key, &JsonMember::key);
  return found == members.end() ? nullptr : &*found;
}

void set_member(JsonMembers& members, JsonMember member) {
  const auto found = std::ranges::find(members, member.key, &JsonMember::key);
  if (found == members.end()) {
    members.push_back(std::move(member));
  } else {
    found->json = std::move(member.json);
  }
}

}  // namespace cinderscope
