#include "formats/google_json/events/operation_id.h"

#include <algorithm>

#include "ingest/base/ascii.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {
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
  value = json::trim_blanks(value);
  if (value.empty() || value == "null" || json::is_object(value) || json::is_array(value))
    return "-";
  if (json::is_string(value)) return json::text_of(value);
  bool negative = false;
  const std::string_view digits = normal_number(value, negative);
  if (digits.empty()) return std::string(value);
  std::string out = negative ? "-" : "";
  out += digits;
  return out;
}

bool append_operation_id(std::string& out, std::string_view id, std::string_view id2,
                         std::string_view scope, std::string_view pid) {
  if (!id2.empty()) {
    if (const std::string_view global = json::member(id2, "global"); !global.empty()) {
      out += 'g';
      out += id_text(global);
      return true;
    }
    out += 'l';
    out.append(pid).append("\n").append(id_text(json::member(id2, "local")));
    return false;
  }
  out += 'i';
  json::append_text_of(out, scope);
  out.append("\n").append(id.empty() ? "-" : id_text(id));
  return false;
}

}  // namespace cinderscope::google_json
