// Opening and loading a trace in a test, and the bytes for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/format/format.h"

namespace cinderscope {

// Throws std::runtime_error with the error's text where there is one.
struct LoadedTrace {
  std::unique_ptr<TraceSource> source;
  Timeline timeline;  // with the damage of the input among its diagnostics
};
LoadedTrace load_trace(const Format& format, Input input, LoadOptions options = {});

// The same with as little as possible loaded at first and the rest piece by piece, of `piece`
// children each, then put together. Diagnostics and the count of records are those of the first.
LoadedTrace load_in_pieces(const Format& format, Input input, LoadOptions options,
                           std::uint64_t piece);

// The same with the number of children known.
DeferredChildren counted(TraceSource& source, DeferredChildren children, StringPool& names);

std::vector<std::byte> bytes_of(std::string_view text);
std::vector<std::byte> read_file(const std::string& path);
std::vector<std::byte> gzipped(std::span<const std::byte> bytes);
std::vector<std::byte> packed_by_zstd(std::span<const std::byte> bytes);  // one frame
std::vector<std::byte> packed_by_lz4(std::span<const std::byte> bytes);

}  // namespace cinderscope
