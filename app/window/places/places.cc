#include "app/window/places/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/places/find_place.h"
#include "app/places/place_lines.h"
#include "app/places/show_options.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/tabs.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/missing.h"
#include "app/window/sql/sql_panel.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

namespace {

bool is_ready(const auto& future) {
  return !future.valid() || future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::string base_name(const std::string& path) {
  const std::filesystem::path whole = path_of(absolute_path(path));
  return utf8_of(whole.has_filename() ? whole.filename() : whole.parent_path().filename());
}

std::future<std::optional<TraceIdentity>> ask_identity(const std::string& path) {
  return in_background([path] {
    std::optional<TraceIdentity> identity = trace_identity(path);
    Window::wake();
    return identity;
  });
}

void note_identity(const std::optional<TraceIdentity>& identity, PlacedTrace& of) {
  if (!identity) return;
  of.size_bytes = identity->size_bytes;
  of.head = identity->head.substr(0, 8);
}

}  // namespace

Status PlacesController::copy(bool as_markdown) {
  Tab& tab = *app_.tabs().shown();
  const Session& session = *tab.session;
  const ComparePage* page = app_.controllers().compare->shown();
  const Session& first = page != nullptr ? *page->session(side_a).viewed() : session;
  const Session* second = page != nullptr ? page->session(side_b).viewed() : nullptr;
  const auto is_file = [](const Session& of) {
    return of.path() != "-" && of.merged_source() == nullptr;
  };
  if (!is_file(first) || (second != nullptr && !is_file(*second))) {
    return refused(session.path() == "-"
                       ? "Standard input has no name that others could open."
                       : "Several files on one timeline have no place; save a session instead.");
  }
  const Timeline& timeline = session.timeline();
  const TimelineState& state = session.state();
  Copying copying{.place = {}, .as_markdown = as_markdown, .owner = app_.shown_owner()};
  Place& place = copying.place;
  place.trace.name = copying.file = base_name(first.path());
  place.view = TimeRange{state.view.begin_ns, state.view.end_ns()};
  place.range = state.range;
  place.slice = named_slice(timeline, state.selected);
  place.search = tab.search.typed_text();
  if (page == nullptr) place.sql = tab.panel<SqlPanel>().query_name();
  place.panel = app_.controllers().panels->word_of(*app_.tabs().page());
  if (second != nullptr) {
    place.other = PlacedTrace{.name = base_name(second->path()), .head = {}};
    place.compared = page->choice.selected;
    copying.other = ask_identity(second->path());
  }
  copying.title = place_title(timeline, state);
  copying.command = place_command(timeline, state, copying.file);
  copying.identity = ask_identity(first.path());
  copying_ = std::move(copying);
  return ok();
}

void PlacesController::take_copied() {
  if (!copying_ || !is_ready(copying_->identity) || !is_ready(copying_->other)) return;
  Copying copied = *std::exchange(copying_, std::nullopt);
  note_identity(copied.identity.get(), copied.place.trace);
  if (copied.other.valid() && copied.place.other) {
    note_identity(copied.other.get(), *copied.place.other);
  }
  const PlaceLines lines{.title = std::move(copied.title),
                         .file = std::move(copied.file),
                         .size_bytes = copied.place.trace.size_bytes,
                         .place = place_text(copied.place),
                         .command = std::move(copied.command)};
  app_.copy(copied.as_markdown ? as_markdown(lines) : as_text(lines));
  app_.say_of(copied.owner, copied.as_markdown ? "place copied as Markdown" : "place copied");
}

Status PlacesController::go_to(std::string_view text) {
  Result<Place> place = place_from(text);
  if (!place) return place.error();
  PlaceSearch search{.trace = place->trace};
  for (const auto& tab : app_.tabs().all) {
    if (!is_lane(*tab) && tab->session->path() != "-" && tab->merged_files.empty()) {
      search.open.push_back(absolute_path(tab->session->path()));
    }
  }
  for (const RecentFile& file : app_.settings().recent) search.others.push_back(file.path);
  search.others.push_back(absolute_path(place->trace.name));
  going_ = Going{.place = std::move(*place), .found = in_background([search] {
                                               std::optional<FoundPlace> found = find_place(search);
                                               Window::wake();
                                               return found;
                                             })};
  return ok();
}

Status PlacesController::paste() {
  const std::string text = app_.clipboard();
  if (text.find(kPlaceScheme) == std::string::npos) {
    return refused("There is no place on the clipboard: one begins with \"cinderscope:\".");
  }
  return go_to(text);
}

void PlacesController::take_found() {
  if (!going_ || !is_ready(going_->found)) return;
  Going going = *std::exchange(going_, std::nullopt);
  const std::optional<FoundPlace> found = going.found.get();
  ShowOptions options = show_options(going.place);
  TabsController& tabs = *app_.controllers().tabs;
  if (!found) {
    app_.controllers().shows->expect(std::move(options));
    app_.controllers().missing->ask_where(
        {.name = going.place.trace.name, .size_bytes = going.place.trace.size_bytes});
    return;
  }
  if (found->is_another) {
    options.problems.push_back(fmt::format(
        "\"{}\" is another recording than the one of this place.", going.place.trace.name));
  }
  const auto& all = app_.tabs().all;
  const auto open = std::ranges::find_if(all, [&](const auto& tab) {
    return !is_lane(*tab) && absolute_path(tab->session->path()) == found->path;
  });
  if (open == all.end()) {
    app_.controllers().shows->expect(std::move(options));
    tabs.open(found->path);
    return;
  }
  tabs.show(static_cast<std::size_t>(open - all.begin()));
  ShowsController::show(**open, std::move(options));
}

void PlacesController::poll() {
  take_copied();
  take_found();
}

namespace {

Status copy_place(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().places->copy(arguments.is("markdown"));
}

Status go_to_place(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().places->go_to(arguments.text());
}

Status paste_place(AppContext& app, const CommandArguments& /*arguments*/) {
  return app.controllers().places->paste();
}

using Needs = CommandNeeds;

constexpr Command kPlacesCommands[] = {
    {"copy-place", "[markdown]", "Ctrl+L", "Copy this place, for an issue or a colleague",
     CommandGroup::view, Needs::trace, copy_place},
    {"go-to-place", "TEXT", "", "Go to a place that was copied", CommandGroup::view, Needs::nothing,
     go_to_place},
    {"paste-place", "", "Ctrl+V", "Go to the place on the clipboard", CommandGroup::view,
     Needs::nothing, paste_place},
};

}  // namespace

std::span<const Command> place_commands() {
  return kPlacesCommands;
}

}  // namespace cinderscope
