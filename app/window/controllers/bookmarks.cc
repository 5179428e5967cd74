#include "app/window/controllers/bookmarks.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/arguments.h"
#include "app/places/place_links.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/view.h"
#include "app/window/editor_keys.h"
#include "app/window/tab.h"
#include "ingest/base/ascii.h"
#include "ingest/base/utf8.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/timeline/bookmarks.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestNoteBytes = 4096;
constexpr std::size_t kMostMarksInMenu = 20;
constexpr double kSamePlacePx = 4;

bool in_view(const Viewport& view, std::int64_t time_ns) {
  return time_ns >= view.begin_ns && time_ns <= view.end_ns();
}

// Where a new bookmark goes: what is under the pointer, else what is selected, else the middle.
std::int64_t place_of(const Timeline& timeline, const TimelineState& state) {
  const Viewport& view = state.view;
  std::optional<std::int64_t> selected_ns;
  if (block_of(timeline, state.selected) != nullptr) {
    const Slice slice = slice_at(timeline, state.selected);
    if (in_view(view, slice.begin_ns) || in_view(view, slice.end_ns())) {
      selected_ns = std::clamp(slice.begin_ns, view.begin_ns, view.end_ns());
    }
  }
  if (state.cursor_ns && in_view(view, *state.cursor_ns)) {
    const bool on_selection = selected_ns && state.hovered == state.selected;
    return on_selection ? *selected_ns : *state.cursor_ns;
  }
  if (selected_ns) return *selected_ns;
  if (state.range && in_view(view, state.range->begin_ns)) return state.range->begin_ns;
  return view.ns_from_px(static_cast<double>(view.width_px) / 2);
}

std::string title_of(const Bookmark& mark, const std::string& place) {
  if (mark.note.empty()) return place;
  const std::string note = drawable(with_labels(mark.note));
  return note.size() > 60 ? valid_utf8(note.substr(0, 56)) + "…" : note;
}

}  // namespace

void BookmarksController::add(std::string_view note) {
  leave_note(true);
  Tab& tab = *app_.tabs().shown();
  TimelineState& state = tab.session->state();
  const std::int64_t time_ns = place_of(tab.session->timeline(), state);
  const double x_px = state.view.px_from_ns(time_ns);
  const auto same_place = [&](const Bookmark& mark) {
    return std::abs(state.view.px_from_ns(mark.time_ns) - x_px) <= kSamePlacePx;
  };
  const auto old = std::ranges::find_if(state.bookmarks, same_place);
  std::size_t at = static_cast<std::size_t>(old - state.bookmarks.begin());
  const bool fresh = old == state.bookmarks.end();
  if (fresh) {
    const auto place = std::ranges::upper_bound(state.bookmarks, time_ns, {}, &Bookmark::time_ns);
    at = static_cast<std::size_t>(place - state.bookmarks.begin());
    state.bookmarks.insert(place, Bookmark{.begin_ns = state.view.begin_ns,
                                           .end_ns = state.view.end_ns(),
                                           .time_ns = time_ns,
                                           .scroll_px = state.scroll_px});
  }
  tab.shown_bookmark = {at, state.view};
  if (note.empty()) {
    write_note(at, fresh);
  } else {
    state.bookmarks[at].note = valid_utf8(note.substr(0, kLongestNoteBytes));
  }
}

std::optional<std::size_t> BookmarksController::here() const {
  const Tab& tab = *app_.tabs().shown();
  const TimelineState& state = tab.session->state();
  const Viewport view = app_.controllers().view->target();
  if (tab.shown_bookmark && tab.shown_bookmark->view == view &&
      tab.shown_bookmark->mark < state.bookmarks.size()) {
    return tab.shown_bookmark->mark;
  }
  // Else the one in the view that is nearest to the pointer, or to the middle.
  const std::int64_t middle_ns = view.ns_from_px(static_cast<double>(view.width_px) / 2);
  const double x_px = view.px_from_ns(state.cursor_ns.value_or(middle_ns));
  std::optional<std::size_t> nearest;
  double nearest_px = 0;
  for (std::size_t i = 0; i < state.bookmarks.size(); ++i) {
    if (!in_view(view, state.bookmarks[i].time_ns)) continue;
    const double distance_px = std::abs(view.px_from_ns(state.bookmarks[i].time_ns) - x_px);
    if (nearest && distance_px >= nearest_px) continue;
    nearest = i;
    nearest_px = distance_px;
  }
  return nearest;
}

