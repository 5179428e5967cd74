#include "app/window/panels/statistics_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/os/atomic_file.h"
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
constexpr double kPauseWhileLoading = 5;  // times what the last answer took

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string thread_text(const Timeline& timeline, TrackId track) {
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

StatisticsPanel::StatisticsPanel(MeasureScope& scope, const DiskSearch& disk)
    : scope_(scope),
      disk_(disk),
      task_([] { Window::wake(); }),
      count_task_([] { Window::wake(); }),
      parts_task_([] { Window::wake(); }) {}

StatisticsPanel::Measured StatisticsPanel::measured_now(Session& session) {
  return {{.scope = measured_scope(scope_, session.state()), .whole_calls = scope_.whole_calls},
          session.generation(),
          session.children_generation()};
}

StatisticsPanel::Measured StatisticsPanel::range_now(const Session& session) {
  const TimeRange range = session.state().range.value_or(TimeRange{});
  return {{.scope = {range.begin_ns, range.end_ns, kNoTrack}},
          session.generation(),
          session.children_generation()};
}

bool StatisticsPanel::holds_slices_of(const Session& session) const {
  return slices_generation_ == session.generation() &&
         slices_children_ == session.children_generation();
}

const std::shared_ptr<const SliceSet>& StatisticsPanel::slices(const Session& session) {
  if (slices_ == nullptr || !holds_slices_of(session)) {
    slices_ = session.slices();
    forget_parts();
    slices_generation_ = session.generation();
    slices_children_ = session.children_generation();
  }
  return slices_;
}

StatisticsPanel::Answer StatisticsPanel::answered(const Question& question, const SliceSet& set,
                                                  Statistics known, const PrecomputedTotals* parts,
                                                  const BackgroundQuestion<Answer>* background) {
  Answer answer{.question = question, .statistics = std::move(known), .names = set.strings};
  const Clock::time_point begin = Clock::now();
  const std::atomic<bool>* cancelled = background == nullptr ? nullptr : &background->cancelled;
  const auto show_first = [&](const SliceStatistics& first) {
    Answer shown = answer;
    shown.statistics = std::make_shared<const SliceStatistics>(first);
    shown.rows = rows_in_order(first, *set.strings, question.order, cancelled);
    shown.seconds = seconds_since(begin);
    if (background != nullptr) background->publish(std::move(shown));
  };
  try {
    if (answer.statistics == nullptr) {
      answer.statistics = std::make_shared<const SliceStatistics>(slice_statistics(
          set, question.measured.query, core_count(), cancelled,
          background == nullptr ? std::function<void(const SliceStatistics&)>() : show_first,
          parts));
    }
    answer.rows = rows_in_order(*answer.statistics, *set.strings, question.order, cancelled);
  } catch (const std::bad_alloc&) {
    answer.statistics.reset();
    answer.rows.clear();
  }
  answer.seconds = seconds_since(begin);
  return answer;
}

void StatisticsPanel::forget_parts() {
  parts_task_.cancel();
  parts_.reset();
  parts_bytes_ = 0;
  parts_asked_ = false;
}

// Asked for once per trace, as soon as it is loaded and nothing else is worked at: so that the
// first question finds it there.
void StatisticsPanel::keep_parts(const Session& session) {
  if (auto parts = parts_task_.take()) {
    parts_ = std::move(*parts);
    parts_bytes_ = parts_ == nullptr ? 0 : cinderscope::kept_bytes(*parts_);
  }
  if (session.loading() || task_.busy() || (parts_asked_ && holds_slices_of(session))) return;
  const std::shared_ptr<const SliceSet> set = slices(session);
  parts_asked_ = true;
  parts_task_.start(
      [set](const BackgroundQuestion<std::shared_ptr<const PrecomputedTotals>>& question) {
        return precomputed_totals_of(*set, core_count(), &question.cancelled);
      });
}

bool StatisticsPanel::knows_all_of(const Measured& measured) const {
  return shown_ && shown_->question.measured == measured && shown_->statistics != nullptr &&
         shown_->statistics->ranks_known;
}

bool StatisticsPanel::poll(Session& session, bool visible) {
  bool changed = false;
  visible_ = visible;
  note_timeline(scope_, session.generation());
  // What nobody asks about any more need not be kept.
  if (!holds_slices_of(session) && slices_ != nullptr) {
    slices_.reset();
    forget_parts();
  }
  for (const std::string& path : saving_.take()) {
    if (const Status saved = save_to(path, session); !saved) message_ = saved.error().text;
    changed = true;
  }
  const bool busy = task_.busy();  // first: the answer may come between the two
  if (std::optional<Answer> answer = task_.take()) {
    if (answer->statistics == nullptr) message_ = "There is not enough memory to add up all calls.";
    shown_ = std::move(answer);
    changed = true;
  }
  if (!session.has_trace()) return changed;
  changed |= count_range(session);
  keep_parts(session);
  if (!visible) return changed;
  const Question question{measured_now(session), order_};
  if (shown_ && shown_->question == question && !busy) return changed;
  if (busy) {
    if (asked_ == question) return changed;
    // Its first numbers are enough where others are wanted already.
    const bool has_first = shown_ && shown_->question == asked_;
    const bool has_time = !has_first && Clock::now() - asked_at_ < kLetEnd;
    if (has_time && asked_.order == question.order) return changed;
  } else if (session.loading() && shown_ &&
             seconds_since(asked_at_) < 0.5 + kPauseWhileLoading * shown_->seconds) {
    return changed;  // loading has frames of its own, so this is asked again
  }
  Statistics known;
  if (knows_all_of(question.measured)) known = shown_->statistics;
  asked_ = question;
  asked_at_ = Clock::now();
  const std::shared_ptr<const SliceSet> set = slices(session);
  task_.start([question, set, known = std::move(known),
               parts = parts_](const BackgroundQuestion<Answer>& background) {
    return answered(question, *set, known, parts.get(), &background);
  });
  return true;
}

// One after another: each is quick, and while a range is dragged every answer is worth seeing.
bool StatisticsPanel::count_range(Session& session) {
  bool changed = false;
  if (std::optional<RangeCalls> calls = count_task_.take()) {
    range_calls_ = *calls;
    changed = true;
  }
  if (!session.state().range || count_task_.busy()) return changed;
  const Measured range = range_now(session);
  if (range_calls_ && range_calls_->measured == range) return changed;
  count_task_.start([range, set = slices(session)](const BackgroundQuestion<RangeCalls>& question) {
    try {
      return RangeCalls{range, call_count(*set, range.query, &question.cancelled)};
    } catch (const std::bad_alloc&) {
      return RangeCalls{range, 0};
    }
  });
  return changed;
}

std::optional<std::uint64_t> StatisticsPanel::range_calls(const Session& session) const {
  if (!session.state().range || !range_calls_) return std::nullopt;
  return range_calls_->count;
}

void StatisticsPanel::settle(Session& session) {
  const Question question{measured_now(session), order_};
  if (knows_all_of(question.measured) && shown_->question == question) return;
  task_.cancel();
  Statistics known;
  if (knows_all_of(question.measured)) known = shown_->statistics;
  const SliceSet& set = *slices(session);
  shown_ = answered(question, set, std::move(known), parts_.get(), nullptr);
}

StatisticsFacts StatisticsPanel::facts(Session& session) {
  StatisticsFacts facts;
  if (!session.has_trace()) return facts;
  if (session.state().range) {
    Measured range = range_now(session);
    range.query.whole_calls = scope_.whole_calls;
    if (range_ == nullptr || !(range_measured_ == range)) {
      range_ = knows_all_of(range)
                   ? shown_->statistics
                   : answered({range, {}}, *slices(session), nullptr, nullptr, nullptr).statistics;
      range_measured_ = range;
    }
    facts.range = range_;
  }
  if (!visible_) return facts;
  settle(session);
  facts.table = shown_->statistics;
  facts.rows = shown_->rows;
  facts.order = order_;
  const MeasuredPart part = measured_part(scope_, session.state());
  facts.scope = part == MeasuredPart::trace   ? "trace"
                : part == MeasuredPart::range ? "range"
                                              : "thread";
  facts.thread = thread_text(session.timeline(), shown_->question.measured.query.scope.track);
  return facts;
}

void StatisticsPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Session& session = frame.session;
  const TimelineState& state = session.state();
  const Timeline& timeline = session.timeline();
  const Rect area = disk_.needed() ? draw_note_line(frame, disk_.measured_text()) : frame.area;
  StatisticsFrame shown{.theme = frame.theme,
                        .area = area,
                        .names = timeline.strings.get(),
                        .axis = timeline.axis,
                        .order = order_};
  if (shown_ && shown_->statistics != nullptr) {
    shown.statistics = shown_->statistics.get();
    shown.rows = shown_->rows;
    shown.names = shown_->names.get();
    shown.thread = thread_text(timeline, shown_->question.measured.query.scope.track);
  }
  const MeasuredPart part = measured_part(scope_, state);
  shown.scope = part == MeasuredPart::trace   ? StatisticsScope::trace
                : part == MeasuredPart::range ? StatisticsScope::range
                                              : StatisticsScope::thread;
  shown.has_range = state.range.has_value();
  shown.has_thread = selected_track(state) != kNoTrack || scope_.last_track != kNoTrack;
  shown.whole_calls = scope_.whole_calls;
  shown.working = !shown_ || !(shown_->question == Question{measured_now(frame.session), order_});
  if (block_of(timeline, state.selected) != nullptr) {
    shown.selected = slice_at(timeline, state.selected).name;
  }
  view_.draw(shown, actions);
}

