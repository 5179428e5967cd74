// Matches of a search as text, for their table and for the clipboard.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/questions/disk_matches.h"
#include "ingest/search/match_order.h"

namespace cinderscope {

// "CrRendererMain 19064"; empty if the timeline has no such track.
std::string match_thread(const Timeline& timeline, TrackId track);

// The most that is copied at once.
struct CopyLimits {
  std::uint64_t lines = 50'000;
  std::uint64_t bytes = 16 << 20;
};

struct CopiedMatches {
  std::string text;
  std::uint64_t lines = 0;
  bool all = true;
};

// Tab-separated lines of name, begin and duration in the axis' unit, and thread, below a head. Tabs
// and line breaks in names become blanks.
CopiedMatches matches_as_text(const MatchOrder& order, const Timeline& timeline,
                              const CopyLimits& limits = {});
std::string match_as_text(const MatchOrder& order, const Timeline& timeline, std::uint64_t line);
// The same of what a search found on disk.
CopiedMatches matches_as_text(const DiskLines& lines, const Timeline& timeline,
                              const CopyLimits& limits = {});
std::string match_as_text(const DiskLines& lines, const Timeline& timeline, std::uint64_t line);

}  // namespace cinderscope
