// Reads versions 0 and 1: a flat stream of records, whose threads are decoded side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "formats/spall/event_reader.h"
#include "formats/spall/spall_clock.h"
#include "formats/spall/spall_wire.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

// `input` and `clock` outlive the reader; `window_bytes` is how much is scanned in one round.
std::unique_ptr<EventReader> make_flat_reader(const FlatLayout& layout, const Input& input,
                                              const DoubleClock& clock, std::uint64_t window_bytes);

// The args of the Begin at `offset`, empty if it has none.
std::string flat_args(const FlatLayout& layout, const Input& input, std::uint64_t offset);

}  // namespace cinderscope::spall
