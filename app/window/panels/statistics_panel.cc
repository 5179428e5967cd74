#include "app/window/panels/statistics_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/model/measure/sample_runs.h"
#include "ingest/totals/precomputed/precompute.h"
#include "ingest/totals/segment_totals.h"
#include "render/layout/track_list.h"
#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

// A question is left to end for this long although a newer one waits: while a range is dragged
// there is a newer one in every frame, and numbers are to be seen nevertheless.
constexpr std::chrono::milliseconds kLetEnd{400};
constexpr float kNoteLinePx = 24;
constexpr std::string_view kNoMemory = "There is not enough memory to add up all calls.";
constexpr double kPauseWhileLoading = 5;  // times what the last answer took

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string thread_text(const Timeline& timeline, const Scope& scope) {
  if (scope.tracks.size() > 1) return count_text(scope.tracks.size()) + " threads";
  const TrackId track = scope.only_track();
  if (index(track) >= timeline.tracks.size()) return {};
  const Track& named = timeline.tracks[index(track)];
  std::string text = track_label(timeline, named);
  const std::string_view id = track_id_text(timeline, named);
  if (!id.empty()) text += fmt::format(" {}", id);
  // Threads of several processes may well share their name and id.
  if (timeline.processes.size() > 1) {
    text += fmt::format(" of {}", process_label(timeline, named.process));
  }
  return text;
}

// A dim line at the upper edge; returns what is left below it.
Rect draw_note_line(const PanelFrame& frame, std::string_view text) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  const float line_px = std::round(pen.px(kNoteLinePx));
  const Rect line{area.x, area.y, area.width, std::min(line_px, area.height)};
  fill(pen.list, line, pen.colours.panel);
  draw_cut_text(pen.list, pen.words, line.x + pen.px(16), middle_y(line), line.width - pen.px(32),
                pen.colours.dim, text);
  return {area.x, area.y + line.height, area.width, area.height - line.height};
}

}  // namespace

StatisticsPanel::StatisticsPanel(ChosenScope& scope, const DiskSearch& disk)
    : scope_(scope),
      disk_(disk),
      table_([] { Window::wake(); }),
      range_table_([] { Window::wake(); }),
      range_calls_([] { Window::wake(); }),
      precomputed_([] { Window::wake(); }) {}

StatisticsPanel::Measured StatisticsPanel::measured_now(const Session& session) {
  return {{.scope = scope_.scope(session.timeline(), session.state()),
           .whole_calls = scope_.whole_calls},
          session.version()};
}

StatisticsPanel::Measured StatisticsPanel::range_now(const Session& session) {
  Scope scope = scope_of_range(session.state().range);
  scope.slices = slices_worth_measuring(session.timeline(), scope);
  return {{.scope = std::move(scope)}, session.version()};
}

const std::shared_ptr<const SliceSet>& StatisticsPanel::slices(const Session& session) {
  if (slices_ == nullptr) slices_ = session.slices();
  return slices_;
}

// Results for an older version of the session are never asked for again.
void StatisticsPanel::forget_older(const Session& session) {
  if (version_ == session.version()) return;
  version_ = session.version();
  slices_.reset();
  precomputed_.forget();
  precomputed_bytes_ = 0;
}

// Asked for once per trace, as soon as it is loaded and nothing else is worked at: so that the
// first question finds it there.
void StatisticsPanel::precompute(const Session& session) {
  if (precomputed_.poll()) {
    const auto* totals = precomputed_.answer();
    precomputed_bytes_ =
        totals == nullptr || *totals == nullptr ? 0 : cinderscope::kept_bytes(**totals);
  }
  if (session.loading() || !precomputed_.is_due(version_)) return;
  if (Precomputed known = session.totals()) {
    precomputed_bytes_ = cinderscope::kept_bytes(*known);
    precomputed_.answer_now(version_, [known](const auto&) { return known; });
    return;
  }
  if (table_.busy()) return;
  precomputed_.ask(version_, [set = slices(session)](const BackgroundQuestion<Precomputed>& asked) {
    return precomputed_totals_of(*set, core_count(), &asked.cancelled,
                                 most_precomputed_bytes(*set));
  });
}

std::shared_ptr<const PrecomputedTotals> StatisticsPanel::precomputed(
    const Session& session) const {
  const bool known = precomputed_.answer() != nullptr && version_ == session.version();
  return known ? *precomputed_.answer() : nullptr;
}

bool StatisticsPanel::knows_all_of(const Measured& measured) const {
  return table_.answer() != nullptr && table_.answered()->measured == measured &&
         table_.answer()->statistics->ranks_known;
}

