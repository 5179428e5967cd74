#include "ingest/base/json/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/json/json_tokens.h"

namespace cinderscope {
namespace {

constexpr int kMostLevels = 32;

std::string_view without_digits(std::string_view text) {
  while (!text.empty() && is_digit(text[0])) text.remove_prefix(1);
  return text;
}

// By the grammar alone: numbers that are too large for any type of ours are JSON as well.
bool is_json_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  std::string_view rest = word.starts_with('0') ? word.substr(1) : without_digits(word);
  if (rest.size() == word.size()) return false;
  if (rest.starts_with('.')) {
    const std::string_view fraction = rest.substr(1);
    rest = without_digits(fraction);
    if (rest.size() == fraction.size()) return false;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    std::string_view power = rest.substr(1);
    if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
    rest = without_digits(power);
    if (rest.size() == power.size()) return false;
  }
  return rest.empty();
}

class Reader {
 public:
  Reader(std::shared_ptr<const std::string> source, std::size_t most_values)
      : source_(std::move(source)), tokens_(*source_), values_left_(most_values) {}

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
    if (values_left_ == 0) return false;
    --values_left_;
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
    to.kind = JsonKind::number;
    return is_json_number(word);
  }

  Error error() const {
    const auto at = static_cast<std::int64_t>(tokens_.offset());
    return {.code = ErrorCode::damaged,
            .text = values_left_ == 0
                        ? fmt::format("The text holds too many values from byte {} on.", at)
                        : fmt::format("The text is not JSON from byte {} on.", at),
            .offset_bytes = at};
  }

  std::shared_ptr<const std::string> source_;
  JsonTokens tokens_;
  std::size_t values_left_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  if (kind != JsonKind::object) return nullptr;
  // From the end, without a view: clang 14 cannot compile those of libstdc++ 12.
  const auto member = std::find_if(members.rbegin(), members.rend(),
                                   [&](const JsonMember& one) { return one.key == key; });
  return member == members.rend() ? nullptr : &member->value;
}

std::optional<bool> JsonValue::boolean() const {
  if (kind != JsonKind::boolean) return std::nullopt;
  return raw == "true";
}

Result<JsonValue> read_json(std::string_view text, std::size_t most_values) {
  return Reader(std::make_shared<const std::string>(text), most_values).read_all();
}

}  // namespace cinderscope
