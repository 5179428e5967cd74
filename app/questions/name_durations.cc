#include "app/questions/name_durations.h"

namespace cinderscope {

std::optional<NameDurations::Question> NameDurations::question_of(const Session& session) {
  const SliceRef& selected = session.state().selected;
  const Timeline& timeline = session.timeline();
  const SliceBlock* block = block_of(timeline, selected);
  if (block == nullptr) return std::nullopt;
  Question question{.name = block->rows[selected.row].name(selected.slice),
                    .strings = timeline.strings.get(),
                    .generation = session.generation(),
                    .children_generation = session.children_generation()};
  const bool of_thread = timeline.tracks[index(selected.track)].kind == TrackKind::thread;
  if (!of_thread) question.track = selected.track;
  return question;
}

void NameDurations::ask(const Session& session) {
  const std::optional<Question> question = question_of(session);
  if (!question) {
    if (asked_) task_.cancel();
    asked_.reset();
    return;
  }
  if (asked_ == question) return;
  // While a trace is loaded the same question comes again and again: first an answer to the last.
  if (asked_ && asked_->is_of_same_calls(*question) && task_.busy()) return;
  asked_ = question;
  task_.start([slices = session.slices(),
               question = *question](const BackgroundQuestion<DurationHistogram>& running) {
    const SliceScope scope{.track = question.track};
    return duration_histogram(*slices, question.name, scope, running.cancelled, running.publish);
  });
}

bool NameDurations::poll() {
  if (task_.take_out_of_memory()) {
    histogram_ = {.whole = true};
    answered_ = asked_;
    return true;
  }
  std::optional<DurationHistogram> answer = task_.take();
  if (!answer) return false;
  histogram_ = std::move(*answer);
  answered_ = asked_;
  return true;
}

const DurationHistogram* NameDurations::found() const {
  const bool fits = asked_ && answered_ && answered_->is_of_same_calls(*asked_);
  return fits && histogram_.count > 0 ? &histogram_ : nullptr;
}

}  // namespace cinderscope
