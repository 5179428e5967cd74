#include "app/questions/selected_children.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kFewSlices = 10'000;  // take less time than another thread needs to begin

}  // namespace

void SelectedChildren::ask(const Session& session) {
  const SliceRef& selected = session.state().selected;
  if (block_of(session.timeline(), selected) == nullptr) return totals_.forget();
  const Question question{selected, session.generation(), session.version()};
  const bool same = totals_.asked() && totals_.asked()->is_of_same_slice(question);
  if (!totals_.is_due(question, same)) return;
  const auto work = [slices = session.slices(),
                     selected](const BackgroundQuestion<ChildTotals>& running) {
    return child_totals(*slices, selected, running.cancelled, running.publish);
  };
  if (slices_to_look_at(*session.slices(), selected, kFewSlices) < kFewSlices) {
    totals_.answer_now(question, work);
  } else {
    totals_.ask(question, work);
  }
}

const ChildTotals* SelectedChildren::found() const {
  const auto &asked = totals_.asked(), &answered = totals_.answered();
  const bool fits = asked && answered && answered->is_of_same_slice(*asked);
  return fits ? totals_.answer() : nullptr;
}

}  // namespace cinderscope
