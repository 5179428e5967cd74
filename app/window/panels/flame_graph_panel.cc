#include "app/window/panels/flame_graph_panel.h"

#include <algorithm>

#include "app/questions/most_drawn_nodes.h"
#include "app/window/window.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/search/name_mask.h"
#include "render/layout/track_list.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr std::size_t kStateTotals = 10;

bool has_deferred(const SliceSet& slices, const Scope& scope) {
  for (const TrackSlices& track : slices.tracks) {
    if (!scope.has_track(track.track)) continue;
    const auto defers = [](const auto& block) {
      return block != nullptr && !block->deferred.empty();
    };
    if (std::any_of(track.blocks.begin(), track.blocks.end(), defers)) return true;
  }
  return false;
}

std::string measured_text(const Timeline& timeline, const Scope& scope) {
  std::string text;
  if (index(scope.only_track()) < timeline.tracks.size()) {
    const Track& track = timeline.tracks[index(scope.only_track())];
    text = track_label(timeline, track);
    const std::string_view id = track_id_text(timeline, track);
    if (!id.empty() && !text.ends_with(id)) text.append(" ").append(id);
  }
  if (scope.tracks.size() > 1) text = count_text(scope.tracks.size()) + " threads";
  if (scope.has_set()) text = "connected with " + connected_name(timeline, scope);
  if (scope.has_range()) {
    const std::int64_t length_ns = saturating_difference(scope.end_ns, scope.begin_ns);
    if (!text.empty()) text += ", ";
    text += length_text(length_ns, timeline.axis);
  }
  return text;
}

void write_totals(JsonWriter& out, const Timeline& timeline, const AggregatedCallTree& totals,
                  std::uint32_t of, CallWeight weight) {
  const auto callees = totals.callees_of(of, weight);
  for (std::size_t i = 0; i < std::min(callees.size(), kStateTotals); ++i) {
    const CallTreeNode& total = totals.nodes[callees[i]];
    out.begin_object().field("name", display_name(timeline, total.name));
    out.field("count", total.count).field("all_calls", total.subtree_calls);
    out.field("total", total.total_ns).field("self", total.self_ns).end_object();
  }
}

}  // namespace

FlameGraphPanel::FlameGraphPanel(ChosenScope& scope, const TraceSearch& search)
    : scope_(scope), search_(search), graph_([] { Window::wake(); }) {}

std::string_view FlameGraphPanel::way() const {
  switch (view_.direction()) {
    case FlameGraphDirection::bottom_up:
      return "callers";
    case FlameGraphDirection::sandwich:
      return "function";
    case FlameGraphDirection::top_down:
      break;
  }
  return "callees";
}

std::string_view FlameGraphPanel::weight(const Timeline& timeline) const {
  if (!timeline.weights.empty()) return timeline.weights[timeline.weight].name;
  return view_.weight(timeline) == CallWeight::calls ? "calls" : "time";
}

// Taking names anew leaves all calls where they are: the function is that of the call that was one
// of it.
void FlameGraphPanel::follow_rename(const Timeline& timeline) {
  const Answer* answer = graph_.answer();
  if (view_.direction() != FlameGraphDirection::sandwich || answer == nullptr ||
      answer->function == nullptr || answer->strings == timeline.strings ||
      timeline.strings->find(view_.function())) {
    return;
  }
  const AggregatedCallTree& callees = answer->function->callees;
  if (callees.nodes.empty()) return;
  const SliceRef call = callees.nodes.front().longest;
  if (block_of(timeline, call) == nullptr) return;
  view_.show_function(std::string(timeline.text(slice_at(timeline, call).name)));
}

bool FlameGraphPanel::poll(Session& session, bool /*visible*/) {
  follow_rename(session.timeline());
  if (!graph_.poll()) return false;
  if (graph_.out_of_memory()) message_ = "There is not enough memory to add up all calls.";
  ++version_;
  return true;
}

FlameGraphPanel::Answer FlameGraphPanel::answered(const Question& question, const SliceSet& slices,
                                                  std::shared_ptr<const AggregatedCallTree> known,
                                                  const std::atomic<bool>& cancelled) {
  Answer answer{.callees = std::move(known), .strings = slices.strings};
  if (answer.callees == nullptr) {
    answer.callees = std::make_shared<const AggregatedCallTree>(
        aggregate_calls(slices, question.scope, cancelled, most_drawn_nodes(), core_count()));
  }
  answer.shown = answer.callees;
  if (!question.edits.empty() && answer.callees->whole) {
    answer.shown = std::make_shared<const AggregatedCallTree>(
        edited(*answer.callees, edits_of(question.edits, *slices.strings), cancelled));
  }
  if (question.direction == FlameGraphDirection::bottom_up && answer.shown->whole) {
    answer.shown = std::make_shared<const AggregatedCallTree>(
        reversed(*answer.shown, cancelled, most_drawn_nodes()));
  } else if (question.direction == FlameGraphDirection::sandwich && answer.shown->whole) {
    const StringId name = slices.strings->find(question.function).value_or(kNoName);
    answer.function =
        std::make_shared<const FunctionTotals>(function_totals(*answer.shown, name, cancelled));
    answer.shown = {answer.function, &answer.function->callees};
  }
  answer.has_deferred = has_deferred(slices, question.scope);
  return answer;
}