Status BookmarksController::step(int direction) {
  const Tab& tab = *app_.tabs().shown();
  const TimelineState& state = tab.session->state();
  const std::vector<Bookmark>& marks = state.bookmarks;
  if (marks.empty()) {
    const std::string keys = app_.controllers().keys->map().first("bookmark");
    return refused(keys.empty() ? "There are no bookmarks."
                                : fmt::format("There are no bookmarks; {} sets one.", keys));
  }
  const Viewport view = app_.controllers().view->target();
  const bool at_one = tab.shown_bookmark && tab.shown_bookmark->view == view &&
                      tab.shown_bookmark->mark < marks.size();
  const std::int64_t middle_ns = view.ns_from_px(static_cast<double>(view.width_px) / 2);
  const auto from = at_one ? marks.begin() + static_cast<std::ptrdiff_t>(tab.shown_bookmark->mark)
                           : std::ranges::lower_bound(marks, middle_ns, {}, &Bookmark::time_ns);
  if (direction > 0) {
    const auto next = at_one ? from + 1 : from;
    if (next == marks.end()) app_.say_of_shown("first bookmark again");
    go_to(next == marks.end() ? 0 : static_cast<std::size_t>(next - marks.begin()));
  } else {
    if (from == marks.begin()) app_.say_of_shown("last bookmark again");
    go_to(from == marks.begin() ? marks.size() - 1
                                : static_cast<std::size_t>(from - marks.begin()) - 1);
  }
  return ok();
}

void BookmarksController::go_to(std::size_t mark) {
  Tab& tab = *app_.tabs().shown();
  TimelineState& state = tab.session->state();
  const Bookmark& target = state.bookmarks[mark];
  const Viewport view =
      clamped(showing(target.begin_ns, target.end_ns, state.view.width_px), tab.session->limits());
  app_.controllers().view->show(view, true, true);
  state.scroll_px = target.scroll_px;
  tab.shown_bookmark = {mark, view};
}

void BookmarksController::remove(std::size_t mark) {
  Tab& tab = *app_.tabs().shown();
  std::vector<Bookmark>& marks = tab.session->state().bookmarks;
  marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(mark));
  tab.shown_bookmark.reset();
  note_.reset();
}

void BookmarksController::write_note(std::size_t mark, bool fresh) {
  const Session& session = *app_.tabs().shown()->session;
  note_.emplace(OpenNote{
      .session = &session, .mark = mark, .editor = CodeEditor(kLongestNoteBytes), .fresh = fresh});
  EditedText& text = note_->editor.text();
  text.reset(session.state().bookmarks[mark].note);
  text.select_all();
}

CodeEditor* BookmarksController::editor() {
  return note_ && note_->drawn ? &note_->editor : nullptr;
}

bool BookmarksController::take_key(const KeyChord& chord) {
  if (editor() == nullptr) return false;
  app_.draw_again();
  if (chord.key == Key::escape || (chord.key == Key::enter && !chord.shift)) {
    leave_note(chord.key == Key::enter);
    return true;
  }
  if (take_editor_key(app_, note_->editor, chord)) return true;
  // What makes a character comes as one.
  const bool of_window = chord.ctrl || chord.alt || (chord.key >= Key::f1 && chord.key <= Key::f12);
  return !of_window;
}

// Escape takes a bookmark back that was set just now; of an older one it leaves the note as it was.
void BookmarksController::leave_note(bool keep) {
  if (!note_) return;
  const OpenNote note = *std::exchange(note_, std::nullopt);
  const std::vector<Tab*> tabs = app_.tabs().with_lanes();
  const auto of = std::ranges::find_if(
      tabs, [&](const Tab* tab) { return tab->session.get() == note.session; });
  if (of == tabs.end()) return;
  std::vector<Bookmark>& marks = (*of)->session->state().bookmarks;
  if (note.mark >= marks.size()) return;
  if (keep) {
    marks[note.mark].note = trimmed(note.editor.text().text());
  } else if (note.fresh && *of == app_.tabs().shown()) {
    remove(note.mark);
  }
}

void BookmarksController::draw_note(const Tab& tab, const Rect& area) {
  if (!note_) return;
  const TimelineState& state = tab.session->state();
  if (tab.session.get() != note_->session) return leave_note(true);
  if (note_->mark >= state.bookmarks.size()) return note_.reset();
  const Rect ruler = timeline_parts(state, app_.theme(), area).ruler;
  const double x_px = std::clamp(state.view.px_from_ns(state.bookmarks[note_->mark].time_ns), 0.0,
                                 static_cast<double>(ruler.width));
  const bool left_it =
      draw_note_field(app_.theme(), ruler, ruler.x + static_cast<float>(x_px), note_->editor);
  note_->drawn = true;
  if (left_it) {
    leave_note(true);
    app_.draw_again();
  }
}

