#include "app/window/controllers/found_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/merged_trace.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/tabs.h"
#include "ingest/base/number_text.h"
#include "render/text/file_name.h"
#include "render/text/fuzzy_match.h"
#include "render/text/time_text.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

namespace {

constexpr std::size_t kActionRows = 3;  // before the names

}  // namespace

void FoundTracesController::ask(std::string place, std::vector<std::string> paths) {
  const std::size_t count = paths.size();
  found_.push_back({std::move(place), std::move(paths), std::vector<bool>(count)});
  app_.draw_again();
}

// Below the folder where there is one.
std::string FoundTracesController::name_of(const Found& found, std::size_t path) const {
  const std::string_view whole = found.paths[path];
  if (!found.place.empty() && whole.starts_with(found.place)) {
    const std::size_t begin = whole.find_first_not_of('/', found.place.size());
    if (begin != std::string_view::npos) return std::string(whole.substr(begin));
  }
  return telling_name(whole);
}

// What can be done with the ticked ones, then all whose names fit.
std::vector<PaletteRow> FoundTracesController::rows(std::string_view typed) const {
  if (found_.empty()) return {};
  const Found& found = found_.front();
  const auto ticked = static_cast<std::size_t>(std::ranges::count(found.ticked, true));
  const std::string traces =
      fmt::format("{} of {} traces", count_text(ticked), count_text(found.paths.size()));
  const std::string command = "found-traces";
  std::vector<PaletteRow> rows = {{.text = "Open " + traces,
                                   .keys = "Ctrl+Enter",
                                   .enabled = ticked > 0,
                                   .command = command,
                                   .argument = "open-ticked"},
                                  {.text = "Same timeline: " + traces,
                                   .enabled = ticked > 0,
                                   .command = command,
                                   .argument = "merge-ticked"}};
  rows.push_back(
      {.command = command, .argument = fmt::format("tick-all {}", typed), .stays = true});
  bool all = true;
  for (std::size_t i = 0; i < found.paths.size(); ++i) {
    const std::string name = name_of(found, i);
    auto match = part_match(typed, name);
    if (!match) continue;
    all &= found.ticked[i];
    rows.push_back({.text = name,
                    .offsets = std::move(match->offsets),
                    .command = command,
                    .argument = fmt::format("tick {}", i + 1),
                    .stays = true,
                    .ticked = found.ticked[i]});
  }
  const std::string listed = count_text(rows.size() - kActionRows);
  rows[kActionRows - 1].text = fmt::format("{} all {} below", all ? "Untick" : "Tick", listed);
  rows[kActionRows - 1].enabled = rows.size() > kActionRows;
  return rows;
}

void FoundTracesController::choose() {
  app_.controllers().palette->show({.prompt = "Choose traces",
                                    .hint = "Type to filter; Enter ticks, Ctrl+Enter opens",
                                    .rows = [this](std::string_view typed) { return rows(typed); },
                                    .first = kActionRows,
                                    .chosen = kActionRows});
}

Status FoundTracesController::tick(std::string_view number) {
  Found& found = found_.front();
  const std::size_t trace = parse_number<std::size_t>(number).value_or(0);
  if (trace < 1 || trace > found.paths.size()) {
    return refused(fmt::format("There is no trace {} among those found.", number));
  }
  found.ticked[trace - 1] = !found.ticked[trace - 1];
  return ok();
}

// All whose names fit; again: none of them.
void FoundTracesController::tick_all(std::string_view typed) {
  Found& found = found_.front();
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < found.paths.size(); ++i) {
    if (part_match(typed, name_of(found, i))) fitting.push_back(i);
  }
  const bool all = std::ranges::all_of(fitting, [&](std::size_t i) { return found.ticked[i]; });
  for (const std::size_t i : fitting) found.ticked[i] = !all;
}

Status FoundTracesController::open(bool only_ticked, bool on_one_timeline) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < found_.front().paths.size(); ++i) {
    if (!only_ticked || found_.front().ticked[i]) paths.push_back(found_.front().paths[i]);
  }
  if (paths.empty()) return refused("No trace is ticked.");
  found_.erase(found_.begin());
  if (on_one_timeline) {
    std::vector<MergeFile> files;
    files.reserve(paths.size());
    for (std::string& path : paths) files.push_back({std::move(path), {}});
    app_.controllers().merge->add_tab(files);
    return ok();
  }
  for (const std::string& path : paths) app_.controllers().tabs->open(path);
  return ok();
}

Status FoundTracesController::answer(std::string_view word, std::string_view text) {
  if (found_.empty()) return refused("No found traces wait for an answer.");
  app_.draw_again();
  if (word == "open" || word == "open-ticked") return open(word == "open-ticked", false);
  if (word == "merge" || word == "merge-ticked") return open(word == "merge-ticked", true);
  if (word == "tick") return tick(text);
  if (word == "tick-all") {
    tick_all(text);
  } else if (word == "choose") {
    choose();
  } else {
    found_.erase(found_.begin());
  }
  return ok();
}

Rect FoundTracesController::draw_question(const Rect& area, Actions& actions) {
  if (found_.empty()) return area;
  const Found& found = found_.front();
  const std::string count = count_text(found.paths.size());
  const std::string text =
      found.place.empty()
          ? fmt::format("{} files were dropped.", count)
          : fmt::format("{} traces in {}", count, telling_name(absolute_path(found.place)));
  const float height = std::round(app_.theme().px(kNoticePx));
  draw_notice({.theme = app_.theme(),
               .area = {area.x, area.y, area.width, height},
               .text = text,
               .answers = {{"Open all", {"found-traces", "open"}},
                           {"Choose…", {"found-traces", "choose"}},
                           {"Same timeline", {"found-traces", "merge"}},
                           {"Cancel", {"found-traces", "cancel"}}}},
              actions);
  return {area.x, area.y + height, area.width, std::max(0.0F, area.height - height)};
}

namespace {

Status found_traces(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().found_traces->answer(arguments.text(0), arguments.text(1));
}

constexpr Command kFoundTracesCommands[] = {
    {"found-traces", "open|merge|choose|open-ticked|merge-ticked|tick|tick-all|cancel [TEXT]", "",
     "Open, choose or merge the traces that were found", CommandGroup::file,
     CommandNeeds::found_traces, found_traces},
};

}  // namespace

std::span<const Command> found_trace_commands() {
  return kFoundTracesCommands;
}

}  // namespace cinderscope
