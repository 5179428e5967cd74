// The names of a trace that lie in a file of their own: taken anew, and what colours go by.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <utility>

#include "app/store/state_files.h"
#include "app/window/app.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/symbols.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

std::string App::take_names(std::string_view path) {
  Session& session = *active()->session;
  if (session.phase() != SessionPhase::ready) return "The trace is still being read.";
  // From the root on: it is remembered, and another window may be elsewhere.
  const SymbolOptions names{path.empty() ? std::string() : absolute_path(std::string(path)),
                            settings_.colours_by_package};
  if (session.rename(names)) {
    say("names are being taken from " + (path.empty() ? "beside the trace" : std::string(path)));
    return {};
  }
  return "The names of this trace are in the trace itself.";
}

bool App::take_dropped_names(const FilesDropped& drop) {
  if (drop.paths.size() != 1 || active() == nullptr) return false;
  const std::filesystem::path path = drop.paths.front();
  const TraceSource* source = active()->session->source();
  const Symbols* symbols = source == nullptr ? nullptr : source->symbols();
  if (symbols == nullptr || path.extension() != symbols->file_ending()) return false;
  const std::string problem = take_names(path.string());
  if (!problem.empty()) say(problem);
  return true;
}

// What went wrong; names that were taken show.
void App::tell_names(Tab& tab) {
  const std::optional<Status> result = tab.session->take_rename_result();
  if (!result) return;
  if (*result) {
    // The files lie as they did.
    if (tab.told_merge != 0) tab.told_merge = tab.session->generation();
    keep_mapping(tab);
    return;
  }
  const Error& error = result->error();
  say(error.expected.empty() ? error.text : error.text + " " + error.expected);
}

// A file with names that was given holds for the other traces of the same folder, too, when they
// are opened next.
void App::keep_mapping(Tab& tab) {
  TabViewState& memory = tab.memory;
  const Session& session = *tab.session;
  const TraceSource* source = session.source();
  if (!store_ || !memory.settled || !tab.merged_files.empty()) return;
  if (source == nullptr || source->symbols() == nullptr || session.renaming()) return;
  const std::string& path = session.names().mapping_path;
  const std::string now = path.empty() ? path : absolute_path(path);
  if (now == memory.folder_mapping) return;
  memory.folder_mapping = now;
  store_->remember_mapping(memory.path, now);
}

void App::poll_other_threads(Tab& tab) {
  const Session& session = *tab.session;
  if (!tab.looked_beside && session.phase() == SessionPhase::ready) {
    tab.looked_beside = true;
    if (session.source()->siblings() == nullptr) return;
    tab.looks_beside = std::async(std::launch::async, [source = session.shared_source()] {
      const std::size_t count = source->siblings()->thread_count();
      Window::wake();
      return count;
    });
  }
  const bool is_there =
      tab.looks_beside.valid() &&
      tab.looks_beside.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (!is_there) return;
  const std::size_t count = tab.looks_beside.get();
  if (count > 1) tab.offered_threads = count;
  draw_again();
}

std::string App::open_all_threads(std::string_view argument) {
  Tab& tab = *active();
  if (tab.offered_threads == 0) return "This is no single thread of a trace with others.";
  tab.offered_threads = 0;
  const TraceSource* source = tab.session->source();
  if (argument != "keep" && source != nullptr && source->siblings() != nullptr) {
    open(source->siblings()->recording_path());
  }
  return {};
}

// What is left of the area below it.
Rect App::draw_thread_offer(const Tab& tab, const Rect& area, Actions& actions) {
  if (tab.offered_threads == 0) return area;
  const float height = std::round(theme_.px(kNoticePx));
  const std::string text =
      fmt::format("This is one thread of a trace: its folder has {}.", tab.offered_threads);
  draw_notice({.theme = theme_,
               .area = {area.x, area.y, area.width, height},
               .text = text,
               .answers = {{"Open all threads", {"all-threads", ""}},
                           {"Only this one", {"all-threads", "keep"}}}},
              actions);
  return {area.x, area.y + height, area.width, std::max(0.0F, area.height - height)};
}

std::string App::set_colour_by(std::string_view argument) {
  if (!argument.empty() && argument != "name" && argument != "package") {
    return "Methods are coloured by name or by package.";
  }
  settings_.colours_by_package =
      argument.empty() ? !settings_.colours_by_package : argument == "package";
  settings_changed();
  for (const auto& tab : tabs_) {
    SymbolOptions names = tab->session->names();
    names.colours_by_package = settings_.colours_by_package;
    tab->session->rename(std::move(names));
  }
  say(settings_.colours_by_package ? "methods are coloured by package"
                                   : "methods are coloured by name");
  return {};
}

}  // namespace cinderscope
