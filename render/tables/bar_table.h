// The bars of histograms of durations as tables to take away.
#pragma once

#include "ingest/compare/compared_sides.h"
#include "ingest/totals/durations/duration_histogram.h"
#include "render/tables/taken_table.h"

namespace cinderscope {

// The logarithmic bars, without gaps: from, to (both included) and how many calls.
TakenTable taken_bars(const DurationHistogram& histogram, TimeAxis axis);
// The same of both sides of a comparison.
TakenTable taken_bars(const ComparedHistogram& histogram, TimeAxis axis);

}  // namespace cinderscope
