// The second argument of percentile().
#pragma once

#include <sqlite3.h>

#include <optional>
#include <string_view>

#include "ingest/sql/number_type.h"

namespace cinderscope {

inline constexpr std::string_view kNoPercent =
    "percentile(): the second argument is a number from 0 to 100";

// nullopt: it is none. `value` is not NULL.
inline std::optional<double> percent_of(sqlite3_value* value) {
  const int type = number_type(value);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  const double percent = sqlite3_value_double(value);
  if (!(percent >= 0 && percent <= 100)) return std::nullopt;
  return percent;
}

}  // namespace cinderscope
