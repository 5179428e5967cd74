// Packs bytes as zstd in frames of 4 MiB with a table of them at the end ("seekable format"), so
// that what unpacks them may begin at any frame; `unzstd` passes over the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <system_error>

#include "ingest/base/result.h"

namespace cinderscope {

struct FramesInput {
  std::uint64_t bytes = 0;
  // Any thread; how many were read, fewer only on an error.
  std::function<std::size_t(std::uint64_t offset, std::span<std::byte> bytes, std::error_code&)>
      read;
};

// The most that packing so much can make.
std::uint64_t most_packed_bytes(std::uint64_t bytes);

// `jobs` frames at a time; the same bytes for any number of jobs. `sink` gets them in order, on the
// calling thread, with how much of the input is done; false: stop, which is an Error `cancelled`.
Status pack_in_frames(
    const FramesInput& input, unsigned jobs,
    const std::function<bool(std::span<const std::byte> packed, std::uint64_t done_bytes)>& sink);

// About how large it would become: packs samples of it.
std::uint64_t estimated_packed_bytes(const FramesInput& input);

}  // namespace cinderscope
