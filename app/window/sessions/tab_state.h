// What a tab shows as a session has it, and a tab made to show that again.
#pragma once

#include <cstdint>
#include <string>

#include "app/session_file/session_file.h"

namespace cinderscope {

class AppContext;
class ComparePage;
struct Tab;

// It shows what its session said, or no session made it.
bool is_put_back(const Tab& tab);
// It is one of the session's tabs when that is saved.
bool is_kept(const Tab& tab);

// All but which traces it shows.
SessionTab tab_state(AppContext& app, const Tab& tab);
SavedComparison comparison_state(const ComparePage& page);
// Of a trace's tab, and of a comparison's.
SavedSql sql_state(const Tab& tab);

// What can be there while the trace is still read: the view and the bookmarks.
void restore_at_once(const SessionTab& saved, Tab& tab);
// All else, once it is read; what is selected follows when the tab is shown.
void restore_tab(AppContext& app, const SessionTab& saved, Tab& tab);
// Nothing is run but what was run on this machine before.
void restore_sql(AppContext& app, const SavedSql& saved, Tab& tab);
// Threads, search and panel alone, in place of those that there are. `names_alone`: pids and tids
// do not count.
void apply_layout(AppContext& app, const SessionTab& layout, Tab& tab, bool names_alone);
// Scrolls to the saved track; false: its row has no place yet.
bool restore_scroll(const SessionTab& saved, Tab& tab);

// Rules, options and the table of a comparison that was opened just now.
void restore_comparison(const SavedComparison& saved, ComparePage& page);
// What needs the names of both sides: line-up, selection. False: they are not known yet.
bool restore_line_up(const SavedComparison& saved, ComparePage& page);

// Tells whether something has changed that a session asks to be saved for; not views, selections
// and panels. Cheap.
std::uint64_t change_key(const Tab& tab);
std::uint64_t change_key(const ComparePage& page);

}  // namespace cinderscope
