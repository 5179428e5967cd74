// The weights of a trace that is open.
#pragma once

#include <span>
#include <string_view>

#include "ingest/model/timeline.h"

namespace cinderscope {

// The source's own list, else what all traces have.
inline std::span<const Weight> weights_of(const Timeline& timeline) {
  return timeline.weights.empty() ? usual_weights() : std::span<const Weight>(timeline.weights);
}

// What lengths on the timeline stand for.
inline const Weight& weight_of_lengths(const Timeline& timeline) {
  return timeline.weights.empty() ? usual_weights()[0] : timeline.weights[timeline.weight];
}

// `wanted` asks for numbers of calls, which are no lengths.
inline bool counts_calls(const Timeline& timeline, std::string_view wanted) {
  return timeline.weights.empty() && find_weight(usual_weights(), wanted) == 1;
}

}  // namespace cinderscope