Status BookmarksController::ask_for_menu(std::size_t mark) {
  if (mark >= app_.tabs().shown()->session->state().bookmarks.size()) {
    return refused("There is no such bookmark.");
  }
  menu_mark_ = mark;
  menu_asked_ = true;
  return ok();
}

bool BookmarksController::draw_menu(bool closes, Actions& actions) {
  if (std::exchange(menu_asked_, false)) ImGui::OpenPopup("bookmark menu");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {app_.theme().px(12), app_.theme().px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {app_.theme().px(12), app_.theme().px(7)});
  const bool open = ImGui::BeginPopup("bookmark menu");
  if (open) {
    const Tab* tab = app_.tabs().shown();
    if (tab == nullptr || menu_mark_ >= tab->session->state().bookmarks.size() || closes) {
      ImGui::CloseCurrentPopup();
    } else {
      const std::vector<Bookmark>& marks = tab->session->state().bookmarks;
      if (ImGui::MenuItem("Write a note")) write_note(menu_mark_, false);
      if (ImGui::MenuItem("Remove the bookmark")) {
        actions.push_back(RunCommand{"remove-bookmark", fmt::format("{}", menu_mark_ + 1)});
      }
      for (const PlaceLink& link : places_in(marks[menu_mark_].note)) {
        const std::string label = "Go to " + drawable(link.label) + "##" + link.place;
        if (ImGui::MenuItem(label.c_str())) {
          actions.push_back(RunCommand{"go-to-place", link.place});
        }
      }
      ImGui::Separator();
      const TimestampFormat format =
          timestamp_format(tab->session->timeline(), tab->session->state());
      for (std::size_t i = 0; i < std::min(marks.size(), kMostMarksInMenu); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const std::string place = timestamp_text(marks[i].time_ns, format);
        const std::string title = title_of(marks[i], place);
        if (ImGui::MenuItem(title.c_str(), marks[i].note.empty() ? nullptr : place.c_str())) {
          actions.push_back(RunCommand{"next-bookmark", fmt::format("{}", i + 1)});
        }
        ImGui::PopID();
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  return open;
}

namespace {

Status bookmark(AppContext& app, const CommandArguments& arguments) {
  app.controllers().bookmarks->add(arguments.text());
  return ok();
}

// The one of that number, from 1.
Result<std::size_t> meant_mark(AppContext& app, const CommandArguments& arguments) {
  const std::size_t count = app.tabs().shown()->session->state().bookmarks.size();
  const auto number = static_cast<std::size_t>(arguments.number().value_or(0));
  if (number < 1 || number > count) {
    return refused(fmt::format("There is no bookmark {}.", arguments.text()));
  }
  return number - 1;
}

Status previous_bookmark(AppContext& app, const CommandArguments& /*arguments*/) {
  BookmarksController& bookmarks = *app.controllers().bookmarks;
  bookmarks.leave_note(true);
  return bookmarks.step(-1);
}

Status next_bookmark(AppContext& app, const CommandArguments& arguments) {
  BookmarksController& bookmarks = *app.controllers().bookmarks;
  bookmarks.leave_note(true);
  if (arguments.empty()) return bookmarks.step(1);
  const Result<std::size_t> mark = meant_mark(app, arguments);
  if (!mark) return mark.error();
  bookmarks.go_to(*mark);
  return ok();
}

Status remove_bookmark(AppContext& app, const CommandArguments& arguments) {
  BookmarksController& bookmarks = *app.controllers().bookmarks;
  bookmarks.leave_note(true);
  if (arguments.empty()) {
    const auto here = bookmarks.here();
    if (!here) return refused("There is no bookmark here.");
    bookmarks.remove(*here);
    return ok();
  }
  const Result<std::size_t> mark = meant_mark(app, arguments);
  if (!mark) return mark.error();
  bookmarks.remove(*mark);
  return ok();
}

constexpr Command kBookmarksCommands[] = {
    {"bookmark", "[NOTE]", "M", "Bookmark this place", CommandGroup::view, CommandNeeds::trace,
     bookmark},
    {"previous-bookmark", "", "[", "Previous bookmark", CommandGroup::view, CommandNeeds::trace,
     previous_bookmark},
    {"next-bookmark", "[N]", "]", "Next bookmark", CommandGroup::view, CommandNeeds::trace,
     next_bookmark},
    {"remove-bookmark", "[N]", "", "Remove the bookmark here", CommandGroup::view,
     CommandNeeds::trace, remove_bookmark},
};

}  // namespace

std::span<const Command> bookmark_commands() {
  return kBookmarksCommands;
}

}  // namespace cinderscope
