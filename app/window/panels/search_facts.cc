#include "app/window/panels/search_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/questions/scope_json.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

bool complete(const TraceSearch& search, const DiskSearch& disk) {
  return search.complete() && !disk.busy(search);
}

// The place of what is selected among the matches by time.
std::optional<std::uint64_t> current_rank(TraceSearch& search, const DiskSearch& disk,
                                          const Session& session) {
  const DiskMatchesPointer on_disk = disk.matches();
  if (on_disk == nullptr || !on_disk->complete) return search.current_rank(session.state());
  const auto selected = selected_on_disk(session.timeline(), session.state());
  return selected ? rank_of(*on_disk, *selected) : std::nullopt;
}

}  // namespace

std::uint64_t match_count(const TraceSearch& search, const DiskSearch& disk) {
  if (!search.active()) return 0;
  const std::uint64_t loaded = search.matches() ? search.matches()->count() : 0;
  const DiskMatchesPointer on_disk = disk.matches();
  if (on_disk == nullptr || on_disk->failed) return loaded;
  return on_disk->complete ? on_disk->count() : std::max(loaded, on_disk->count());
}

std::string match_count_text(TraceSearch& search, const DiskSearch& disk, const Session& session) {
  if (!search.active()) return {};
  if (!search.matches()) return "…";
  const std::uint64_t count = match_count(search, disk);
  const bool all_known = complete(search, disk);
  const std::string all = count_text(count) + (all_known ? "" : "…");
  if (count == 0) return all_known ? "no match" : all;
  const auto rank = current_rank(search, disk, session);
  return rank ? fmt::format("{} of {}", count_text(*rank + 1), all) : all;
}

SearchFacts search_facts(TraceSearch& search, const DiskSearch& disk, const Session& session) {
  SearchFacts facts{.text = search.text(), .complete = complete(search, disk)};
  JsonWriter scope;
  write_scope(scope, search.searched(session));
  facts.searched = scope.str();
  if (search.error()) facts.error = search.error()->text;
  if (!search.active() || !search.matches() || search.stale()) return facts;
  const MatchSet& set = *search.matches();
  const DiskMatchesPointer on_disk = disk.matches();
  const bool all = on_disk != nullptr && on_disk->complete && !on_disk->failed;
  facts.matches = match_count(search, disk);
  facts.name_matches = all ? on_disk->name_count : set.name_count;
  facts.args_matches = all ? on_disk->args_count : set.args_count;
  if (const auto rank = current_rank(search, disk, session)) facts.current = *rank + 1;
  return facts;
}

}  // namespace cinderscope
