// Finds all slices and instants that fulfil a search: by names first, then by what records say.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "ingest/model/record_text.h"
#include "ingest/model/slice_set.h"
#include "ingest/search/match_set.h"
#include "ingest/search/search_query.h"

namespace cinderscope {

struct SearchQuestion {
  std::shared_ptr<const SliceSet> slices;
  SearchQuery query;
  SliceScope scope;
  // Null while the trace is being read: then only names are searched.
  std::shared_ptr<const RecordReader> source;
  unsigned jobs = 1;
};

struct SearchAnswer {
  std::shared_ptr<const MatchSet> matches;  // null: cancelled before anything was known
  bool names_done = false;                  // all that names tell is there
  bool complete = false;    // and all that records tell, or nothing is to be found in them
  double records_read = 0;  // share of those to be read, [0, 1]
  std::uint64_t unsearched_calls = 0;  // children of calls that stayed on disk
  bool more_unsearched = false;        // and others that nobody has counted
};

// Any thread. `publish` gets what is known so far, at most some ten times a second. Ends within
// milliseconds once `cancelled` is set; what it returns then means nothing.
SearchAnswer search_slices(const SearchQuestion& question, const std::atomic<bool>& cancelled,
                           const std::function<void(SearchAnswer)>& publish);

}  // namespace cinderscope
