// The search of one tab: what was found, and the tab of the panel that lists it.
#pragma once

#include <string>

#include "app/questions/trace_search.h"
#include "app/script/state_json.h"
#include "app/window/panels/panel.h"
#include "render/views/panels/search.h"

namespace cinderscope {

// One per tab. UI thread only.
class SearchPanel {
 public:
  SearchPanel();

  TraceSearch& finder() { return finder_; }
  const TraceSearch& finder() const { return finder_; }
  // Takes what was found in the background; true if anything is to be drawn again.
  bool poll(Session& session) { return finder_.poll(session); }
  // For the timeline: null while nothing is searched for, or nothing is known yet.
  const MatchSet* shown_matches() const;
  // "38 of 412", "412…"; empty without a search.
  std::string count_text(const Session& session);
  // Of all matches found so far.
  std::uint64_t match_count() const;

  // What is clicked in the table goes to `events` for the window to carry out.
  // `on_disk` says what of the trace was not searched, and what is known of it; may be empty.
  SearchViewEvents draw(const PanelFrame& frame, const std::string& on_disk, Actions& actions);
  SearchFacts facts(const Session& session);

 private:
  std::vector<std::string> notes(const Session& session, const std::string& on_disk) const;
  std::string message(const Session& session) const;

  TraceSearch finder_;
  SearchView view_;
  // What the table came to show last, and how often that changed.
  MatchRef followed_;
  MatchSorting followed_in_;
  std::uint64_t follow_ = 0;
};

}  // namespace cinderscope
