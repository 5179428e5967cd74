#include "app/window/flame_graph_panel.h"

#include <algorithm>

#include "app/json_writer.h"
#include "app/window/window.h"
#include "ingest/parallel.h"
#include "ingest/saturating.h"
#include "render/time_text.h"
#include "render/track_list.h"

namespace cinderscope {

namespace {

constexpr std::size_t kStateTotals = 10;

bool has_deferred(const SliceSet& slices, const SliceScope& scope) {
  for (const TrackSlices& track : slices.tracks) {
    if (!scope.has_track(track.track)) continue;
    const auto defers = [](const auto& block) {
      return block != nullptr && !block->deferred.empty();
    };
    if (std::any_of(track.blocks.begin(), track.blocks.end(), defers)) return true;
  }
  return false;
}

FlameGraphPart shown_part(MeasuredPart part) {
  if (part == MeasuredPart::range) return FlameGraphPart::range;
  return part == MeasuredPart::thread ? FlameGraphPart::thread : FlameGraphPart::trace;
}

std::string measured_text(const Timeline& timeline, const SliceScope& scope) {
  std::string text;
  if (scope.track != kNoTrack && index(scope.track) < timeline.tracks.size()) {
    const Track& track = timeline.tracks[index(scope.track)];
    text = track_label(timeline, track);
    const std::string_view id = track_id_text(timeline, track);
    if (!id.empty() && !text.ends_with(id)) text.append(" ").append(id);
  }
  if (scope.has_range()) {
    const std::int64_t length_ns = saturating_difference(scope.end_ns, scope.begin_ns);
    if (!text.empty()) text += ", ";
    text += duration_text(length_ns, timeline.axis);
  }
  return text;
}

}  // namespace

FlameGraphPanel::FlameGraphPanel(MeasureScope& scope)
    : scope_(scope), task_([] { Window::wake(); }) {}

bool FlameGraphPanel::poll(Session& /*session*/) {
  if (task_.take_out_of_memory()) {
    message_ = "There is not enough memory to add up all calls.";
    answer_ = {.of = *asked_};
    ++version_;
    return true;
  }
  std::optional<Answer> answer = task_.take();
  if (!answer) return false;
  answer_ = std::move(*answer);
  ++version_;
  return true;
}

void FlameGraphPanel::ask(const Session& session) {
  const Question question{.scope = measured_scope(scope_, session.state()),
                          .by_callers = view_.by_callers(),
                          .generation = session.generation(),
                          .children_generation = session.children_generation()};
  if (asked_ == question) return;
  // While a trace is loaded the same question comes again and again: first an answer to the last.
  if (asked_ && asked_->is_of_same_calls(question) && task_.busy()) return;
  asked_ = question;
  // Turned round, what was added up already is enough.
  std::shared_ptr<const CallTotals> known;
  Question other = answer_.of;
  other.by_callers = question.by_callers;
  if (answer_.callees != nullptr && other == question) known = answer_.callees;
  task_.start(
      [slices = session.slices(), question, known](const BackgroundQuestion<Answer>& running) {
        Answer answer{.of = question, .callees = known, .strings = slices->strings};
        if (answer.callees == nullptr) {
          answer.callees = std::make_shared<const CallTotals>(call_totals(
              *slices, question.scope, running.cancelled, kMaxCallTotals, core_count()));
        }
        answer.shown = answer.callees;
        if (question.by_callers && answer.callees->whole) {
          answer.shown =
              std::make_shared<const CallTotals>(reversed(*answer.callees, running.cancelled));
        }
        answer.has_deferred = has_deferred(*slices, question.scope);
        return answer;
      });
}

void FlameGraphPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Session& session = frame.session;
  const TimelineState& state = session.state();
  ask(session);
  // Totals of the other way round would be drawn under wrong heads, those from before a reload with
  // wrong names; older ones are good enough until the newer are there.
  const bool fits = answer_.shown != nullptr && answer_.of.by_callers == view_.by_callers() &&
                    answer_.strings == session.timeline().strings;
  const std::string measured = measured_text(session.timeline(), asked_->scope);
  std::string_view note;
  if (session.loading()) note = "of what has been read so far";
  if (answer_.has_deferred) note = "calls that were not read from the file yet are not counted";
  view_.draw({.timeline = session.timeline(),
              .theme = frame.theme,
              .area = frame.area,
              .totals = fits ? answer_.shown.get() : nullptr,
              .version = version_,
              .counting = task_.busy(),
              .part = shown_part(measured_part(scope_, state)),
              .has_range = state.range.has_value(),
              .has_thread = selected_track(state) != kNoTrack || scope_.last_track != kNoTrack,
              .measured = measured,
              .note = note},
             actions);
  ask(session);  // the switches of the view may have asked for something else
}

std::string FlameGraphPanel::run(const Command& /*command*/, std::string_view argument,
                                 Session& /*session*/) {
  if (argument.empty()) {
    view_.set_by_callers(!view_.by_callers());
  } else if (argument == "callers" || argument == "callees") {
    view_.set_by_callers(argument == "callers");
  } else {
    return "A flame graph is one of callees or of callers.";
  }
  return {};
}

std::string FlameGraphPanel::state_json(const Session& session) const {
  JsonWriter out;
  if (answer_.shown == nullptr || answer_.shown->totals.empty() ||
      answer_.strings != session.timeline().strings) {
    out.null();
    return out.str();
  }
  const Timeline& timeline = session.timeline();
  const CallTotals& totals = *answer_.shown;
  const std::uint32_t zoomed =
      view_.zoomed() && view_.zoomed_total() < totals.totals.size() ? view_.zoomed_total() : 0;
  out.begin_object().field("calls", totals.totals.front().count);
  out.field("total", totals.totals.front().total_ns);
  out.field("by_callers", totals.by_callers);
  out.key("zoomed");
  if (zoomed == 0) {
    out.null();
  } else {
    out.text(display_name(timeline, totals.totals[zoomed].name));
  }
  out.key("callees").begin_array();
  const auto callees = totals.callees_of(zoomed);
  for (std::size_t i = 0; i < std::min(callees.size(), kStateTotals); ++i) {
    const CallTotal& total = totals.totals[callees[i]];
    out.begin_object().field("name", display_name(timeline, total.name));
    out.field("count", total.count).field("total", total.total_ns).field("self", total.self_ns);
    out.end_object();
  }
  out.end_array().end_object();
  return out.str();
}

}  // namespace cinderscope
