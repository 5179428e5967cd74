// The commands that open, read and close traces.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "ingest/build/load_filter.h"
#include "ingest/model/typed_time.h"

namespace cinderscope {

namespace {

constexpr const char* kReadOnlyOnce = "Standard input can be read only once.";

Session& session_of_shown(AppContext& app) {
  return *app.tabs().shown()->session;
}

// The tab of that number, from 1; without one the shown tab.
Result<std::size_t> meant_tab(AppContext& app, const CommandArguments& arguments) {
  const TabList& tabs = app.tabs();
  if (arguments.empty()) return tabs.shown_index;
  const auto tab = static_cast<std::size_t>(arguments.number().value_or(0));
  if (tab < 1 || tab > tabs.all.size()) {
    return refused(fmt::format("There is no tab {}.", arguments.text()));
  }
  return tab - 1;
}

Status open(AppContext& app, const CommandArguments& arguments) {
  app.controllers().tabs->open(arguments.text());
  return ok();
}

Status reload(AppContext& app, const CommandArguments& /*arguments*/) {
  Session& session = session_of_shown(app);
  if (!session.can_reload()) return refused(kReadOnlyOnce);
  session.reload();
  return ok();
}

// Whatever memory and disk it takes; with columns on disk beyond `memory_limit_bytes`, if not 0.
Status load_otherwise(AppContext& app, LoadFilter part, std::uint64_t memory_limit_bytes = 0) {
  Session& session = session_of_shown(app);
  if (!session.can_reload()) return refused(kReadOnlyOnce);
  LoadOptions load = session.load_options();
  load.beyond_memory = true;
  load.memory_limit_bytes = memory_limit_bytes;
  load.keep = std::move(part);
  session.reload_with(std::move(load));
  return ok();
}

Status load_part(AppContext& app, const CommandArguments& arguments) {
  const Result<std::int64_t> from = absolute_time(arguments.text(0)),
                             to = absolute_time(arguments.text(1));
  if (!from || !to) return (from ? to : from).error();
  if (*from >= *to) return refused("load-part needs FROM before TO.");
  LoadFilter part{*from, *to, {}};
  if (!arguments.text(2).empty()) part.threads.push_back(arguments.text(2));
  return load_otherwise(app, std::move(part));
}

Status load_anyway(AppContext& app, const CommandArguments& /*arguments*/) {
  return load_otherwise(app, {});
}

// Nine tenths of what is free stay its own.
Status load_on_disk(AppContext& app, const CommandArguments& /*arguments*/) {
  const std::uint64_t free_bytes = session_of_shown(app).load_options().free_memory();
  return load_otherwise(app, {}, own_memory_bytes() + free_bytes / 10 * 9);
}

// Frames that a profile leaves out by patterns of its own.
Status dropped_frames(AppContext& app, const CommandArguments& arguments) {
  Session& session = session_of_shown(app);
  if (!session.can_reload()) return refused(kReadOnlyOnce);
  LoadOptions load = session.load_options();
  const bool shown = arguments.switched(load.dropped_frames);
  if (shown == load.dropped_frames) return ok();
  load.dropped_frames = shown;
  session.reload_with(std::move(load));
  app.say_of_shown(shown ? "frames that the profile leaves out are shown"
                         : "frames that the profile leaves out are not shown");
  return ok();
}

Status close(AppContext& app, const CommandArguments& arguments) {
  const Result<std::size_t> tab = meant_tab(app, arguments);
  if (!tab) return tab.error();
  if (!app.controllers().compare->asks_before_closing(*tab)) app.controllers().tabs->close(*tab);
  return ok();
}

Status close_others(AppContext& app, const CommandArguments& arguments) {
  const Result<std::size_t> tab = meant_tab(app, arguments);
  if (!tab) return tab.error();
  const TabList& tabs = app.tabs();
  const Tab* kept = tabs.all[*tab].get();
  // A comparison keeps its traces; those of others go with them.
  const auto stays = [&](const Tab& each) {
    return &each == kept || (kept->comparison != nullptr && kept->comparison->shows(*each.session));
  };
  for (std::size_t i = 0; i < tabs.all.size();) {
    if (stays(*tabs.all[i])) {
      ++i;
      continue;
    }
    app.controllers().tabs->close(i);
    i = 0;  // its comparisons went with it
  }
  const auto at = std::ranges::find(tabs.all, kept, &std::unique_ptr<Tab>::get);
  app.tabs().shown_index = static_cast<std::size_t>(at - tabs.all.begin());
  return ok();
}

Status copy_path(AppContext& app, const CommandArguments& arguments) {
  const Result<std::size_t> tab = meant_tab(app, arguments);
  if (!tab) return tab.error();
  app.copy(app.tabs().all[*tab]->session->path());
  app.say_of_shown("path copied");
  return ok();
}

Status cancel(AppContext& app, const CommandArguments& /*arguments*/) {
  if (!app.controllers().compare->stop_measuring()) session_of_shown(app).cancel();
  return ok();
}

Status show_tab(AppContext& app, const CommandArguments& arguments) {
  const Result<std::size_t> tab = meant_tab(app, arguments);
  if (!tab) return tab.error();
  app.controllers().tabs->show(*tab);
  return ok();
}

Status list_tabs(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().tabs->list();
  return ok();
}

Status step_tab(AppContext& app, std::size_t step) {
  const TabList& tabs = app.tabs();
  app.controllers().tabs->show((tabs.shown_index + step) % tabs.all.size());
  return ok();
}

Status next_tab(AppContext& app, const CommandArguments& /*arguments*/) {
  return step_tab(app, 1);
}

Status previous_tab(AppContext& app, const CommandArguments& /*arguments*/) {
  return step_tab(app, app.tabs().all.size() - 1);
}

using Needs = CommandNeeds;

constexpr Command kTabCommands[] = {
    {"open", "PATH", "Ctrl+O", "Open a trace", CommandGroup::file, Needs::nothing, open},
    {"reload", "", "Ctrl+R F5", "Reload, keep the view", CommandGroup::file, Needs::tab, reload},
    {"load-part", "FROM TO [THREAD]", "", "Load only a part of this trace", CommandGroup::file,
     Needs::tab, load_part},
    {"load-anyway", "", "", "Load all of this trace", CommandGroup::file, Needs::tab, load_anyway},
    {"load-on-disk", "", "", "Load all of this trace, columns on disk", CommandGroup::file,
     Needs::tab, load_on_disk},
    {"dropped-frames", "[on|off]", "", "Show frames that a profile leaves out", CommandGroup::file,
     Needs::trace, dropped_frames},
    {"close", "[N]", "Ctrl+W", "Close this trace", CommandGroup::file, Needs::tab, close},
    {"close-others", "[N]", "", "Close all other traces", CommandGroup::file, Needs::tab,
     close_others},
    {"copy-path", "[N]", "", "Copy the path of this trace", CommandGroup::file, Needs::tab,
     copy_path},
    {"cancel", "", "", "Stop loading", CommandGroup::file, Needs::loading, cancel},
    {"next-tab", "", "Ctrl+Tab", "Next trace", CommandGroup::file, Needs::tab, next_tab},
    {"previous-tab", "", "Ctrl+Shift+Tab", "Previous trace", CommandGroup::file, Needs::tab,
     previous_tab},
    {"tabs", "", "", "All tabs", CommandGroup::file, Needs::tab, list_tabs},
    {"tab", "N", "", "Go to tab N", CommandGroup::file, Needs::tab, show_tab},
};

}  // namespace

std::span<const Command> tab_commands() {
  return kTabCommands;
}

}  // namespace cinderscope
