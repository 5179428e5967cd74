// How a counter is drawn: stacked or not, and which values its edges stand for.
#pragma once

#include "ingest/model/timeline.h"

namespace cinderscope {

struct CounterShape {
  bool stacked = false;
  double low = 0, high = 1;  // values at the lower and the upper edge
};

// Looks at every point.
CounterShape counter_shape(const Track& track);

}  // namespace cinderscope
