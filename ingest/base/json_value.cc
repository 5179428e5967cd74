#include "ingest/base/json_value.h"

#include <fmt/format.h>

#include <charconv>
#include <ranges>
#include <utility>

#include "ingest/base/json_tokens.h"

namespace cinderscope {
namespace {

constexpr int kMostLevels = 32;

class Reader {
 public:
  explicit Reader(std::shared_ptr<const std::string> source)
      : source_(std::move(source)), tokens_(*source_) {}

  Result<JsonValue> read_all() {
    JsonValue value;
    if (!read(tokens_.next(), 0, value)) return error();
    if (tokens_.next() != JsonToken::end) return error();
    return value;
  }

 private:
  // `first` is the value's first token. False at what is no JSON: the last token is wrong then.
  bool read(JsonToken first, int level, JsonValue& to) {
    const auto begin = static_cast<std::size_t>(tokens_.offset());
    bool whole = false;
    switch (first) {
      case JsonToken::string:
        to.kind = JsonKind::string;
        to.text = decode_json_string(tokens_.text());
        whole = true;
        break;
      case JsonToken::scalar:
        whole = read_word(tokens_.text(), to);
        break;
      case JsonToken::open_object:
        to.kind = JsonKind::object;
        whole = read_members(JsonToken::close_object, level, to);
        break;
      case JsonToken::open_array:
        to.kind = JsonKind::array;
        whole = read_members(JsonToken::close_array, level, to);
        break;
      default:
        break;
    }
    const auto end = static_cast<std::size_t>(tokens_.end_offset());
    to.raw = std::string_view(*source_).substr(begin, end - begin);
    to.source = source_;
    return whole;
  }

  bool read_members(JsonToken close, int level, JsonValue& to) {
    if (level >= kMostLevels) return false;
    JsonToken token = tokens_.next();
    if (token == close) return true;
    for (;; token = tokens_.next()) {
      JsonMember& member = to.members.emplace_back();
      if (close == JsonToken::close_object) {
        if (token != JsonToken::string) return false;
        member.key = decode_json_string(tokens_.text());
        if (tokens_.next() != JsonToken::colon) return false;
        token = tokens_.next();
      }
      if (!read(token, level + 1, member.value)) return false;
      token = tokens_.next();
      if (token == close) return true;
      if (token != JsonToken::comma) return false;
    }
  }

  static bool read_word(std::string_view word, JsonValue& to) {
    if (word == "null") return true;
    to.kind = JsonKind::boolean;
    if (word == "true" || word == "false") return true;
    // Numbers that are too large for any type of ours are JSON as well.
    to.kind = JsonKind::number;
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error != std::errc::invalid_argument && end == word.data() + word.size();
  }

  Error error() const {
    const auto at = static_cast<std::int64_t>(tokens_.offset());
    return {.code = ErrorCode::damaged,
            .text = fmt::format("The text is not JSON from byte {} on.", at),
            .offset_bytes = at};
  }

  std::shared_ptr<const std::string> source_;
  JsonTokens tokens_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  if (kind != JsonKind::object) return nullptr;
  for (const JsonMember& member : members | std::views::reverse) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::optional<bool> JsonValue::boolean() const {
  if (kind != JsonKind::boolean) return std::nullopt;
  return raw == "true";
}

Result<JsonValue> read_json(std::string_view text) {
  return Reader(std::make_shared<const std::string>(text)).read_all();
}

}  // namespace cinderscope
