// What a statement will cost, from SQLite's plan of it.
#pragma once

#include <string>
#include <vector>

#include "ingest/sql/query_run.h"

namespace cinderscope {

// A line of EXPLAIN QUERY PLAN.
struct PlanLine {
  int id = 0, parent = 0;
  std::string detail;
};

// Rows of loops within loops are multiplied, what is sorted aside costs once more.
QueryEstimate estimate_of(const std::vector<PlanLine>& plan);

}  // namespace cinderscope
