// A comparison that is asked beside its traces: the rows of the table `compared`.
#pragma once

#include <memory>

#include "ingest/compare/comparison.h"

namespace cinderscope {

struct QueriedComparison {
  std::shared_ptr<const ComparedSides> sides;  // null: nothing is known yet
  Comparison comparison;                       // of these
};

}  // namespace cinderscope
