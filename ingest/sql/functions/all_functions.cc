#include "ingest/sql/functions/all_functions.h"

namespace cinderscope {

void add_all_functions(QueryData& data) {
  data.add(name_stat_table());
  data.add(call_tree_table());
  data.add(ancestor_function());
  data.add(descendant_function());
  data.add(child_function());
  data.add(overlap_function());
  data.add(slice_at_function());
  data.add(idle_function());
  data.add(bucket_function());
  data.add(series_function());
  for (const FunctionEntry& function : aggregate_functions()) data.add(function);
  for (const FunctionEntry& function : scalar_functions()) data.add(function);
}

}  // namespace cinderscope
