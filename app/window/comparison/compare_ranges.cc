// Comparisons of ranges of the shown trace: with another one, with what lies before, with the rest.
#include <fmt/format.h>

#include <algorithm>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"

namespace cinderscope {

// As a SIDE of the shown trace.
std::string CompareController::side_of_range(std::int64_t begin_ns, std::int64_t end_ns) const {
  return fmt::format("{}@{}..{}", app_.tabs().shown()->session->path(), begin_ns, end_ns);
}

Status CompareController::keep_range() {
  const Session& session = *app_.tabs().shown()->session;
  const std::optional<TimeRange>& range = session.state().range;
  if (!range) return refused("No range is selected.");
  kept_range_ = KeptRange{side_of_range(range->begin_ns, range->end_ns), range};
  app_.say_of_shown("the range is A; select another one and \"Compare as B\"");
  return ok();
}

Status CompareController::compare_kept_range() {
  if (!kept_range_) return refused("No range was kept to be compared with.");
  const std::optional<TimeRange>& range = app_.tabs().shown()->session->state().range;
  if (!range) return refused("No range is selected.");
  const std::string a = std::exchange(kept_range_, std::nullopt)->side;
  return start(a, side_of_range(range->begin_ns, range->end_ns));
}

Status CompareController::compare_range_with_before() {
  const Session& session = *app_.tabs().shown()->session;
  const std::optional<TimeRange>& range = session.state().range;
  if (!range) return refused("No range is selected.");
  const std::int64_t length_ns = range->end_ns - range->begin_ns;
  const std::int64_t begin_ns = std::max(range->begin_ns - length_ns, session.timeline().begin_ns);
  if (begin_ns >= range->begin_ns) return refused("There is nothing before this range.");
  return start(side_of_range(begin_ns, range->begin_ns),
               side_of_range(range->begin_ns, range->end_ns));
}

// The rest is the longer of the two parts beside the range: a part is one range.
Status CompareController::compare_range_with_rest() {
  const Session& session = *app_.tabs().shown()->session;
  const std::optional<TimeRange>& range = session.state().range;
  if (!range) return refused("No range is selected.");
  const Timeline& timeline = session.timeline();
  const std::int64_t before_ns = range->begin_ns - timeline.begin_ns,
                     behind_ns = timeline.end_ns - range->end_ns;
  if (before_ns <= 0 && behind_ns <= 0) return refused("The range is the whole trace.");
  const std::string rest = before_ns >= behind_ns
                               ? side_of_range(timeline.begin_ns, range->begin_ns)
                               : side_of_range(range->end_ns, timeline.end_ns);
  const bool takes_longer = before_ns > 0 && behind_ns > 0;
  const char* said = before_ns >= behind_ns ? "compared with all that lies before the range"
                                            : "compared with all that lies behind the range";
  start({look_for(rest), look_for(side_of_range(range->begin_ns, range->end_ns))},
        [this, takes_longer, said](Tab* tab) {
          if (tab != nullptr && takes_longer) app_.say_of(*tab, said);
        });
  return ok();
}

}  // namespace cinderscope
