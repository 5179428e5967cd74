// Asks for everything that a view would of a loaded trace, for the fuzz targets.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "ingest/format/format.h"

namespace cinderscope {

// Ends the process where the model is not as it must be.
inline void look_at(const Timeline& timeline, const TraceSource& source) {
  constexpr std::uint64_t kMost = 50;
  static_cast<void>(source.details());
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

// Opens and loads it with the format; returns how many slices there are.
inline std::uint64_t load_and_look(const Format& format, Input input, LoadOptions options) {
  auto source = format.open(std::move(input));
  if (!source) return 0;
  LoadContext context(options);
  const Result<Timeline> timeline = read_timeline(**source, context);
  if (!timeline) return 0;
  look_at(*timeline, **source);
  return timeline->slice_count;
}

}  // namespace cinderscope