Status StatisticsPanel::measure(std::string_view part, const Session& session) {
  if (part.empty()) {
    scope_.chosen.reset();
  } else if (part == "trace") {
    scope_.chosen = MeasuredPart::trace;
  } else if (part == "range") {
    if (!session.state().range) return refused("No range is selected.");
    scope_.chosen = MeasuredPart::range;
  } else {
    if (selected_track(session.state()) == kNoTrack && scope_.last_track == kNoTrack) {
      return refused("No call is selected, so there is no thread to measure.");
    }
    scope_.chosen = MeasuredPart::thread;
  }
  return ok();
}

std::string StatisticsPanel::table_to_copy(Session& session) {
  std::string text = table(session, TableText::tsv);
  message_ = fmt::format("{} rows copied", count_text(shown_->rows.size()));
  return text;
}

std::string StatisticsPanel::table(Session& session, TableText form) {
  settle(session);
  if (shown_->statistics == nullptr) return {};
  return table_text(*shown_->statistics, *shown_->names, shown_->rows, form);
}

Status StatisticsPanel::save(const CommandArguments& arguments, Session& session) {
  const Result<std::string> path =
      saving_.path_for(arguments, {.title = "Save the statistics",
                                   .file_name = session.title() + ".csv",
                                   .trace = session.path(),
                                   .what = ".statistics"});
  if (!path) return path.error();
  return path->empty() ? ok() : save_to(*path, session);
}

Status StatisticsPanel::save_to(const std::string& path, Session& session) {
  const Status written = replace_file(path, table(session, TableText::csv));
  if (!written) return written.error();
  message_ = fmt::format("{} names saved to {}", count_text(shown_->rows.size()), path);
  return ok();
}

}  // namespace cinderscope
