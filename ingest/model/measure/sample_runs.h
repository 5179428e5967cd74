// Whether slices are calls, or runs of samples.
#pragma once

#include "ingest/model/timeline.h"

namespace cinderscope {

// The weight of sources whose slices are made of samples that follow each other: it is the second
// of their list, and counts the samples.
inline const Weight& weight_of_samples() {
  static const Weight kSamples{"samples", "samples"};
  return kSamples;
}

// A run of samples in the same call is no call: how many there are depends on how often the program
// was looked at. Any thread.
inline bool counts_runs(const Timeline& timeline) {
  return timeline.weights.size() > 1 && timeline.weights[1] == weight_of_samples();
}

}  // namespace cinderscope
