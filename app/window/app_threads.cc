// What the commands of threads and of the time shown do.
#include <fmt/format.h>
#include <imgui.h>

#include "app/commands/thread_commands.h"
#include "app/window/app.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostInMenu = 30;

// ImGui takes what follows "##" for an id.
std::string menu_text(std::string_view name) {
  std::string text = drawable(name.substr(0, 200));
  for (std::size_t at = text.find("##"); at != std::string::npos; at = text.find("##", at)) {
    text.insert(at + 1, " ");
  }
  return text;
}

}  // namespace

void App::draw_hidden_threads_menu(Actions& actions) {
  const Timeline& timeline = active()->session->timeline();
  const TimelineState& state = active()->session->state();
  if (state.hidden_tracks.empty() || !ImGui::BeginMenu("Hidden threads")) return;
  std::size_t shown = 0;
  for (const std::uint32_t track : state.hidden_tracks) {
    if (track >= timeline.tracks.size()) continue;
    if (shown == kMostInMenu) {
      const std::string rest = fmt::format("and {} more", state.hidden_tracks.size() - shown);
      ImGui::MenuItem(rest.c_str(), nullptr, false, false);
      break;
    }
    ++shown;
    const Track& facts = timeline.tracks[track];
    const std::string name = menu_text(track_label(timeline, facts));
    const std::string process = menu_text(process_label(timeline, facts.process));
    ImGui::PushID(static_cast<int>(track));
    if (ImGui::MenuItem(name.c_str(), process.c_str())) {
      actions.push_back(RunCommand{"show", track_argument(TrackId(track))});
    }
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

std::string App::run_thread_command(const Command& command, std::string_view argument) {
  Session& session = *active()->session;
  std::string problem =
      cinderscope::run_thread_command(command.id, argument, session.timeline(), session.state());
  if (command.id == CommandId::filter) filter_open_ = filter_focus_ = argument.empty();
  if (command.id == CommandId::show_all) filter_open_ = false;
  return problem;
}

// Without an argument the next kind that this trace has. Other traces show the same kind where they
// can.
std::string App::show_time(std::string_view argument) {
  const Timeline& timeline = active()->session->timeline();
  TimeShown shown = active()->session->state().time_shown;
  if (argument == "start") {
    shown = TimeShown::from_start;
  } else if (argument == "clock") {
    shown = TimeShown::clock;
  } else if (argument == "day") {
    shown = TimeShown::time_of_day;
  } else if (argument.empty()) {
    shown = next_shown(timeline, shown);
  } else {
    return "Times are shown from the start, in the file's clock or as time of day: start, clock, "
           "day.";
  }
  if (std::string problem = why_not_shown(timeline, shown); !problem.empty()) return problem;
  settings_.time_shown = shown;
  settings_changed();
  say("times are shown " + shown_text(timestamp_format(timeline, active()->session->state())));
  return {};
}

}  // namespace cinderscope
