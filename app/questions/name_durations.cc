#include "app/questions/name_durations.h"

namespace cinderscope {

std::optional<NameDurations::Question> NameDurations::question_of(const Session& session) {
  const SliceRef& selected = session.state().selected;
  const Timeline& timeline = session.timeline();
  const SliceBlock* block = block_of(timeline, selected);
  if (block == nullptr) return std::nullopt;
  Question question{.name = block->rows[selected.row].name(selected.slice),
                    .strings = timeline.strings.get(),
                    .version = session.version()};
  const bool of_thread = timeline.tracks[index(selected.track)].kind == TrackKind::thread;
  if (!of_thread) question.track = selected.track;
  return question;
}

void NameDurations::ask(const Session& session) {
  const std::optional<Question> question = question_of(session);
  if (!question) return durations_.forget();
  // While a trace is loaded the same question comes again and again: first an answer to the last.
  const bool same = durations_.asked() && durations_.asked()->is_of_same_calls(*question);
  if (!durations_.is_due(*question, same)) return;
  durations_.ask(*question, [slices = session.slices(), question = *question](
                                const BackgroundQuestion<DurationHistogram>& running) {
    const Scope scope = Scope::of_track(question.track);
    return duration_histogram(*slices, question.name, scope, running.cancelled, running.publish);
  });
}

const DurationHistogram* NameDurations::found() const {
  const auto &asked = durations_.asked(), &answered = durations_.answered();
  const bool fits = asked && answered && answered->is_of_same_calls(*asked);
  const DurationHistogram* histogram = durations_.answer();
  return fits && histogram != nullptr && histogram->count > 0 ? histogram : nullptr;
}

}  // namespace cinderscope
