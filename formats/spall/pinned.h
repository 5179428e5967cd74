// Pins a few bytes of a .spall file, for those who look at single records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "ingest/input/input.h"

namespace cinderscope::spall {

// Bytes [offset, offset + length) as far as they have come or will come; maybe none. Never fails:
// that bytes cannot be had is the scan's to say, which pins all of them.
inline Pin pinned(const Input& input, std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t there = input.wait_for(offset + length);
  Result<Pin> pin = input.pin(offset, std::min(length, there - std::min(there, offset)));
  return pin ? std::move(*pin) : Pin(offset, {});
}

}  // namespace cinderscope::spall
