// What a search has found, in numbers and in short: for the search field, the panel and `state`.
#pragma once

#include <cstdint>
#include <string>

#include "app/questions/disk_search.h"
#include "app/questions/trace_search.h"
#include "app/script/state_json.h"

namespace cinderscope {

// Of all matches found so far, those on disk included.
std::uint64_t match_count(const TraceSearch& search, const DiskSearch& disk);
// "38 of 412", "412…"; empty without a search.
std::string match_count_text(TraceSearch& search, const DiskSearch& disk, const Session& session);
SearchFacts search_facts(TraceSearch& search, const DiskSearch& disk, const Session& session);

}  // namespace cinderscope
