// What the sheet for parts of traces shows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/commands/arguments.h"
#include "app/desktop/file_manager.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "formats/all_writers.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "render/text/size_text.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::array<std::string_view, 3> kThreadWords = {"all", "shown", "pinned"};

void ask_part(Actions& actions, const char* what, std::string_view value) {
  run_command(actions, "part", fmt::format("{} {}", what, value));
}

}  // namespace

std::string PartsController::foreseen_text() const {
  const Tab& tab = *app_.tabs().shown();
  if (tab.session->phase() != SessionPhase::ready) return "The trace is still being read.";
  if (const Result<What> what = this->what(); !what) return what.error().text;
  if (foreseen_.out_of_memory()) return "There is not enough memory to tell the size.";
  const Answer* answer = foreseen_.answer();
  if (answer == nullptr || !foreseen_.is_whole()) {
    return foreseen_.busy() ? "Estimating the size…" : "";
  }
  if (!answer->error.empty()) return answer->error;
  const Foreseen& foreseen = answer->foreseen;
  const std::string name = utf8_of(path_of(path_now()).filename());
  const bool packed = name.ends_with(".gz") || name.ends_with(".zst");
  std::string text =
      fmt::format("About {}{}, {} {}.", size_text(foreseen.bytes), packed ? " before packing" : "",
                  count_text(foreseen.slices), foreseen.slices == 1 ? "slice" : "slices");
  const std::string lost = foreseen.losses.lost_sentence(name);
  return lost.empty() ? text : text + " " + lost;
}

void PartsController::draw_inside(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  SheetRows rows(pen, area);
  const auto& writers = all_writers();
  std::vector<Choice> formats;
  std::size_t format = 0;
  for (std::size_t i = 0; i < writers.size(); ++i) {
    formats.push_back({writers[i]->ending(), writers[i]->description()});
    if (writers[i]->name() == format_) format = i;
  }
  if (const auto chosen = rows.choices("format", formats, format)) {
    ask_part(actions, "format", writers[*chosen]->name());
  }
  rows.next_row();
  const bool has_range = app_.tabs().shown()->session->state().range.has_value();
  const bool has_pinned = !app_.tabs().shown()->session->state().pinned_tracks.empty();
  const std::array<Choice, 2> ranges = {
      {{"Selected range", "Calls at its edges are cut", has_range},
       {"All of its time", "From the first event to the last"}}};
  if (const auto chosen = rows.choices("of", ranges, of_range_ && has_range ? 0 : 1)) {
    ask_part(actions, "of", *chosen == 0 ? "range" : "all");
  }
  std::vector<Choice> threads = {
      {"All threads", "Hidden ones, too"},
      {"Shown threads", "Those that are neither hidden nor filtered out"},
      {"Pinned threads", "Those above all others", has_pinned}};
  if (!chosen_name_.empty()) threads.push_back({chosen_name_, "As chosen in its menu"});
  if (const auto chosen = rows.choices("threads", threads, static_cast<std::size_t>(threads_))) {
    if (*chosen < kThreadWords.size()) {
      ask_part(actions, "threads", kThreadWords.at(*chosen));
    } else {
      threads_ = Threads::chosen;
      app_.draw_again();
    }
  }
  rows.next_row();
  rows.text(foreseen_text(), rows.room_px(), true);
  rows.next_row();
  draw_path(rows, path_now(), actions);
}

Status PartsController::show_folder_of(const std::string& path) {
  if (showing_.valid()) return refused("Another folder is being opened.");
  showing_ = in_background([path] {
    std::error_code unknown;
    const bool there = std::filesystem::exists(path_of(path), unknown);
    if (there) show_in_folder(path);
    Window::wake();
    return there ? std::string() : fmt::format("There is no file {}.", path);
  });
  app_.draw_again();
  return ok();
}

void PartsController::take_shown_folder() {
  if (!is_ready(showing_)) return;
  const std::string problem = showing_.get();
  if (problem.empty()) return;
  failed_ = problem;
  app_.say(problem);
}

void PartsController::draw_saved(SheetRows& rows, Actions& actions) {
  if (rows.button("open", "Open it")) run_command(actions, "open", quoted_argument(saved_path_));
  draw_folder_button(rows, actions);
}

namespace {

Status save_part(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().parts->save(arguments.text(), arguments.text(1) == "force");
}

Status set_part(AppContext& app, const CommandArguments& arguments) {
  std::string_view rest = arguments.text();
  const auto word = take_word(rest);
  constexpr std::array<std::string_view, 4> kWords = {"of", "threads", "format", "close"};
  if (!word || std::ranges::find(kWords, *word) == kWords.end()) {
    return refused("Give of, threads or format with a value, or close.");
  }
  return app.controllers().parts->set(*word, whole_rest(rest));
}

Status show_folder(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().parts->show_folder_of(absolute_path(arguments.text()));
}

constexpr Command kPartSheetCommands[] = {
    {"save-part", "[PATH] [force]", "", "Save this range, or all, as a trace…", CommandGroup::file,
     CommandNeeds::single_trace, save_part},
    {"part", "TEXT", "", "What is saved of the trace, and how", CommandGroup::file,
     CommandNeeds::single_trace, set_part},
    {"show-in-folder", "PATH", "", "Show a file in its folder", CommandGroup::file,
     CommandNeeds::nothing, show_folder},
};

}  // namespace

std::span<const Command> part_commands() {
  return kPartSheetCommands;
}

}  // namespace cinderscope
