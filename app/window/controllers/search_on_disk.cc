// Steps of a search that lead to slices on disk, which are read level by level.
#include <algorithm>

#include "app/questions/locate_match.h"
#include "app/window/app_context.h"
#include "app/window/controllers/search.h"
#include "app/window/tab.h"

namespace cinderscope {

// A step of the search that may lead to a call on disk. False: there is none of that kind.
bool SearchController::step_on_disk(Tab& tab) {
  TraceSearch& search = tab.search;
  Session& session = *tab.session;
  if (search.wanted_step() != 0 && tab.disk.leads()) {
    const TimelineState& state = session.state();
    const Timeline& timeline = session.timeline();
    const int direction = search.wanted_step();
    std::int64_t from_ns = direction > 0 ? state.view.begin_ns : state.view.end_ns();
    if (const SliceRow* instants = instants_of(timeline, state.selected_instant)) {
      from_ns = instants->begin_ns(state.selected_instant.instant);
    } else if (block_of(timeline, state.selected) != nullptr) {
      from_ns = slice_at(timeline, state.selected).begin_ns;
    }
    search.drop_step();
    tab.pending_match.reset();
    tab.disk.step(from_ns, direction);
    return true;
  }
  if (const auto step = tab.disk.take_step()) {
    app_.draw_again();
    if (!step->place) {
      app_.say_of_shown("no match");
      return true;
    }
    const Timeline& timeline = session.timeline();
    const auto thread = std::ranges::find_if(timeline.threads, [&](const Thread& each) {
      return each.tid == step->place->tid && each.track != kNoTrack;
    });
    if (thread == timeline.threads.end()) return true;
    tab.pending_match = {thread->track, step->place->begin_ns, step->place->record,
                         step->place->instant};
    tab.pending_since = UINT64_MAX;
  }
  if (tab.pending_match) locate_on_disk(tab);
  return false;
}

// Asks for one level after the other until the call is there.
void SearchController::locate_on_disk(Tab& tab) {
  Session& session = *tab.session;
  if (tab.pending_since == session.version()) return;  // nothing has come yet
  const MatchLocation result = locate_match(session.timeline(), *tab.pending_match);
  if (result.found) {
    tab.pending_match.reset();
    return show_match(result.found);
  }
  const bool asked = result.on_disk && session.request_children(
                                           result.on_disk, TimeRange{tab.pending_match->begin_ns,
                                                                     tab.pending_match->begin_ns});
  if (!asked && (!result.on_disk || session.children_full() || session.idle())) {
    tab.pending_match.reset();
    return app_.say_of_shown(session.children_full()
                                 ? "no memory is left to read that call: see lazy-memory"
                                 : "the call that was found could not be read");
  }
  tab.pending_since = session.version();
}

}  // namespace cinderscope
