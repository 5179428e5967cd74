// Reads JSON that is no trace: settings, sessions, what is remembered of files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/number_text.h"
#include "ingest/base/result.h"

namespace cinderscope {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

struct JsonMember;

// A value of a text that was read as a whole; keeps that text.
struct JsonValue {
  JsonKind kind = JsonKind::null;
  std::string text;                 // of a string, decoded
  std::vector<JsonMember> members;  // of an object in their order, of an array without keys
  std::string_view raw;             // as it is written
  std::shared_ptr<const std::string> source;  // of `raw`

  const JsonValue* find(std::string_view key) const;  // the last of that key; null if there is none

  // Nothing if the value is of another kind, or no such number.
  std::optional<bool> boolean() const;
  template <class Number>
  std::optional<Number> number() const {
    return kind == JsonKind::number ? parse_number<Number>(raw) : std::nullopt;
  }
};

struct JsonMember {
  std::string key;  // decoded
  JsonValue value;
};

// An Error, with the byte offset of what is wrong, if `text` is anything but one whole value, or
// nests deeper than 32 levels, or holds more than `most_values`.
Result<JsonValue> read_json(std::string_view text, std::size_t most_values = SIZE_MAX);

}  // namespace cinderscope
