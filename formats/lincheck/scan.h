// Reads a data file from end to end and finds out where everything lies; rebuilds its index.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "formats/lincheck/trace_map.h"
#include "ingest/format/load_context.h"

namespace cinderscope::lincheck {

// The cells of one block as the index file has them, without header and footer.
using CellSink = std::function<void(std::span<const std::byte> cells)>;

// Damage ends the scan and is counted in the map's diagnostics; all before it is in the map. An
// empty sink makes no cells. `tick` is called now and then with the bytes done; false ends the
// scan.
struct ScanOptions {
  std::uint64_t window_bytes = 4u << 20;
  CellSink cells;
  std::optional<bool> dump_mode;  // decides the order of cells; else it is guessed
  std::function<bool(std::uint64_t done_bytes)> tick;
};
TraceMap scan(const Bytes& data, const Layout& layout, const ScanOptions& options);

}  // namespace cinderscope::lincheck
