// Writes Lincheck traces of any size with their index, as a recorder does that streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace cinderscope {

struct LincheckShape {
  std::uint64_t calls = 1000;  // over all threads
  std::uint32_t threads = 3;
  std::uint32_t methods = 50;
  std::uint32_t max_depth = 12;
  std::uint32_t leaves_per_8_calls = 2;  // variable writes among the calls
  std::uint64_t block_bytes = 1u << 20;
  std::uint32_t seed = 1;
  std::uint32_t seed_step = 1000;  // from thread to thread; 0: all do the same
};

using ByteSink = std::function<void(std::span<const std::byte>)>;
// Version 22. Calls are spread evenly over the threads, which take turns block by block.
void make_lincheck(const LincheckShape& shape, const ByteSink& data, const ByteSink& index);

}  // namespace cinderscope
