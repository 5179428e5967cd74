// What writing a part of a trace would give, without writing it.
#pragma once

#include <cstdint>

#include "app/convert/convert.h"

namespace cinderscope {

// Far more than an output of the part takes but in odd cases, known at once: where as much is free
// nothing need be estimated. UINT64_MAX if the size of the source is not known.
std::uint64_t ample_bytes(const PartReader& part);

// About how large the output will be, before packing: writes some of it to nowhere. An Error where
// the writer refuses to write such a part to `path`, or the context was cancelled.
Result<std::uint64_t> estimated_bytes(PartReader& part, const TraceWriter& writer,
                                      const std::filesystem::path& path = {});

struct Foreseen {
  std::uint64_t bytes = 0;   // before packing
  std::uint64_t slices = 0;  // of threads, without those that are left on disk
  LossReport losses;         // as far as the model knows of them
};
// An Error: nothing would be written.
Result<Foreseen> foresee(const ConvertInput& input, const ConvertRequest& request,
                         LoadContext& context);

}  // namespace cinderscope
