// A sample of a profile as it stands there.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cinderscope::pprof {

struct RawSample {
  std::vector<std::uint64_t> locations;  // the innermost first
  std::vector<std::int64_t> values;
  std::vector<std::string_view> labels;  // messages
};

// Of a message; `out` is used again. Throws protozero's exceptions.
void read_sample(std::string_view bytes, RawSample& out);

}  // namespace cinderscope::pprof