void FlameGraphPanel::ask(const Session& session) {
  const Question question{.scope = scope_.scope(session.timeline(), session.state()),
                          .edits = edits_,
                          .direction = view_.direction(),
                          .function = function_now(),
                          .version = session.version()};
  // While a trace is loaded the same question comes again and again: first an answer to the last.
  const bool same = graph_.asked() && graph_.asked()->is_of_same_calls(question);
  if (!graph_.is_due(question, same)) return;
  // Turned round or of one function, what was added up already is enough.
  std::shared_ptr<const AggregatedCallTree> known;
  if (graph_.answer() != nullptr && graph_.answered()->is_of_same_slices(question)) {
    known = graph_.answer()->callees;
  }
  graph_.ask(question, [slices = session.slices(), question,
                        known = std::move(known)](const BackgroundQuestion<Answer>& running) {
    return answered(question, *slices, known, running.cancelled);
  });
}

void FlameGraphPanel::describe(const Timeline& timeline, PictureOptions& options) const {
  using Way = PictureOptions::Way;
  options.way = view_.direction() == FlameGraphDirection::bottom_up  ? Way::callers
                : view_.direction() == FlameGraphDirection::sandwich ? Way::function
                                                                     : Way::callees;
  if (options.way == Way::function) options.name = view_.function();
  options.weight = view_.weight(timeline);
  options.zoom = zoom_names();
}

std::vector<std::string> FlameGraphPanel::zoom_names() const {
  std::vector<std::string> names = view_.wanted_zoom();
  const Answer* answer = graph_.answer();
  if (!names.empty() || answer == nullptr || !view_.zoomed()) return names;
  const auto& nodes = answer->shown->nodes;
  for (std::uint32_t node = view_.zoomed_total(); node != 0 && node < nodes.size();
       node = nodes[node].caller) {
    names.emplace(names.begin(), answer->strings->text(nodes[node].name));
  }
  return names;
}

const std::function<bool(StringId)>* FlameGraphPanel::found_names(const Session& session) {
  if (found_.text != search_.typed_text() || found_.generation != session.generation()) {
    found_ = {.text = search_.typed_text(),
              .generation = session.generation(),
              .names = session.timeline().strings.get()};
    if (const auto query = parse_search(found_.text); query && asks_names(*query)) {
      found_.query = *query;
      found_.test = [this](StringId name) {
        const auto [known, is_new] = found_.tested.try_emplace(index(name), false);
        if (is_new) known->second = name_holds(found_.query, *found_.names, name);
        return known->second;
      };
    }
  }
  return found_.test ? &found_.test : nullptr;
}

void FlameGraphPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Session& session = frame.session;
  const TimelineState& state = session.state();
  ask(session);
  // Totals of another direction would be drawn under wrong heads, those from before a reload with
  // wrong names; older ones are good enough until the newer are there.
  const Answer* answer = graph_.answer();
  const bool fits = answer != nullptr && graph_.answered()->direction == view_.direction() &&
                    graph_.answered()->function == function_now() &&
                    answer->strings == session.timeline().strings;
  const std::string measured = measured_text(session.timeline(), graph_.asked()->scope);
  const std::string edits = edits_text();
  std::string_view note;
  if (session.loading()) note = "of what has been read so far";
  if (answer != nullptr && answer->has_deferred)
    note = "calls that were not read from the file yet are not counted";
  view_.draw(
      {.timeline = session.timeline(),
       .theme = frame.theme,
       .area = frame.area,
       .totals = fits ? answer->shown.get() : nullptr,
       .function = fits ? answer->function.get() : nullptr,
       .version = version_,
       .counting = graph_.busy(),
       .scope = scope_.choice(state),
       .scopes = scope_.there(session.timeline(), state),
       .slices = {.shown = has_sample_tracks(session.timeline()) && scope_.measures_kinds(state),
                  .slices = graph_.asked()->scope.slices},
       .measured = measured,
       .edits = edits,
       .folds_recursion = std::ranges::count(edits_, Edit::Kind::fold, &Edit::kind) > 0,
       .wheel_scrolls = state.wheel_scrolls,
       .note = note,
       .found = found_names(session)},
      actions);
  ask(session);  // the switches of the view may have asked for something else
}

std::string FlameGraphPanel::state_json(const Session& session) const {
  JsonWriter out;
  const Answer* answer = graph_.answer();
  if (answer == nullptr || answer->shown->nodes.empty() ||
      answer->strings != session.timeline().strings) {
    out.null();
    return out.str();
  }
  const Timeline& timeline = session.timeline();
  const AggregatedCallTree& totals = *answer->shown;
  const std::uint32_t zoomed =
      view_.zoomed() && view_.zoomed_total() < totals.nodes.size() ? view_.zoomed_total() : 0;
  out.begin_object().field("calls", totals.nodes.front().count);
  out.field("total", totals.nodes.front().total_ns);
  out.field("by_callers", totals.bottom_up);
  out.field("edits", edits_text());
  const CallWeight weight = view_.weight(timeline);
  out.field("weight", this->weight(timeline));
  out.key("function");
  if (answer->function == nullptr) {
    out.null();
  } else {
    out.text(display_name(timeline, totals.nodes.front().name));
    out.key("callers").begin_array();
    write_totals(out, timeline, answer->function->callers, 0, weight);
    out.end_array();
  }
  out.key("zoomed");
  if (zoomed == 0) {
    out.null();
  } else {
    out.text(display_name(timeline, totals.nodes[zoomed].name));
  }
  out.key("callees").begin_array();
  write_totals(out, timeline, totals, zoomed, weight);
  out.end_array().end_object();
  return out.str();
}

}  // namespace cinderscope
