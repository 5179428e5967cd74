// Frames of lz4: unpacked by its library, and taken up again at any of their blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "ingest/input/unpack/decoders.h"

namespace cinderscope {

// Null if there is no memory. Its saved() has bytes between two blocks: with the 64 KiB before,
// where blocks look back at each other.
std::unique_ptr<Decoder> make_lz4_decoder();
// The sum over the frame's content is not looked at, as its begin is not known.
std::unique_ptr<Decoder> resumed_lz4_decoder(std::span<const std::byte> saved);

}  // namespace cinderscope
