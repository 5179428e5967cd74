#include "ingest/base/json/json_id.h"

#include "ingest/base/ascii.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::json {
namespace {

// Takes the decoration off an integer: +7, 007 and 7.00 become 7. Other text stays.
std::string_view normal_number(std::string_view text, bool& negative) {
  std::string_view digits = text;
  negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (const std::size_t point = digits.find('.'); point != std::string_view::npos) {
    if (digits.find_first_not_of('0', point + 1) != std::string_view::npos) return {};
    digits = digits.substr(0, point);
  }
  if (!is_number(digits)) return {};
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  if (digits == "0") negative = false;
  return digits;
}

}  // namespace

std::string id_text(std::string_view value) {
  value = trim_blanks(value);
  if (value.empty() || value == "null" || is_object(value) || is_array(value)) return "-";
  if (is_string(value)) return text_of(value);
  bool negative = false;
  const std::string_view digits = normal_number(value, negative);
  if (digits.empty()) return std::string(value);
  std::string out = negative ? "-" : "";
  out += digits;
  return out;
}

}  // namespace cinderscope::json
