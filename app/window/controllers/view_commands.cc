// The commands that move the view and the selection.
#include "app/commands/arguments.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/view.h"
#include "app/window/tab.h"
#include "render/text/details_text.h"
#include "render/text/time_text.h"
#include "render/views/panels/details.h"

namespace cinderscope {

namespace {

Session& shown_session(AppContext& app) {
  return *app.tabs().shown()->session;
}

ViewController& view_of(AppContext& app) {
  return *app.controllers().view;
}

Result<TimeRange> range_from(AppContext& app, const CommandArguments& arguments) {
  const Result<TypedTime> begin = typed_time(arguments.text(0)),
                          end = typed_time(arguments.text(1));
  if (!begin || !end) return (begin ? end : begin).error();
  const Result<TypedRange> range = range_in(view_of(app).times(true), *begin, *end);
  if (range) return TimeRange{range->begin_ns, range->end_ns};
  return range.error();
}

Status fit(AppContext& app, const CommandArguments& /*arguments*/) {
  const Session& session = shown_session(app);
  view_of(app).show(fitted(session.limits(), session.state().view.width_px), true, true);
  return ok();
}

Status zoom_selection(AppContext& app, const CommandArguments& /*arguments*/) {
  const Session& session = shown_session(app);
  const TimelineState& state = session.state();
  if (state.range && !state.selected) {
    view_of(app).zoom_to(state.range->begin_ns, state.range->end_ns);
  } else if (block_of(session.timeline(), state.selected) != nullptr) {
    const Slice slice = slice_at(session.timeline(), state.selected);
    view_of(app).zoom_to_call(slice.begin_ns, slice.end_ns());
  }
  return ok();
}

Status zoom_range(AppContext& app, const CommandArguments& /*arguments*/) {
  const std::optional<TimeRange>& range = shown_session(app).state().range;
  if (!range) return refused("No range is selected.");
  view_of(app).zoom_to(range->begin_ns, range->end_ns);
  return ok();
}

Status zoom_to(AppContext& app, const CommandArguments& arguments) {
  const Result<TimeRange> range = range_from(app, arguments);
  if (!range) return range.error();
  view_of(app).zoom_to(range->begin_ns, range->end_ns);
  return ok();
}

Status zoom(AppContext& app, double factor) {
  const Viewport& view = shown_session(app).state().view;
  view_of(app).show(zoomed(view, factor, static_cast<double>(view.width_px) / 2), true, false);
  return ok();
}

Status zoom_in(AppContext& app, const CommandArguments& /*arguments*/) {
  return zoom(app, 0.5);
}

Status zoom_out(AppContext& app, const CommandArguments& /*arguments*/) {
  return zoom(app, 2);
}

Status pan(AppContext& app, double part) {
  const Viewport& view = shown_session(app).state().view;
  view_of(app).show(panned(view, part * static_cast<double>(view.width_px)), true, false);
  return ok();
}

Status pan_left(AppContext& app, const CommandArguments& /*arguments*/) {
  return pan(app, -0.25);
}

Status pan_right(AppContext& app, const CommandArguments& /*arguments*/) {
  return pan(app, 0.25);
}

Status back(AppContext& app, const CommandArguments& /*arguments*/) {
  Session& session = shown_session(app);
  const TimelineState& state = session.state();
  const auto target = session.history().back({state.view, state.scroll_px});
  if (target) view_of(app).visit(*target);
  return ok();
}

Status forward(AppContext& app, const CommandArguments& /*arguments*/) {
  Session& session = shown_session(app);
  const TimelineState& state = session.state();
  const auto target = session.history().forward({state.view, state.scroll_px});
  if (target) view_of(app).visit(*target);
  return ok();
}

Status go_to(AppContext& app, const CommandArguments& arguments) {
  return view_of(app).go_to_thread(arguments.text());
}

Status go_to_time(AppContext& app, const CommandArguments& arguments) {
  const Result<TypedTime> typed = typed_time(arguments.text());
  if (!typed) return typed.error();
  const Result<std::int64_t> time_ns = time_in(view_of(app).times(false), *typed);
  if (!time_ns) return time_ns.error();
  view_of(app).go_to_time(*time_ns);
  return ok();
}

Status page(AppContext& app, int direction) {
  Tab& tab = *app.tabs().shown();
  TimelineState& state = tab.session->state();
  const double wanted_px = state.scroll_px + direction * tab.timeline_view.page_px();
  state.scroll_px = std::max(0.0, wanted_px);  // the timeline limits it when it is drawn
  return ok();
}

Status page_up(AppContext& app, const CommandArguments& /*arguments*/) {
  return page(app, -1);
}

Status page_down(AppContext& app, const CommandArguments& /*arguments*/) {
  return page(app, 1);
}

template <SelectionStep kStep>
Status select(AppContext& app, const CommandArguments& /*arguments*/) {
  view_of(app).move_selection(kStep);
  return ok();
}

Status select_range(AppContext& app, const CommandArguments& arguments) {
  std::optional<TimeRange>& selected = shown_session(app).state().range;
  if (arguments.empty()) {
    selected.reset();
    return ok();
  }
  const Result<TimeRange> range = range_from(app, arguments);
  if (!range) return range.error();
  selected = *range;
  return ok();
}

// One thing at a time: what is under way, the search, then what was chosen, the last of it first;
// at last what is measured, which may have taken long.
Status clear(AppContext& app, const CommandArguments& /*arguments*/) {
  CompareController& compare = *app.controllers().compare;
  if (compare.stop_asking()) return ok();
  Tab* tab = app.tabs().shown();
  if (tab == nullptr) {
    compare.stop_measuring();
    return ok();
  }
  TimelineState& state = tab->session->state();
  if (tab->timeline_view.cancel_drag(state)) return ok();
  Panel* panel = app.controllers().panels->visible(*app.tabs().page());
  if (panel != nullptr && panel->step_back()) return ok();
  if (app.controllers().search->clear()) return ok();
  if (state.selected || state.selected_instant || state.selected_counter) {
    state.selected = {};
    state.selected_instant = {};
    state.selected_counter = {};
  } else if (!state.selected_tracks.empty()) {
    state.selected_tracks.clear();
    state.selection_anchor.reset();
  } else if (state.range) {
    state.range.reset();
  } else {
    compare.stop_measuring();
  }
  return ok();
}

Status copy_name(AppContext& app, const CommandArguments& /*arguments*/) {
  const Session& session = shown_session(app);
  const TimelineState& state = session.state();
  StringId name = kEmptyString;
  if (const auto* instants = instants_of(session.timeline(), state.selected_instant)) {
    name = instants->name(state.selected_instant.instant);
  } else if (block_of(session.timeline(), state.selected) != nullptr) {
    name = slice_at(session.timeline(), state.selected).name;
  } else if (state.selected_counter) {
    name = session.timeline().tracks[index(state.selected_counter.track)].name;
  } else {
    return refused("The selected call is being read again.");
  }
  app.copy(std::string(display_name(session.timeline(), name)));
  app.say_of_shown("name copied");
  return ok();
}

Status copy_details(AppContext& app, const CommandArguments& /*arguments*/) {
  const Session& session = shown_session(app);
  app.copy(details_text(session.timeline(), session.state(), session.source()));
  app.say_of_shown("details copied");
  return ok();
}

Status time_unit(AppContext& app, const CommandArguments& arguments) {
  bool& in_ns = shown_session(app).state().ruler_in_ns;
  in_ns = arguments.switched(in_ns, "ns");
  return ok();
}

// Without an argument the next kind that this trace has. Other traces show the same kind where they
// can.
Status time_shown(AppContext& app, const CommandArguments& arguments) {
  const Session& session = shown_session(app);
  TimeShown shown = TimeShown::time_of_day;
  if (arguments.empty()) shown = next_shown(session.timeline(), session.state().time_shown);
  if (arguments.is("start")) shown = TimeShown::from_start;
  if (arguments.is("clock")) shown = TimeShown::clock;
  if (std::string problem = why_not_shown(session.timeline(), shown); !problem.empty()) {
    return refused(std::move(problem));
  }
  app.settings().time_shown = shown;
  app.settings_changed();
  app.say_of_shown("times are shown " +
                   shown_text(timestamp_format(session.timeline(), session.state())));
  return ok();
}

constexpr auto kView = CommandGroup::view;
constexpr auto kSelection = CommandGroup::selection;
using Needs = CommandNeeds;

constexpr Command kViewCommands[] = {
    {"fit", "", "0 Home", "Whole trace", kView, Needs::trace, fit},
    {"zoom-selection", "", "F Z", "Zoom to the selection", kView, Needs::trace, zoom_selection},
    {"zoom-range", "", "", "Zoom to the selected range", kView, Needs::trace, zoom_range},
    {"zoom-to", "BEGIN END", "", "Show a range of time", kView, Needs::trace, zoom_to},
    {"zoom-in", "", "W", "Zoom in", kView, Needs::trace, zoom_in, {.zoom = -1}},
    {"zoom-out", "", "S", "Zoom out", kView, Needs::trace, zoom_out, {.zoom = 1}},
    {"pan-left", "", "A", "Pan to earlier times", kView, Needs::trace, pan_left, {.pan = -1}},
    {"pan-right", "", "D", "Pan to later times", kView, Needs::trace, pan_right, {.pan = 1}},
    {"back", "", "Alt+Left", "Previous view", kView, Needs::trace, back},
    {"forward", "", "Alt+Right", "Next view", kView, Needs::trace, forward},
    {"page-up", "", "PageUp", "Scroll a page up", kView, Needs::trace, page_up},
    {"page-down", "", "PageDown", "Scroll a page down", kView, Needs::trace, page_down},
    {"go-to", "THREAD", "", "Go to a thread", kView, Needs::trace, go_to},
    {"go-to-time", "TIME", "G", "Go to a time", kView, Needs::trace, go_to_time},

    {"select-parent", "", "Up", "Select the caller", kSelection, Needs::trace,
     select<SelectionStep::parent>},
    {"select-child", "", "Down", "Select the first call inside", kSelection, Needs::trace,
     select<SelectionStep::child>},
    {"select-previous", "", "Left", "Select the call before", kSelection, Needs::trace,
     select<SelectionStep::previous>},
    {"select-next", "", "Right", "Select the call after", kSelection, Needs::trace,
     select<SelectionStep::next>},
    {"select-range", "[BEGIN END]", "", "Select a range of time, or none", kSelection, Needs::trace,
     select_range},
    {"clear", "", "Escape", "Clear the selection", kSelection, Needs::nothing, clear},
    {"copy-name", "", "Ctrl+C", "Copy the selected name", kSelection, Needs::selection, copy_name},
    {"copy-details", "", "Ctrl+Shift+C", "Copy all details", kSelection, Needs::selection,
     copy_details},

    {"time-unit", "[auto|ns]", "", "Unit of time on the ruler", CommandGroup::window, Needs::trace,
     time_unit},
    {"time-shown", "[start|clock|day]", "",
     "Time from the start, of the file's clock, or of the day", CommandGroup::window, Needs::trace,
     time_shown},
};

}  // namespace

std::span<const Command> view_commands() {
  return kViewCommands;
}

}  // namespace cinderscope
