// Finds the slices and instants that match a query, first by name and then by record.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "ingest/model/record_text.h"
#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"
#include "ingest/search/match_set.h"
#include "ingest/search/search_query.h"

namespace cinderscope {

struct SearchQuestion {
  std::shared_ptr<const SliceSet> slices;
  SearchQuery query;
  Scope scope;
  // Null while the trace is being read: then only names are searched.
  std::shared_ptr<const RecordReader> source;
  unsigned jobs = 1;
};

struct SearchAnswer {
  std::shared_ptr<const MatchSet> matches;  // null: cancelled before anything was known
  bool names_done = false;                  // all matches by name are there
  bool complete = false;                    // and all by record, if records are needed
  double records_read = 0;                  // share of the records, [0, 1]
  std::uint64_t unsearched_calls = 0;       // calls that are still on disk
  bool more_unsearched = false;             // and others that were not counted
};

// Any thread. `publish` gets the matches so far, at most some ten times a second. Ends within
// milliseconds once `cancelled` is set; the result is of no use then.
SearchAnswer search_slices(const SearchQuestion& question, const std::atomic<bool>& cancelled,
                           const std::function<void(SearchAnswer)>& publish);

}  // namespace cinderscope
