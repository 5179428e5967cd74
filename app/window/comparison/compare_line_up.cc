// How a comparison lines its lanes up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "ingest/base/saturating.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr double kZeroShare = 0.1;            // of the width: where a call that lines up stands
constexpr double kBefore = 0.9, kBehind = 9;  // around it, in its own lengths
constexpr double kThinnestPx = 3;
constexpr double kHeldWithinPx = 60;  // of where a lane is held: the edge that snaps
constexpr std::int64_t kYear1990Ns = 631'152'000'000'000'000;

bool tells_time_of_day(const Session& session) {
  return session.timeline().axis == TimeAxis::nanoseconds &&
         session.timeline().begin_ns > kYear1990Ns;
}

}  // namespace

void ComparePage::set_line_up(LineUp line_up) {
  lines_up_by_itself_ = line_up.how == LineUpHow::starts;
  wanted_k_.reset();
  line_up_ = std::move(line_up);
  follow();
}

Status ComparePage::line_up_starts() {
  set_line_up(
      {.how = LineUpHow::starts, .name = {}, .a_ns = start_ns(side_a), .b_ns = start_ns(side_b)});
  return ok();
}

Status ComparePage::line_up_clock() {
  const Timeline &a = session(side_a).timeline(), &b = session(side_b).timeline();
  const bool overlap = a.begin_ns < b.end_ns && b.begin_ns < a.end_ns;
  const bool of_day = tells_time_of_day(session(side_a)) && tells_time_of_day(session(side_b));
  if (a.axis != b.axis) return refused("One side counts time, the other events.");
  if (!overlap && !of_day) {
    return refused(
        "The two clocks have nothing in common: they neither tell the time of day nor "
        "overlap.");
  }
  const std::int64_t zero_ns = std::min(a.begin_ns, b.begin_ns);
  set_line_up({.how = LineUpHow::clock, .name = {}, .a_ns = zero_ns, .b_ns = zero_ns});
  return ok();
}

Status ComparePage::line_up_mark(std::string_view note) {
  OfSides<const Bookmark*> found{};
  for (const Side side : {side_a, side_b}) {
    for (const Bookmark& mark : session(side).state().bookmarks) {
      if (mark.note == note && found[side] == nullptr) found[side] = &mark;
    }
  }
  if (found[side_a] == nullptr || found[side_b] == nullptr) {
    return refused(fmt::format("There is no bookmark \"{}\" on both sides.", note));
  }
  set_line_up({.how = LineUpHow::mark,
               .name = std::string(note),
               .a_ns = found[side_a]->time_ns,
               .b_ns = found[side_b]->time_ns});
  return ok();
}

Status ComparePage::line_up_call(std::string_view name, std::uint64_t k) {
  if (answers.sides() == nullptr) return refused("The traces are still being compared.");
  const std::optional<std::uint32_t> compared = find_name(*answers.sides(), name);
  if (!compared) return refused(fmt::format("Neither side has calls of \"{}\".", name));
  const ComparedName& found = answers.sides()->names.names[*compared];
  if (!found.in_both()) {
    return refused(fmt::format("Only {} has calls of \"{}\".", found.in(side_a) ? "A" : "B", name));
  }
  wanted_k_ = std::max<std::uint64_t>(k, 1);
  line_up_.name = found.text;
  choice.selected = found.text;
  return ok();
}

void ComparePage::line_up_known_call() {
  const std::uint64_t k = *std::exchange(wanted_k_, std::nullopt);
  const PairedCalls& calls = **lined_.answer();
  if (k > calls.pairs.size()) {
    message_ = fmt::format("there are {} pairs of calls of {}", count_text(calls.pairs.size()),
                           line_up_.name);
    return;
  }
  const CallPair& pair = calls.pairs[k - 1];
  const bool keeps_place = line_up_.how == LineUpHow::call;
  LineUp now = line_up_;
  now.how = LineUpHow::call;
  now.k = k;
  // Where the zero stands on screen before it is another one.
  const std::int64_t old_zero_ns = line_up_.a_ns;
  now.a_ns = pair.a.begin_ns;
  now.b_ns = pair.b.begin_ns;
  const Viewport before = session(side_a).state().view;
  set_line_up(std::move(now));
  const std::int64_t length_ns = saturating_difference(pair.a.end_ns, pair.a.begin_ns);
  const double zero_px = before.px_from_ns(old_zero_ns);
  const bool stays = keeps_place && zero_px >= 0 && zero_px < static_cast<double>(before.width_px);
  session(used_).view_was_moved();
  TimelineState& a = session(side_a).state();
  const auto width_px = static_cast<double>(a.view.width_px);
  if (static_cast<double>(length_ns) / a.view.ns_per_px < kThinnestPx && !stays) {
    const auto length = static_cast<double>(std::max<std::int64_t>(length_ns, 1));
    const auto by = [&](double share) {
      return static_cast<std::int64_t>(std::min(length * share, 4e18));
    };
    a.view = showing(saturating_difference(pair.a.begin_ns, by(kBefore)),
                     saturating_sum(pair.a.begin_ns, by(kBehind)), a.view.width_px);
  } else {
    const double wanted_px = stays ? zero_px : width_px * kZeroShare;
    a.view = panned(a.view, a.view.px_from_ns(pair.a.begin_ns) - wanted_px);
  }
  a.view = clamped(a.view, a.lane->limits);
  const OfSides<SliceRef> slices = {pair.a.slice, pair.b.slice};
  for (const Side side : {side_a, side_b}) {
    TimelineState& state = session(side).state();
    state.selected = slices[side];
    state.selected_instant = {};
    state.selected_counter = {};
    seen_selected_[side] = slices[side];
    lane(side).revealed = slices[side];
  }
  partner_due_.reset();
  const Side was = std::exchange(used_, side_a);
  follow();
  used_ = was;
}

