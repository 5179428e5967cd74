// otherData.cinderscope: what this program notes in the traces that it writes, to read it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cinderscope::google_json {

struct ContainerNote {
  std::string format;             // that the trace came from
  bool are_events = false;        // times count events, one a microsecond
  std::int64_t begin = 0;         // is to be added to all times
  std::int64_t tolerance_ns = 0;  // by which a slice may stick out of its caller
  std::int64_t range[2] = {0, 0};

  // `{"version":1,…}`; its last member is no text, since spall-web counts brackets in texts there.
  std::string json() const;
  // Nothing if `value` (raw) is no note of a version that is known.
  static std::optional<ContainerNote> from(std::string_view value);
};

}  // namespace cinderscope::google_json
