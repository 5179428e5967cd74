#include "app/questions/range_totals.h"

#include <utility>

#include "app/questions/chosen_scope.h"
#include "ingest/base/parallel.h"

namespace cinderscope {

void RangeTotals::ask(const Session& session,
                      std::shared_ptr<const PrecomputedTotals> precomputed) {
  if (!session.state().range) return totals_.forget();
  const Question question{scope_of_range(session.state().range), session.version()};
  if (!totals_.is_due(question, true)) return;
  std::shared_ptr<const AggregatedCallTree> before;
  if (const RangeSums* last = found(session)) before = last->tree;
  totals_.ask(
      question,
      [slices = session.slices(), scope = question.scope, before = std::move(before),
       precomputed = std::move(precomputed)](const BackgroundQuestion<Answer>& running) -> Answer {
        auto sums = std::make_shared<RangeSums>();
        sums->strings = slices->strings;
        const auto show_first = [&](const SliceStatistics& first) {
          auto known = std::make_shared<RangeSums>();
          known->strings = slices->strings;
          known->statistics = first;
          known->tree = before;
          running.publish(std::move(known));
        };
        sums->statistics = slice_statistics(*slices, {.scope = scope}, core_count(),
                                            &running.cancelled, show_first, precomputed.get());
        sums->tree = std::make_shared<const AggregatedCallTree>(
            aggregate_calls(*slices, scope, running.cancelled, kMaxCallTreeNodes, core_count()));
        return sums;
      });
}

bool RangeTotals::poll() {
  if (!totals_.poll()) return false;
  ++version_;
  return true;
}

const RangeSums* RangeTotals::found(const Session& session) const {
  const Answer* answer = totals_.answer();
  // Names of another timeline would lie.
  if (answer == nullptr || (*answer)->strings != session.timeline().strings) return nullptr;
  return answer->get();
}

}  // namespace cinderscope
