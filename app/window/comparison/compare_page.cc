#include "app/window/comparison/compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/saturating.h"
#include "render/text/file_name.h"

namespace cinderscope {

namespace {

ViewportLimits ends_of(const Session& session) {
  return {session.timeline().begin_ns, session.timeline().end_ns};
}

// What the trace's own tab folds, hides, pins and marks; not what it selects.
TimelineState state_of_tab(const Session& trace) {
  TimelineState state = trace.state();
  state.scroll_px = 0;
  state.selected = {};
  state.selected_instant = {};
  state.selected_counter = {};
  state.range.reset();
  return state;
}

std::unique_ptr<Session> view_of(Session& trace, bool is_b) {
  auto view = std::make_unique<Session>(trace);
  TimelineState& state = view->state();
  const float width_px = state.view.width_px;
  state = state_of_tab(trace);
  state.view = fitted(ends_of(trace), std::max(width_px, state.view.width_px));
  state.lane = LaneState{.is_b = is_b, .with_ruler = !is_b, .limits = ends_of(trace)};
  return view;
}

}  // namespace

std::string compared_title(std::string_view a, std::string_view b) {
  const std::vector<std::string> paths = {std::string(a), std::string(b)};
  const std::vector<std::string> names = short_file_names(paths);
  return names[0] + " ↔ " + names[1];
}

ComparePage::ComparePage(Session& a, Session& b, OfSides<std::unique_ptr<Session>> own)
    : answers([] { Window::wake(); }),
      own_(std::move(own)),
      first_(view_of(a, false)),
      b_(std::make_unique<Tab>(view_of(b, true))),
      lined_([] { Window::wake(); }),
      selected_([] { Window::wake(); }),
      go_([] { Window::wake(); }) {}

ComparePage::~ComparePage() = default;

Session& ComparePage::session(Side side) {
  return *lane(side).session;
}

const Session& ComparePage::session(Side side) const {
  return *lane(side).session;
}

TimeAxis ComparePage::axis() const {
  return answers.sides() != nullptr ? answers.sides()->axis() : session(side_a).timeline().axis;
}

bool ComparePage::act_on(Side side, bool leads) {
  acting_.reset();
  if (!leads) acting_ = side;
  return leads && std::exchange(used_, side) != side;
}

bool ComparePage::shows(const Session& trace) const {
  return session(side_a).viewed() == &trace || session(side_b).viewed() == &trace;
}

void ComparePage::show_as_tabs() {
  for (const Side side : {side_a, side_b}) {
    TimelineState& state = session(side).state();
    const Viewport view = state.view;
    const auto lane = state.lane;
    state = state_of_tab(*session(side).viewed());
    state.view = view;
    state.lane = lane;
  }
}

bool ComparePage::held() const {
  return session(side_a).viewed()->held() || session(side_b).viewed()->held();
}

std::string ComparePage::title() const {
  return compared_title(session(side_a).path(), session(side_b).path());
}

void ComparePage::swap(std::unique_ptr<Tab>& first) {
  std::swap(first, b_);
  first->comparison = std::move(b_->comparison);
  first->panels = std::move(b_->panels);
  b_->panels.clear();
  a_ = first.get();
  used_ = other(used_);
  std::swap(answers.sources()[side_a], answers.sources()[side_b]);
  answers.sides_swapped();
  std::swap(line_up_.a_ns, line_up_.b_ns);
  line_up_.stretch = 1 / line_up_.stretch;
  std::swap(seen_selected_[side_a], seen_selected_[side_b]);
  for (const Side side : {side_a, side_b}) {
    LaneState& lane = *session(side).state().lane;
    lane.is_b = side == side_b;
    lane.with_ruler = side == side_a;
  }
  lined_.forget();
  selected_.forget();
  follow();
}

// Of the part that is compared.
std::int64_t ComparePage::start_ns(Side side) const {
  const Scope& part = answers.shown_runs()[side].question.query.scope;
  return std::max(part.begin_ns, session(side).timeline().begin_ns);
}

void ComparePage::keep_limits() {
  const ViewportLimits a = ends_of(session(side_a)), b = ends_of(session(side_b));
  for (const Side side : {side_a, side_b}) {
    Session& session = this->session(side);
    const ViewportLimits all =
        side == side_a ? joined(a, {line_up_.to_a(b.begin_ns), line_up_.to_a(b.end_ns)})
                       : joined(b, {line_up_.to_b(a.begin_ns), line_up_.to_b(a.end_ns)});
    ViewportLimits& limits = session.state().lane->limits;
    const bool same = limits.begin_ns == all.begin_ns && limits.end_ns == all.end_ns;
    limits = all;
    if (!same && session.shows_whole()) {
      session.state().view = fitted(limits, session.state().view.width_px);
    }
  }
}

void ComparePage::follow() {
  if (lines_up_by_itself_) {
    line_up_.a_ns = start_ns(side_a);
    line_up_.b_ns = start_ns(side_b);
  }
  keep_limits();
  TimelineState &leader = session(used_).state(), &led = session(other(used_)).state();
  const bool a_leads = used_ == side_a;
  led.view = a_leads ? line_up_.view_of_b(leader.view) : line_up_.view_of_a(leader.view);
  if (!session(used_).shows_whole()) session(other(used_)).view_was_moved();
  const auto to_led = [&](std::int64_t time_ns) {
    return a_leads ? line_up_.to_b(time_ns) : line_up_.to_a(time_ns);
  };
  led.range.reset();
  if (leader.range) led.range = {to_led(leader.range->begin_ns), to_led(leader.range->end_ns)};
  led.gutter_px = leader.gutter_px;
  led.filter = leader.filter;
  follow_rows();
  note_lanes();
  note_lonely_threads();
  TimelineState &a = session(side_a).state(), &b = session(side_b).state();
  // A second one where times differ; the only one where A has no timeline.
  b.lane->with_ruler = line_up_.stretch != 1 || answers.numbers_only(side_a);
  a.lane->zero_ns = line_up_.a_ns;
  b.lane->zero_ns = line_up_.b_ns;
  a.lane->cursor_ns.reset();
  b.lane->cursor_ns.reset();
  if (a.cursor_ns) b.lane->cursor_ns = line_up_.to_b(*a.cursor_ns);
  if (b.cursor_ns) a.lane->cursor_ns = line_up_.to_a(*b.cursor_ns);
}

// What the lanes say and outline.
void ComparePage::note_lanes() {
  const auto name = selected_name();
  for (const Side side : {side_a, side_b}) {
    LaneState& lane = *session(side).state().lane;
    lane.note = session(side).title();
    const std::size_t runs = answers.sources()[side].runs.size();
    if (runs > 1) lane.note += fmt::format(", run 1 of {}", runs);
    const auto key = std::pair(answers.names_version(), name);
    if (outlined_for_[side] == key) continue;
    outlined_for_[side] = key;
    lane.outlined.clear();
    if (name) lane.outlined = strings_of(side, *name);
    std::ranges::sort(lane.outlined);
  }
}

// Once for each answer: there may be a million threads.
void ComparePage::note_lonely_threads() {
  if (alone_version_ == answers.version()) return;
  alone_version_ = answers.version();
  for (const Side side : {side_a, side_b}) {
    IndexSet& alone = session(side).state().lane->alone;
    alone.clear();
    for (const ThreadPair& pair : answers.thread_pairs()) {
      const auto here = side == side_a ? pair.a : pair.b, there = side == side_a ? pair.b : pair.a;
      if (!here || there) continue;
      const TrackId track = answers.shown_runs()[side].measured->threads[*here].track;
      if (track != kNoTrack) alone.insert(index(track));
    }
  }
}

// Both lanes show the same threads at their upper edges, as far as both have them.
void ComparePage::follow_rows() {
  TimelineState &leader = session(used_).state(), &led = session(other(used_)).state();
  const bool settling = lane(side_a).revealed || lane(side_b).revealed;
  if (!settling && leader.scroll_px != seen_scroll_px_[used_]) {
    TimelineView::TrackPlace place = lane(used_).timeline_view.first_track(leader.scroll_px);
    place.track = partner_of(used_, place.track);
    if (place.track != kNoTrack) {
      led.scroll_px = lane(other(used_)).timeline_view.scroll_to(place).value_or(led.scroll_px);
    }
  }
  for (const Side side : {side_a, side_b}) seen_scroll_px_[side] = session(side).state().scroll_px;
}

bool ComparePage::busy() const {
  return answers.busy() || lined_.busy() || selected_.busy() || go_.busy();
}

bool ComparePage::poll() {
  bool news = false;
  for (const auto& own : own_) news |= own && own->poll();
  news |= answers.poll({&session(side_a), &session(side_b)});
  // A call that was selected on one lane has its name selected, and its partner.
  for (const Side side : {side_a, side_b}) {
    const Session& session = this->session(side);
    const SliceRef& slice = session.state().selected;
    if (slice == seen_selected_[side]) continue;
    seen_selected_[side] = slice;
    news = true;
    if (!slice || block_of(session.timeline(), slice) == nullptr) continue;
    partner_due_ = side;
    const auto name = compared_name_of(side, slice_at(session.timeline(), slice).name);
    if (name) choice.selected = answers.sides()->names.names[*name].text;
  }
  news |= lined_.poll();
  news |= selected_.poll();
  if (line_up_.how == LineUpHow::call || wanted_k_) {
    ask_pairs(lined_, line_up_.name);
    if (wanted_k_ && lined_.is_whole() && lined_.answer() != nullptr) line_up_known_call();
  }
  const bool same =
      (line_up_.how == LineUpHow::call || wanted_k_) && line_up_.name == choice.selected;
  if (!same && !choice.selected.empty()) ask_pairs(selected_, choice.selected);
  if (partner_due_) select_partner();
  if (go_.poll() && go_.answer() != nullptr) {
    show_found();
    news = true;
  }
  return news;
}

}  // namespace cinderscope