void ComparePage::line_up_hand(std::int64_t shift_ns) {
  LineUp now = line_up_;
  now.how = LineUpHow::hand;
  now.name.clear();
  now.stretch = 1;
  now.b_ns = saturating_sum(now.a_ns, shift_ns);
  const double stretch = line_up_.stretch;
  set_line_up(std::move(now));
  if (stretch != 1) follow();
}

void ComparePage::line_up_hand(std::int64_t a_ns, std::int64_t b_ns) {
  LineUp now = line_up_;
  now.a_ns = a_ns;
  set_line_up(std::move(now));
  line_up_hand(saturating_difference(b_ns, a_ns));
}

std::optional<std::int64_t> ComparePage::edge_near(Side side, double x_px, double reach_px) const {
  return lane(side).timeline_view.edge_near(session(side).timeline(), session(side).state().view,
                                            x_px, reach_px);
}

void ComparePage::drag_used_lane(const ShiftLane& drag) {
  const Side moved = used_, still = other(moved);
  if (drag.begins) {
    lane_drag_ = {line_up_.shift_ns(), edge_near(moved, drag.at_px, kHeldWithinPx)};
    // A view of everything would be fitted anew with each step.
    for (const Side side : {side_a, side_b}) session(side).view_was_moved();
  }
  constexpr double kFarNs = 4e18;
  const double by_ns = drag.by_px * session(side_a).state().view.ns_per_px;
  const auto whole_ns = static_cast<std::int64_t>(std::clamp(by_ns, -kFarNs, kFarNs));
  const bool is_b = moved == side_b;
  std::int64_t shift_ns = is_b ? saturating_difference(lane_drag_.shift_ns, whole_ns)
                               : saturating_sum(lane_drag_.shift_ns, whole_ns);
  if (drag.snap_px > 0 && lane_drag_.edge_ns) {
    const std::int64_t edge_ns = *lane_drag_.edge_ns;
    const std::int64_t below_ns =
        is_b ? saturating_difference(edge_ns, shift_ns) : saturating_sum(edge_ns, shift_ns);
    const double x_px = session(still).state().view.px_from_ns(below_ns);
    if (const auto meets_ns = edge_near(still, x_px, drag.snap_px)) {
      shift_ns = is_b ? saturating_difference(edge_ns, *meets_ns)
                      : saturating_difference(*meets_ns, edge_ns);
    }
  }
  // The lane under the pointer moves, the other stays where it is: that one leads meanwhile.
  used_ = still;
  line_up_hand(shift_ns);
  used_ = moved;
}

Status ComparePage::step_pair(int by) {
  if (line_up_.how != LineUpHow::call || lined_.answer() == nullptr) {
    return refused("The lanes do not line up on the calls of a name.");
  }
  const auto count = (*lined_.answer())->pairs.size();
  const std::uint64_t k = line_up_.k;
  if (by < 0 ? k <= 1 : k >= count) {
    return refused(by < 0 ? "This is the first pair." : "This is the last pair.");
  }
  wanted_k_ = by < 0 ? k - 1 : k + 1;
  return ok();
}

void ComparePage::set_pair_by(std::string_view key) {
  pair_by_ = key;
  if (line_up_.how == LineUpHow::call) wanted_k_ = 1;  // other pairs have other numbers
}

void ComparePage::set_stretch(bool on) {
  LineUp now = line_up_;
  now.stretch = 1;
  const PairedCalls* calls =
      on && now.how == LineUpHow::call && lined_.answer() ? lined_.answer()->get() : nullptr;
  if (calls != nullptr && now.k >= 1 && now.k <= calls->pairs.size()) {
    const CallPair& pair = calls->pairs[now.k - 1];
    const std::int64_t a_ns = pair.a.end_ns - pair.a.begin_ns,
                       b_ns = pair.b.end_ns - pair.b.begin_ns;
    if (a_ns > 0 && b_ns > 0) now.stretch = static_cast<double>(a_ns) / static_cast<double>(b_ns);
  }
  set_line_up(std::move(now));
}

