// Slices whose weight is negative, as in a difference of two profiles.
#pragma once

#include <cstdint>

#include "ingest/model/slice_chunk.h"

namespace cinderscope {

// A bit of Slice::flags, beside those of slice_chunk.h: the slice is as wide as if its weight had
// no sign.
inline constexpr std::uint8_t kNegative = 16;
static_assert((kNegative & (kUnfinished | kOverlapping | kCutBegin | kCutEnd)) == 0);

}  // namespace cinderscope
