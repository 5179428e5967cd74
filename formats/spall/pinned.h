// Bytes of a .spall file at a place.
#pragma once

#include <cstdint>
#include <utility>

#include "ingest/input/input.h"

namespace cinderscope::spall {

// None where they cannot be had: the scan, which comes by all of them, says why.
inline Pin pinned(const Input& input, std::uint64_t offset, std::uint64_t length) {
  Result<Pin> pin = input.pin(offset, length);
  return pin ? std::move(*pin) : Pin(offset, {});
}

}  // namespace cinderscope::spall
