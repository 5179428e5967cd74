// Opens and loads any bytes with one format, in windows and jobs that the last byte chooses.
//
// Build with the preset `fuzz`, then: fuzz_spall -max_len=4096 -rss_limit_mb=1024
// -malloc_limit_mb=256 CORPUS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/look_at.h"

namespace cinderscope {
const Format& CINDERSCOPE_FORMAT();
}

namespace {

using namespace cinderscope;

std::uint64_t load_once(std::span<const std::byte> bytes, LoadOptions options) {
  return load_and_look(
      CINDERSCOPE_FORMAT(),
      Input::from_memory("fuzz", std::vector<std::byte>(bytes.begin(), bytes.end())), options);
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size));
  // Packed input is left out: a few bytes of it are gigabytes, and not the format's doing.
  const Input input = Input::from_memory("fuzz", {bytes.begin(), bytes.end()});
  if (!input.complete() || input.wait_for(0) != size) return 0;
  const unsigned choice = data[size - 1];
  const std::uint64_t slices = load_once(bytes, {1, 4u << 20});
  const std::uint64_t again =
      load_once(bytes, {1 + choice % 3, std::uint64_t{64} << (choice / 3 % 8)});
  if (slices != again) std::abort();  // windows and jobs must not change the result
  // Another weight and other colours are other ways through the same bytes.
  LoadOptions other{.jobs = 1, .names = {.colours_by_package = choice % 2 == 0}};
  other.weight = std::to_string(choice / 2 % 4);
  load_once(bytes, other);
  return 0;
}
