// The names of a trace that lie in a file of their own: taken anew, and what colours go by.
#include <filesystem>
#include <utility>

#include "app/window/app.h"

namespace cinderscope {

std::string App::take_names(std::string_view path) {
  Session& session = *active()->session;
  if (session.phase() != SessionPhase::ready) return "The trace is still being read.";
  const NameOptions names{std::string(path), settings_.colours_by_package};
  if (session.rename(names)) {
    say("names are being taken from " + (path.empty() ? "beside the trace" : std::string(path)));
    return {};
  }
  return "Only Flow traces have their names in a file of their own.";
}

bool App::take_dropped_names(const FilesDropped& drop) {
  if (drop.paths.size() != 1 || active() == nullptr) return false;
  const std::filesystem::path path = drop.paths.front();
  const Session& session = *active()->session;
  const bool fits = path.extension() == ".properties" && session.source() != nullptr &&
                    session.source()->has_names_apart();
  if (!fits) return false;
  const std::string problem = take_names(path.string());
  if (!problem.empty()) say(problem);
  return true;
}

// What went wrong; names that were taken show.
void App::tell_names(Tab& tab) {
  const std::optional<Status> result = tab.session->take_rename_result();
  if (!result || *result) return;
  const Error& error = result->error();
  say(error.expected.empty() ? error.text : error.text + " " + error.expected);
}

std::string App::set_colour_by(std::string_view argument) {
  if (!argument.empty() && argument != "name" && argument != "package") {
    return "Methods are coloured by name or by package.";
  }
  settings_.colours_by_package =
      argument.empty() ? !settings_.colours_by_package : argument == "package";
  settings_changed();
  for (const auto& tab : tabs_) {
    NameOptions names = tab->session->names();
    names.colours_by_package = settings_.colours_by_package;
    tab->session->rename(std::move(names));
  }
  say(settings_.colours_by_package ? "methods are coloured by package"
                                   : "methods are coloured by name");
  return {};
}

}  // namespace cinderscope
