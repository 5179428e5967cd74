// About how large a part of a loaded trace becomes in a pack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ingest/model/timeline.h"
#include "ingest/model/typed_time.h"

namespace cinderscope {

struct ShownTrace {
  std::string path;  // absolute
  Timeline timeline;
  std::string format;  // its name
  TypedRange view;
  std::optional<TypedRange> selected;
};

// `whole_bytes`: of the whole trace in a pack.
std::uint64_t part_bytes(const ShownTrace& trace, const TypedRange& range,
                         std::uint64_t whole_bytes);

}  // namespace cinderscope
