// Matches of a search as text, for their table and for the clipboard.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "app/questions/disk_matches.h"
#include "ingest/search/match_order.h"
#include "render/tables/taken_table.h"

namespace cinderscope {

// "CrRendererMain 19064"; empty if the timeline has no such track.
std::string match_thread(const Timeline& timeline, TrackId track);

// The matches as a table to take away: name, begin, duration and thread. Instants have no duration.
TakenTable taken_matches(std::shared_ptr<const MatchOrder> order, const Timeline& timeline,
                         const TimestampFormat& times);
// The same of what a search found on disk.
TakenTable taken_matches(std::shared_ptr<const DiskLines> lines, const Timeline& timeline,
                         const TimestampFormat& times);

// A row of it alone, tab-separated.
std::string row_as_text(const TakenTable& table, std::uint64_t row);

}  // namespace cinderscope
