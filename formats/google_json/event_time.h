// Times as events have them.
#pragma once

#include <optional>
#include <string_view>

#include "formats/google_json/google_json_wire.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {

// A number, or a string that holds one. 64 bytes behind it are readable.
inline bool time_of(std::string_view value, DecimalTime& out) {
  if (usual_time(value, out)) return true;
  if (json::is_string(value) && value.size() >= 2) {
    value = json::trim_blanks(value.substr(1, value.size() - 2));
    if (usual_time(value, out)) return true;
  }
  const std::optional<DecimalTime> time = time_from_decimal(value);
  if (time) out = *time;
  return time.has_value();
}

}  // namespace cinderscope::google_json
