// One open trace in the window: its session and all that shows it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/questions/chosen_scope.h"
#include "app/questions/disk_search.h"
#include "app/questions/locate_match.h"
#include "app/questions/trace_search.h"
#include "app/session/merged_trace.h"
#include "app/session/session.h"
#include "app/session/symbol_lookup.h"
#include "app/store/saved_view_state.h"
#include "app/window/panels/panel.h"
#include "app/window/status_message.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

// How far a tab's trace has got with what is remembered of it (controllers/store.h).
struct TabViewState {
  std::string path;                        // absolute; empty: nothing is kept of this one
  bool asked = false;                      // since the load began
  std::optional<FileIdentity> identity;    // of the file as it was opened last
  std::optional<SavedViewState> recalled;  // to be put back once everything is loaded
  bool settled = false;                    // that was done: from now on changes are kept
  SavedViewState kept;                     // what this window knew last
  std::string folder_mapping;              // as the store has it for the trace's folder
  bool keeps_unchanged = false;            // it is to be kept although nothing has changed
};

// How far a load is, as it is shown: in steps, so that frames between two of them look alike.
struct LoadProgress {
  std::chrono::steady_clock::time_point taken;
  double fraction = 0, bytes_per_second = 0;
  std::uint64_t unpacked_bytes = 0;
};

// What is said above the timeline about the file (controllers/notices.h).
struct TabNotices {
  std::uint64_t version = 0, generation = 0;  // of the session that the following is about
  std::string damage;                         // empty: nothing is damaged or missing
  bool damage_dismissed = false, change_kept = false;
  bool symbols_wanted = false, symbols_dismissed = false;
  std::optional<std::chrono::steady_clock::time_point> grew;  // when it was read on last
  bool shown_growing = false;
  // A prepared copy of what was loaded (controllers/export/prepared.h).
  std::uint64_t copy_generation = 0, copy_bytes = 0;
  bool copy_offered = false;
};

class ComparePage;
struct AppliedLayout;
struct MissingTrace;
struct ReplacedTrace;
struct SessionPart;
struct ShowOptions;

struct Tab {
  explicit Tab(std::unique_ptr<Session> opened);
  ~Tab();
  Tab(const Tab&) = delete;
  Tab& operator=(const Tab&) = delete;

  const std::uint64_t number;  // from 1 on, of no other tab
  std::unique_ptr<Session> session;
  TimelineView timeline_view;
  TraceSearch search;
  DiskSearch disk;
  // A match that is being read from disk, and the last version of the session that was searched for
  // it.
  std::optional<PendingMatch> pending_match;
  std::uint64_t pending_since = 0;
  StatusMessage message;  // about this trace
  TabNotices notices;
  ChosenScope scope;  // of Statistics and the flame graph
  TabViewState saved;
  std::chrono::steady_clock::time_point asked;  // when the user asked for it
  std::optional<double> first_picture_ms;       // from there to the first frame with slices
  // The bookmark visited last; it is the current one while the view stays there.
  struct ShownBookmark {
    std::size_t mark = 0;
    Viewport view;
  };
  std::optional<ShownBookmark> shown_bookmark;
  SliceRef revealed;  // of a thread that was hidden: scrolled to once that has rows again
  std::unique_ptr<ShowOptions> to_show;           // once it is read and shown (places/shows.h)
  std::unique_ptr<MissingTrace> missing;          // in place of a trace; null: it was found
  std::unique_ptr<SessionPart> of_session;        // null: no session made it
  std::unique_ptr<AppliedLayout> layout;          // sessions/layouts.h; null: none was
  std::unique_ptr<ReplacedTrace> replaced;        // sessions/replacing.h; null: none was
  std::optional<std::size_t> session_origin;      // which tab of the session's file it was
  std::shared_ptr<std::atomic<bool>> is_session;  // the file is no trace but a session
  bool told_error = false;
  bool opened_panel = false;            // that suits the trace, once it was read
  std::vector<MergeFile> merged_files;  // all files of a merged timeline, else none
  std::uint64_t told_merge = 0;         // generation of the timeline whose alignment was told
  std::string merge_warning;            // stands above the timeline until it is answered
  // Of a file that is one thread of a trace: how many its folder has. Looked for once it was read.
  std::future<std::size_t> looks_beside;
  bool looked_beside = false;
  std::size_t offered_threads = 0;  // 0: nothing is offered (any more)
  // Of the timeline that was summed up last.
  std::uint64_t generation = 0, kept_bytes = 0, thread_count = 0;
  LoadProgress progress;
  std::unique_ptr<SymbolLookUp> symbols;  // null: none is running
  // Of a comparison, whose first lane this tab is; null: a trace.
  std::unique_ptr<ComparePage> comparison;
  // Last: what else shows the trace lets go of it first. In the order of their tabs.
  std::vector<std::unique_ptr<Panel>> panels;

  Panel* panel_named(std::string_view word) const;  // null if there is none
  // The panel whose word is P::kWord, of which there is one in every tab of a trace.
  template <class P>
  P& panel() const {
    return static_cast<P&>(*panel_named(P::kWord));
  }
};

// A lane of a comparison shows the trace of another tab.
inline bool is_lane(const Tab& tab) {
  return tab.session->viewed() != nullptr;
}

bool runs_query(const Tab& tab);

// What goes on for it in the background, in words; empty: nothing.
std::string work_text(const Tab& tab);

}  // namespace cinderscope
