// Steps of a search that lead to slices on disk, which are read level by level.
#include "app/questions/locate_match.h"
#include "app/window/app_context.h"
#include "app/window/controllers/search.h"
#include "app/window/tab.h"

namespace cinderscope {
namespace {

// Where steps begin that nothing is selected for.
DiskMatch edge_of_view(const Viewport& view, int direction) {
  return direction > 0 ? DiskMatch{.begin_ns = view.begin_ns, .track = TrackId{0}, .record = 0}
                       : DiskMatch{.begin_ns = view.end_ns(), .track = TrackId{0}, .record = 0};
}

}  // namespace

// A step of the search that may lead to a call on disk. False: there is none of that kind.
bool SearchController::step_on_disk(Tab& tab) {
  TraceSearch& search = tab.search;
  const bool is_asked = search.wanted_step() != 0 && search.active();
  if (is_asked && tab.disk.leads()) {
    const int direction = search.wanted_step();
    const DiskMatch from = selected_on_disk(tab.session->timeline(), tab.session->state())
                               .value_or(edge_of_view(tab.session->state().view, direction));
    search.drop_step();
    tab.pending_match.reset();
    tab.disk.step(from, direction);
  } else if (is_asked && tab.disk.busy(search)) {
    return true;  // what is loaded is not what comes next
  }
  if (const auto step = tab.disk.take_step()) {
    app_.draw_again();
    if (!step->match) {
      app_.say_of_shown("no match");
      return true;
    }
    if (step->wrapped) {
      app_.say_of_shown(step->direction > 0 ? "first match again" : "last match again");
    }
    show_on_disk(*step->match, false);
  }
  if (tab.pending_match) locate_on_disk(tab);
  return false;
}

void SearchController::show_on_disk(const DiskMatch& match, bool zooms) {
  Tab& tab = *app_.tabs().shown();
  tab.pending_match = {match.track, match.begin_ns, match.record, match.instant, zooms};
  tab.pending_since = UINT64_MAX;
  app_.draw_again();
}

// Asks for one level after the other until the call is there.
void SearchController::locate_on_disk(Tab& tab) {
  Session& session = *tab.session;
  if (tab.pending_since == session.version()) return;  // nothing has come yet
  const MatchLocation result = locate_match(session.timeline(), *tab.pending_match);
  if (result.found) {
    const bool zooms = tab.pending_match->zooms;
    tab.pending_match.reset();
    return zooms ? zoom_to_match(result.found) : show_match(result.found);
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
