// Opens and loads any bytes with one format, in windows and jobs that the last byte chooses.
//
// Build with the preset `fuzz`, then: fuzz_spall -max_len=4096 -rss_limit_mb=1024
// -malloc_limit_mb=256 CORPUS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "ingest/format.h"

namespace cinderscope {
const Format& CINDERSCOPE_FORMAT();
}

namespace {

using namespace cinderscope;

// Asks for everything that a view would of a loaded trace.
void look_at(const Timeline& timeline, const TraceSource& source) {
  constexpr std::uint64_t kMost = 50;
  for (const Track& track : timeline.tracks) {
    for (const SliceRow& row : track.root().rows) {
      std::int64_t last_ns = INT64_MIN;
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        const Slice slice = row.slice(i);
        if (slice.duration_ns < 0 || slice.begin_ns < last_ns) std::abort();
        last_ns = slice.begin_ns;
        if (timeline.text(slice.name).size() > SIZE_MAX / 2) std::abort();
        if (i < kMost) static_cast<void>(source.describe(slice.record, slice.end_record));
      }
    }
  }
}

std::uint64_t load_once(std::span<const std::byte> bytes, LoadOptions options) {
  auto source = CINDERSCOPE_FORMAT().open(
      Input::from_memory("fuzz", std::vector<std::byte>(bytes.begin(), bytes.end())));
  if (!source) return 0;
  LoadControl control(options);
  TimelineBuilder builder;
  if (!(*source)->load(builder, control)) return 0;
  const Timeline timeline = builder.finish(control.jobs());
  look_at(timeline, **source);
  return timeline.slice_count;
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size));
  // Packed input is left out: a few bytes of it are gigabytes, and not the format's doing.
  const Input input = Input::from_memory("fuzz", {bytes.begin(), bytes.end()});
  if (!input.complete() || input.wait_for(0).size() != size) return 0;
  const unsigned choice = data[size - 1];
  const std::uint64_t slices = load_once(bytes, {1, 4u << 20});
  const std::uint64_t again =
      load_once(bytes, {1 + choice % 3, std::uint64_t{64} << (choice / 3 % 8)});
  if (slices != again) std::abort();  // windows and jobs must not change the result
  return 0;
}
