#include "ingest/sql/tables/all_tables.h"

#include "ingest/sql/functions/all_functions.h"

namespace cinderscope {

void add_all_tables(QueryData& data) {
  data.add(trace_table());
  data.add(process_table());
  data.add(thread_table());
  data.add(track_table());
  data.add(slice_table());
  data.add(thread_slice_table());
  data.add(async_slice_table());
  data.add(sample_table());
  data.add(lifetime_table());
  data.add(instant_table());
  data.add(async_step_table());
  data.add(nested_instant_table());
  data.add(counter_table());
  data.add(counter_sample_table());
  data.add(flow_table());
  data.add(arg_table());
  data.add(diagnostic_table());
  data.add(bookmark_table());
  data.add(pause_table());
  add_all_functions(data);
  data.add(help_table());
  add_call_table(data);
  add_compared_table(data);
}

}  // namespace cinderscope
