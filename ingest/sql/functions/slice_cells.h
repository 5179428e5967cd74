// The columns of `slice` of any slice, for functions that find slices.
#pragma once

#include <sqlite3.h>

#include "ingest/sql/tables/record_texts.h"
#include "ingest/sql/tables/row_facts.h"
#include "ingest/sql/tables/slice_nesting_cache.h"

namespace cinderscope {

class SliceCells {
 public:
  explicit SliceCells(const QueryData& data) : data_(data), nesting_(data), records_(data) {}

  void give(sqlite3_context* out, const NumberedPlace& place, SliceColumn column);

 private:
  const QueryData& data_;
  TrackNesting nesting_;
  RecordTexts records_;
};

}  // namespace cinderscope