std::string ComparePage::line_up_text() const {
  switch (line_up_.how) {
    case LineUpHow::call:
      return fmt::format("{} {}", line_up_.name.empty() ? "(no name)" : line_up_.name,
                         count_text(line_up_.k));
    case LineUpHow::mark:
      return fmt::format("bookmark {}", line_up_.name);
    case LineUpHow::hand:
    case LineUpHow::starts:
    case LineUpHow::clock:
      break;
  }
  return std::string(word_of(line_up_.how));
}

std::string ComparePage::pairs_warning() const {
  if (line_up_.how != LineUpHow::call || lined_.answer() == nullptr) return {};
  const PairedCalls& calls = **lined_.answer();
  if (calls.left_out) {
    return fmt::format("Only {} calls of each side can line up.",
                       count_text(pair_by_.empty() ? kMostLinedCalls : kMostReadCalls));
  }
  if (!pair_by_.empty()) {
    const std::uint64_t paired = calls.pairs.size();
    if (calls.count[side_a] == paired && calls.count[side_b] == paired) return {};
    return fmt::format("{} of {} and {} calls have a partner with the same {}", count_text(paired),
                       count_text(calls.count[side_a]), count_text(calls.count[side_b]), pair_by_);
  }
  if (calls.count[side_a] == calls.count[side_b]) return {};
  return fmt::format("{} and {} calls: pairs may slip", count_text(calls.count[side_a]),
                     count_text(calls.count[side_b]));
}

Status ComparePage::go_to_call(std::optional<Side> only, std::uint32_t name, NamedCall which) {
  const ComparedSides& sides = *answers.sides();
  OfSides<std::optional<std::int64_t>> durations;
  for (const Side side : {side_a, side_b}) {
    if (only && *only != side) continue;
    for (const ComparedRun& run : sides.runs[side]) {
      const bool is_shown = run.run == answers.shown_runs()[side].measured;
      if (!is_shown || run.numbers[name].count == 0) continue;
      const NameStatistics& numbers = run.numbers[name];
      durations[side] = which == NamedCall::longest  ? numbers.max_ns
                        : which == NamedCall::p99    ? numbers.p99_ns
                        : which == NamedCall::median ? numbers.median_ns
                                                     : numbers.min_ns;
    }
  }
  if (!durations[side_a] && !durations[side_b]) {
    return refused("The shown run has no such call.");
  }
  go_.ask({++goes_}, [durations, runs = answers.shown_runs(),
                      names = OfSides<std::vector<StringId>>{strings_of(side_a, name),
                                                             strings_of(side_b, name)}](
                         const BackgroundQuestion<OfSides<std::optional<LinedCall>>>& asked) {
    OfSides<std::optional<LinedCall>> found;
    for (const Side side : {side_a, side_b}) {
      if (!durations[side]) continue;
      found[side] = call_of_duration(*runs[side].slices, names[side], *durations[side],
                                     runs[side].question.query.scope, asked.cancelled);
    }
    return found;
  });
  return ok();
}

void ComparePage::show_found() {
  const OfSides<std::optional<LinedCall>>& found = *go_.answer();
  if (!found[side_a] && !found[side_b]) {
    message_ = "the call was not found; it may have been cut at the edge of the range";
    return;
  }
  const bool both = found[side_a] && found[side_b];
  if (both) {
    LineUp now{.how = LineUpHow::hand, .name = {}};
    now.a_ns = found[side_a]->begin_ns;
    now.b_ns = found[side_b]->begin_ns;
    set_line_up(std::move(now));
  }
  const Side side = found[side_a] ? side_a : side_b;
  used_ = side;
  std::int64_t length_ns = 0;
  for (const Side each : {side_a, side_b}) {
    if (!found[each]) continue;
    length_ns =
        std::max(length_ns, saturating_difference(found[each]->end_ns, found[each]->begin_ns));
    TimelineState& state = session(each).state();
    state.selected = found[each]->slice;
    state.selected_instant = {};
    state.selected_counter = {};
    seen_selected_[each] = state.selected;
    lane(each).revealed = state.selected;
  }
  TimelineState& state = session(side).state();
  session(side).view_was_moved();
  const std::int64_t begin_ns = found[side]->begin_ns;
  state.view = clamped(around(begin_ns, saturating_sum(begin_ns, length_ns), state.view.width_px),
                       state.lane->limits);
  partner_due_.reset();
  follow();
}

}  // namespace cinderscope
