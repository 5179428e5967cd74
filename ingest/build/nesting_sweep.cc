#include "ingest/build/nesting_sweep.h"

#include <algorithm>

namespace cinderscope {

Placement NestingSweep::place(std::int64_t begin, std::int64_t end) {
  Placement placement;
  placement.overlapping = containers_.narrow(begin, end);
  placement.depth = static_cast<std::uint32_t>(containers_.depth());
  std::uint32_t above = 0;
  if (const auto* container = containers_.innermost()) {
    above = container->value + 1;
    end = std::min(end, container->end);
  }
  placement.row = rows_.first_free(above, begin);
  if (end > begin) rows_.occupy(placement.row, end);
  containers_.add(begin, end, placement.row);
  return placement;
}

}  // namespace cinderscope
