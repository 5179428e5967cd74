// Another recording in place of a tab's trace: what it lacks, and the bookmarks that were left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

class AppContext;
struct SessionPart;
struct SessionTab;
struct Tab;

struct ReplacedTrace {
  std::string before;                    // the file's name
  std::vector<Bookmark> bookmarks;       // that it had
  std::optional<std::int64_t> begin_ns;  // where it began, if that is known
  std::vector<std::string> lost;         // what the one in its place lacks
  bool told = false;                     // a notice says so
};

// What `part` puts back into the tab is of a trace of that name; another one comes in its place.
// Bookmarks stay behind.
void begin_replacing(Tab& tab, SessionPart& part, std::string before,
                     std::optional<std::int64_t> begin_ns);
// Times that lie outside of the trace that is there now move by the difference of the begins.
void move_inside(SessionTab& saved, std::int64_t began_ns, const Timeline& timeline);
// All was put back that could be.
void end_replacing(Tab& tab, const SessionTab& saved);
// A notice of what was lost, and how many bookmarks were left; empty: nothing is to be said.
std::string replaced_notice(const Tab& tab);
bool offers_bookmarks(const Tab& tab);

std::span<const Command> replacing_commands();

}  // namespace cinderscope
