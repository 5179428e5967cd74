// Where a part of a trace is cut to come out as several files.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/model/typed_time.h"
#include "ingest/part/part_reader.h"

namespace cinderscope {

// At most `count` ranges, one behind the other, with about as many records each. The first begins
// and the last ends as the part does.
std::vector<TypedRange> split_times(const PartReader& part, std::uint64_t count);

}  // namespace cinderscope
