// What is odd about two sides, whatever is measured of them.
#pragma once

#include <atomic>

#include "ingest/compare/compared_sides.h"

namespace cinderscope {

// Fills ComparedSides::warnings.
void find_warnings(ComparedSides& sides, const std::atomic<bool>& cancelled);

}  // namespace cinderscope
