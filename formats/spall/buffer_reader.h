// Reads versions 2, 3 and auto-tracing: buffers of one thread each, decoded side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "formats/spall/event_reader.h"
#include "formats/spall/spall_clock.h"
#include "formats/spall/spall_wire.h"
#include "ingest/format/trace_source.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

// `input` and `clock` outlive the reader. `window_bytes` is how much of a thread is decoded in one
// round; the scan runs ahead until `jobs` threads have something to do.
std::unique_ptr<EventReader> make_buffer_reader(const BufferLayout& layout, const Input& input,
                                                std::uint64_t header_bytes, const TickClock& clock,
                                                std::uint64_t window_bytes, unsigned jobs);

// The args and facts of the begin at `offset`.
RecordText buffer_record_text(const BufferLayout& layout, const Input& input, std::uint64_t offset);
// Its args as they stand in the pin; none if there are facts, or a mark of a cut among the args.
std::optional<std::string_view> plain_buffer_args(const BufferLayout& layout, const Pin& pin,
                                                  std::uint64_t offset);

}  // namespace cinderscope::spall
