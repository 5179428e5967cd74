// Stack samples made into slices: a tree of calls, and which of its calls ran from when on.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/ids.h"

namespace cinderscope {

inline constexpr std::uint32_t kNoCall = 0xffffffffu;

struct CallTree {
  std::vector<StringId> name;
  std::vector<std::uint32_t> parent;  // kNoCall: outermost

  // Cuts parents that lead in a circle or are out of range; returns how many there were.
  std::uint64_t cut_cycles();
};

struct CallSample {
  std::int64_t time_ns = 0;
  std::uint32_t call = kNoCall;  // the innermost one; kNoCall: nothing ran
};

// Slices of samples may be many more than the samples themselves, where a small file says that deep
// stacks come and go; so all samples of one load share a budget.
struct SampleBudget {
  std::uint64_t slices_left = 100'000'000;
};

// Writes a slice for each call and run of samples that it is part of; a sample lasts to the next
// one, the last one to `end_ns`. Sorts the samples by time. `record` is for diagnostics only.
// Stacks deeper than 1024 calls are cut ("deep_stack"), and all behind the budget's end
// ("samples_cut").
void write_samples(const CallTree& tree, std::vector<CallSample>& samples, std::int64_t end_ns,
                   RecordOffset record, TrackWriter& out, SampleBudget& budget,
                   Diagnostics& diagnostics);

}  // namespace cinderscope