StatisticsPanel::Tables::Work StatisticsPanel::work_for(const Session& session,
                                                        const Question& question) {
  // Sorted or filtered in another way the numbers stay.
  Answer known;
  if (knows_all_of(question.measured)) {
    known = {.statistics = table_.answer()->statistics, .table = table_.answer()->table};
  }
  Precomputed precomputed;
  if (precomputed_.answer() != nullptr) precomputed = *precomputed_.answer();
  return [question, known, precomputed, runs = counts_runs(session.timeline()),
          set = slices(session)](const BackgroundQuestion<Answer>& asked) {
    const Clock::time_point begin = Clock::now();
    const auto complete = [&](Answer& answer) {
      answer.rows = rows_in_order(*answer.table, question.order,
                                  filter_by_text(question.order.filter), &asked.cancelled);
      answer.seconds = seconds_since(begin);
    };
    const auto show_first = [&](const SliceStatistics& first) {
      Answer shown{.statistics = std::make_shared<const SliceStatistics>(first),
                   .table = statistics_table(first, set->strings, runs)};
      complete(shown);
      asked.publish(std::move(shown));
    };
    Answer answer = known;
    if (answer.statistics == nullptr) {
      answer.statistics = std::make_shared<const SliceStatistics>(
          slice_statistics(*set, question.measured.query, core_count(), &asked.cancelled,
                           show_first, precomputed.get()));
      answer.table = statistics_table(*answer.statistics, set->strings, runs);
    }
    complete(answer);
    return answer;
  };
}

bool StatisticsPanel::poll(Session& session, bool visible) {
  bool changed = false;
  visible_ = visible;
  scope_.note_timeline(session.generation());
  forget_older(session);
  if (table_.poll()) {
    if (table_.out_of_memory()) message_ = kNoMemory;
    changed = true;
  }
  if (!session.has_trace()) return changed;
  changed |= count_range(session);
  precompute(session);
  const Question question{measured_now(session), order_};
  if (!visible || !table_.is_due(question)) return changed;
  if (table_.busy()) {
    // Its first numbers are enough where others are wanted already.
    const bool has_first = table_.answered() == table_.asked();
    const bool has_time = !has_first && Clock::now() - asked_at_ < kLetEnd;
    if (has_time && table_.asked()->order == question.order) return changed;
  } else if (session.loading() && table_.answer() != nullptr &&
             seconds_since(asked_at_) < 0.5 + kPauseWhileLoading * table_.answer()->seconds) {
    return changed;  // loading has frames of its own, so this is asked again
  }
  asked_at_ = Clock::now();
  table_.ask(question, work_for(session, question));
  return true;
}

// One after another: each is quick, and while a range is dragged every answer is worth seeing.
bool StatisticsPanel::count_range(const Session& session) {
  const bool changed = range_calls_.poll();
  const Measured range = range_now(session);
  if (!session.state().range || !range_calls_.is_due(range, true)) return changed;
  range_calls_.ask(range,
                   [range, set = slices(session)](const BackgroundQuestion<std::uint64_t>& asked) {
                     return call_count(*set, range.query, &asked.cancelled);
                   });
  return changed;
}

std::optional<std::uint64_t> StatisticsPanel::range_calls(const Session& session) const {
  if (!session.state().range || range_calls_.answer() == nullptr) return std::nullopt;
  return *range_calls_.answer();
}

const StatisticsPanel::Answer* StatisticsPanel::compute_now(const Session& session) {
  forget_older(session);
  const Question question{measured_now(session), order_};
  return table_.answer_now(question, work_for(session, question));
}

StatisticsFacts StatisticsPanel::facts(Session& session) {
  StatisticsFacts facts;
  if (!session.has_trace()) return facts;
  forget_older(session);
  if (session.state().range) {
    Measured range = range_now(session);
    range.query.whole_calls = scope_.whole_calls;
    const Question question{range, first_statistics_order()};
    const Answer* answer = range_table_.answer_now(question, work_for(session, question));
    if (answer != nullptr) facts.range = answer->table;
  }
  if (!visible_) return facts;
  const Answer* answer = compute_now(session);
  if (answer == nullptr) return facts;
  facts.statistics = answer->statistics;
  facts.table = answer->table;
  facts.rows = answer->rows;
  facts.order = order_;
  facts.scope = scope_.choice(session.state());
  facts.thread = thread_text(session.timeline(), answer->statistics->query.scope);
  return facts;
}

void StatisticsPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Session& session = frame.session;
  const TimelineState& state = session.state();
  const Timeline& timeline = session.timeline();
  const Rect area = disk_.needed() ? draw_note_line(frame, disk_.measured_text()) : frame.area;
  StatisticsFrame shown{.theme = frame.theme,
                        .area = area,
                        .time_format = timestamp_format(timeline, state),
                        .order = order_};
  if (const Answer* answer = table_.answer()) {
    shown.statistics = answer->statistics.get();
    shown.table = answer->table.get();
    shown.rows = answer->rows;
    shown.of_runs = counts_runs(timeline);
    shown.thread = thread_text(timeline, answer->statistics->query.scope);
    shown.connected_with = connected_name(timeline, answer->statistics->query.scope);
  }
  shown.scope = scope_.choice(state);
  shown.slices = {.shown = has_sample_tracks(timeline) && scope_.measures_kinds(state),
                  .slices = scope_.scope(timeline, state).slices};
  shown.scopes = scope_.there(timeline, state);
  shown.whole_calls = scope_.whole_calls;
  shown.working = table_.answered() != Question{measured_now(session), order_};
  if (block_of(timeline, state.selected) != nullptr) {
    shown.selected = slice_at(timeline, state.selected).name;
  }
  view_.draw(shown, actions);
}

Result<TakenTable> StatisticsPanel::take_table(Session& session, TableText form) {
  const Answer* answer = compute_now(session);
  if (answer == nullptr) return refused(std::string(kNoMemory));
  return taken_table("statistics", answer->table, answer->rows, form,
                     timestamp_format(session.timeline(), session.state()));
}

}  // namespace cinderscope
