#include "app/window/controllers/symbols.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/output/symbol_text.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/store.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/path_text.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/symbols.h"

namespace cinderscope {

Status SymbolsController::take(const std::string& path) {
  Session& session = *app_.tabs().shown()->session;
  if (session.phase() != SessionPhase::ready) return refused("The trace is still being read.");
  // From the root on: it is remembered, and another window may be elsewhere.
  SymbolOptions names{path.empty() ? path : absolute_path(path),
                      app_.settings().colours_by_package};
  if (!session.rename(std::move(names))) {
    return refused("This trace has its names in itself, not in a file of their own.");
  }
  app_.draw_again();  // work_text() tells it until they are there
  return ok();
}

bool SymbolsController::take_dropped(const std::vector<std::string>& paths) {
  const Tab* tab = app_.tabs().shown();
  if (paths.size() != 1 || tab == nullptr) return false;
  const std::filesystem::path path = path_of(paths.front());
  const TraceSource* source = tab->session->source();
  const Symbols* symbols = source == nullptr ? nullptr : source->symbols();
  if (symbols == nullptr || path.extension() != path_of(symbols->file_ending())) return false;
  if (const Status taken = take(utf8_of(path)); !taken) app_.say_of_shown(taken.error().text);
  return true;
}

void SymbolsController::poll() {
  for (const auto& tab : app_.tabs().all) {
    take_looked_up(*tab);
    tell(*tab);
  }
}

Status SymbolsController::look_up() {
  Tab& tab = *app_.tabs().shown();
  const Session& session = *tab.session;
  if (session.phase() != SessionPhase::ready) return refused("The trace is still being read.");
  if (session.source()->native_symbols() == nullptr) {
    return refused("This trace knows no native functions by address.");
  }
  if (!session.source()->native_symbols()->can_read()) {
    return refused("This program was built without libdw, which reads the symbols.");
  }
  tab.symbols = std::make_unique<SymbolLookUp>(session.shared_source(), session.names(),
                                               [] { Window::wake(); });
  app_.draw_again();
  return ok();
}

Status SymbolsController::cancel_look_up() {
  Tab& tab = *app_.tabs().shown();
  if (!tab.symbols) return refused("No names are being looked up.");
  tab.symbols->cancel();
  return ok();
}

void SymbolsController::take_looked_up(Tab& tab) {
  auto result = tab.symbols ? tab.symbols->take_result() : std::nullopt;
  if (!result) return;
  tab.symbols.reset();
  constexpr std::chrono::seconds kTime{8};
  if (!*result) {
    const bool cancelled = result->error().code == ErrorCode::cancelled;
    return app_.say_of(tab, cancelled ? "looking up names was cancelled" : result->error().text,
                       kTime);
  }
  std::string said = symbol_summary(**result);
  if ((*result)->written.empty() && !(*result)->modules.empty()) {
    said += " " + symbol_lines(**result).front();
  }
  app_.say_of(tab, std::move(said), kTime);
  if ((*result)->written.empty()) return;
  // They lie beside the trace now, with what any other file of names held.
  tab.session->rename({.colours_by_package = app_.settings().colours_by_package});
}

// What went wrong; names that were taken show.
void SymbolsController::tell(Tab& tab) {
  const std::optional<Status> result = tab.session->take_rename_result();
  if (!result) return;
  if (*result) {
    // The files lie as they did.
    if (tab.told_merge != 0) tab.told_merge = tab.session->generation();
    keep_mapping(tab);
    return;
  }
  const Error& error = result->error();
  app_.say_of(tab, error.expected.empty() ? error.text : error.text + " " + error.expected);
}

// A file with names that was given holds for the other traces of the same folder, too, when they
// are opened next.
void SymbolsController::keep_mapping(Tab& tab) {
  TabViewState& saved = tab.saved;
  const Session& session = *tab.session;
  const TraceSource* source = session.source();
  if (!saved.settled || !tab.merged_files.empty()) return;
  if (source == nullptr || source->symbols() == nullptr || session.renaming()) return;
  const std::string& path = session.names().mapping_path;
  const std::string now = path.empty() ? path : absolute_path(path);
  if (now == saved.folder_mapping) return;
  saved.folder_mapping = now;
  app_.controllers().store->remember_mapping(saved.path, now);
}

void SymbolsController::colour_by_package(bool by_package) {
  app_.settings().colours_by_package = by_package;
  app_.settings_changed();
  for (const auto& tab : app_.tabs().all) {
    if (is_lane(*tab)) continue;
    SymbolOptions names = tab->session->names();
    names.colours_by_package = by_package;
    Session& session = *tab->session;
    if (session.rename(std::move(names)) || !session.can_reload()) continue;
    const bool has_groups = session.source() && session.source()->has_group_colours();
    if (has_groups) session.reload_with(session.load_options());
  }
  app_.say(by_package ? "functions are coloured by package or category"
                      : "functions are coloured by name");
}

namespace {

Status names(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().symbols->take(arguments.text());
}

Status colour_by(AppContext& app, const CommandArguments& arguments) {
  const bool by_package = app.settings().colours_by_package;
  app.controllers().symbols->colour_by_package(arguments.switched(by_package, "package"));
  return ok();
}

Status symbols(AppContext& app, const CommandArguments& arguments) {
  SymbolsController& symbols = *app.controllers().symbols;
  return arguments.is("cancel") ? symbols.cancel_look_up() : symbols.look_up();
}

constexpr Command kSymbolsCommands[] = {
    {"symbols", "[cancel]", "", "Look up names of native functions", CommandGroup::file,
     CommandNeeds::trace, symbols},
    {"names", "[PATH]", "", "Load method names for this trace", CommandGroup::file,
     CommandNeeds::trace, names},
    {"colour-by", "[name|package]", "", "Colour functions by name, or by package or category",
     CommandGroup::window, CommandNeeds::nothing, colour_by},
};

}  // namespace

std::span<const Command> symbol_commands() {
  return kSymbolsCommands;
}

}  // namespace cinderscope
