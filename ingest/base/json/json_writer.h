// Writes JSON text piece by piece; commas and escapes are its business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// Calls must nest as the JSON does. Text that is no UTF-8 is written with U+FFFD in its place.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  JsonWriter& number(std::int64_t value);
  JsonWriter& number(std::uint64_t value);
  JsonWriter& number(double value);  // not finite: null
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& raw(std::string_view json);  // a whole value, written as it is

  template <class Value>
  JsonWriter& field(std::string_view name, Value value) {
    key(name);
    if constexpr (std::is_same_v<Value, bool>) {
      return boolean(value);
    } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
      return text(value);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return number(static_cast<double>(value));
    } else if constexpr (std::is_signed_v<Value>) {
      return number(static_cast<std::int64_t>(value));
    } else {
      return number(static_cast<std::uint64_t>(value));
    }
  }

  const std::string& str() const { return out_; }

 private:
  void before_value();

  std::string out_;
  std::vector<bool> has_members_;  // per open bracket
  bool after_key_ = false;
};

std::string json_quoted(std::string_view text);  // as a JSON string, with its quotes

}  // namespace cinderscope
