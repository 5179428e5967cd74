#include "app/questions/range_totals.h"

#include <utility>

#include "app/questions/chosen_scope.h"
#include "app/questions/most_drawn_nodes.h"
#include "ingest/base/parallel.h"

namespace cinderscope {
namespace {

// Names of another timeline would lie.
template <class Answer>
auto* sums_of(const Answer* answer, const Session& session) {
  const bool fits = answer != nullptr && answer->strings == session.timeline().strings;
  return fits ? answer->sums.get() : nullptr;
}

}  // namespace

void RangeTotals::ask(const Session& session,
                      std::shared_ptr<const PrecomputedTotals> precomputed) {
  Question question{scope_of_range(session.state().range), session.version()};
  question.scope.slices = slices_worth_measuring(session.timeline(), question.scope);
  if (tree_.busy() && tree_.asked() != question) tree_.cancel();
  if (statistics_.is_due(question, true)) {
    statistics_.ask(question, [slices = session.slices(), scope = question.scope,
                               precomputed = std::move(precomputed)](
                                  const BackgroundQuestion<Answer<SliceStatistics>>& running) {
      const auto made = [&slices](SliceStatistics sums) {
        return Answer<SliceStatistics>{std::make_shared<const SliceStatistics>(std::move(sums)),
                                       slices->strings};
      };
      const auto show_first = [&](const SliceStatistics& first) { running.publish(made(first)); };
      return made(slice_statistics(*slices, {.scope = scope}, core_count(), &running.cancelled,
                                   show_first, precomputed.get()));
    });
  }
  const bool rests = statistics_.is_whole() && statistics_.answered() == question;
  if (!rests || !tree_.is_due(question)) return;
  tree_.ask(question, [slices = session.slices(), scope = question.scope](
                          const BackgroundQuestion<Answer<AggregatedCallTree>>& running) {
    return Answer<AggregatedCallTree>{
        std::make_shared<const AggregatedCallTree>(
            aggregate_calls(*slices, scope, running.cancelled, most_drawn_nodes(), core_count())),
        slices->strings};
  });
}

bool RangeTotals::poll() {
  const bool statistics = statistics_.poll(), tree = tree_.poll();
  if (!statistics && !tree) return false;
  ++version_;
  return true;
}

const SliceStatistics* RangeTotals::statistics(const Session& session) const {
  return sums_of(statistics_.answer(), session);
}

const AggregatedCallTree* RangeTotals::tree(const Session& session) const {
  return sums_of(tree_.answer(), session);
}

}  // namespace cinderscope
