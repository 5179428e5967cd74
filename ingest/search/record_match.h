// Tests a call by what its record says about it.
#pragma once

#include <string_view>

#include "ingest/model/record_text.h"
#include "ingest/search/search_query.h"

namespace cinderscope {

// Tests the terms on names and records; those on duration, thread and process hold already. Any
// thread.
bool record_holds(const SearchQuery& query, std::string_view name, const RecordText& record);

}  // namespace cinderscope
