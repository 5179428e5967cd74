// Stack samples made into slices: a tree of calls, and which of its calls ran from when on.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/large_pages.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/ids.h"

namespace cinderscope {

inline constexpr std::uint32_t kNoCall = 0xffffffffu;

struct CallTree {
  LargePageVector<StringId> name;
  LargePageVector<std::uint32_t> parent;  // kNoCall: outermost
  LargePageVector<std::uint32_t> depth;   // 1: outermost; see find_depths()
  // What slices of a call are recorded at, so that its source can describe them: nothing, the
  // call's number, or what `record` has.
  enum class Records : std::uint8_t { none, calls, listed };
  Records records = Records::none;
  std::vector<std::uint32_t> record;

  RecordOffset record_of(std::uint32_t call) const {
    return records == Records::none ? kNoRecord : records == Records::calls ? call : record[call];
  }

  // Cuts parents that lead in a circle or are out of range; returns how many there were.
  std::uint64_t cut_cycles();
  // Once there are no circles and all calls are there.
  void find_depths();
};

struct CallSample {
  std::int64_t time_ns = 0;
  std::uint32_t call = kNoCall;  // the innermost one; kNoCall: nothing ran
};

// By time; those of equal time stay in order. Returns how many were earlier than the one before.
std::uint64_t sort_samples(std::vector<CallSample>& samples);
// Each of sorted samples at its own number instead of its time, so that lengths are numbers of
// samples. They end at samples.size().
void number_samples(std::vector<CallSample>& samples);

// Slices of samples may be many more than the samples themselves, where a small file says that deep
// stacks come and go; so all samples of one load share a budget.
struct SampleBudget {
  std::uint64_t slices_left = 100'000'000;
};

// Writes a slice for each call and run of samples that it is part of; a sample lasts to the next
// one, the last one to `end_ns`. One without a call ends all; one whose successor has the same time
// has slices of no length. Sorts the samples by time. The depths of the tree are known. Costs as
// much as there are slices, however deep the stacks are. `record` is for diagnostics only. All
// behind the budget's end is cut ("samples_cut").
void write_samples(const CallTree& tree, std::vector<CallSample>& samples, std::int64_t end_ns,
                   RecordOffset record, TrackWriter& out, SampleBudget& budget,
                   Diagnostics& diagnostics);

}  // namespace cinderscope
