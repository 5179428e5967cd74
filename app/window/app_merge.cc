// Several files on one timeline: asking for them, reading them, saying how they were aligned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/session/find_traces.h"
#include "app/session/open_source.h"
#include "app/window/app.h"
#include "ingest/base/number_text.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

namespace {

constexpr std::chrono::seconds kAlignmentTold{8};

SourceOpener opener_of(std::vector<MergeFile> files) {
  return [files = std::move(files)](LoadContext&) -> Result<OpenedSource> {
    std::vector<MergeFile> traces;
    for (const MergeFile& file : files) {
      const Result<std::vector<std::string>> inside = traces_of(file.path);
      if (!inside) traces.push_back(file);  // reading it says what is wrong
      if (!inside) continue;
      for (const std::string& path : *inside) traces.push_back({path, file.offset});
    }
    const auto merged = std::make_shared<MergedSource>(std::move(traces), open_source);
    return OpenedSource{.source = merged, .merged = merged.get()};
  };
}

std::string joined_paths(const std::vector<MergeFile>& files) {
  std::string joined;
  for (const MergeFile& file : files) joined += (joined.empty() ? "" : " + ") + file.path;
  return joined;
}

bool is_stdin(const MergeFile& file) {
  return file.path == "-";
}

}  // namespace

std::string App::merge(const std::vector<MergeFile>& files) {
  if (files.empty()) return "No file was named.";
  Tab* tab = active();
  if (std::ranges::any_of(files, is_stdin) || (tab != nullptr && !tab->session->can_reload())) {
    return "Standard input can be read only once and shares no timeline; save it to a file first.";
  }
  if (tab == nullptr) {
    add_merged_tab(files);
    return {};
  }
  if (tab->merged_files.empty()) {
    remember(*tab);
    tab->merged_files.push_back({tab->session->path(), {}});
  }
  tab->merged_files.insert(tab->merged_files.end(), files.begin(), files.end());
  read_merged(*tab);
  return {};
}

void App::add_merged_tab(const std::vector<MergeFile>& files) {
  add_tab(joined_paths(files), opener_of(files), asked_now());
  Tab* tab = active();
  tab->merged_files = files;
  tab->session->set_title(merged_title(files));
}

void App::read_merged(Tab& tab) {
  tab.memory = {};  // what is remembered is of one file
  tab.merge_warning.clear();
  tab.session->replace(joined_paths(tab.merged_files), merged_title(tab.merged_files),
                       opener_of(tab.merged_files));
  draw_again();
}

std::string App::run_merge_command(const Command& command, std::string_view argument) {
  if (command.id == CommandId::merge) {
    if (!argument.empty()) return merge({merge_file_from(argument, ' ')});
    dialog_merges_ = open_dialog_.ask();
    return dialog_merges_ ? ""
                          : "No file dialog is installed (zenity, kdialog); hold Shift while "
                            "dropping a file instead.";
  }
  Tab& tab = *active();
  if (tab.merged_files.size() < 2) return "There is only one file on this timeline.";
  if (argument == "keep") {
    tab.merge_warning.clear();
    return {};
  }
  const CommandCall call = split_call(argument);
  const auto offset = call.name == "same" ? MergeOffset{} : merge_offset_from(call.name);
  if (!offset) return "An offset is a time such as +12ms or -3s, or start, or same.";
  std::size_t first = 1, last = tab.merged_files.size() - 1;
  if (!call.argument.empty()) {
    const auto number = parse_number<std::size_t>(call.argument);
    if (!number || *number < 1 || *number > tab.merged_files.size()) {
      return fmt::format("There is no file {} on this timeline.", call.argument);
    }
    first = last = *number - 1;
  }
  for (std::size_t i = first; i <= last; ++i) tab.merged_files[i].offset = *offset;
  read_merged(tab);
  return {};
}

void App::take_dropped_for_merge(const FilesDropped& drop) {
  std::vector<MergeFile> files;
  for (const std::string& path : drop.paths) files.push_back({path, {}});
  const std::string problem = merge(files);
  if (!problem.empty()) say(problem);
}

void App::take_chosen_files() {
  std::vector<std::string> paths = open_dialog_.take();
  if (!dialog_merges_) {
    for (const std::string& path : paths) open(path);
  } else if (!paths.empty()) {
    take_dropped_for_merge({std::move(paths), true});
  }
}

// Once the files have been read.
void App::tell_merge(Tab& tab) {
  const MergedSource* source = tab.session->merged_source();
  if (source == nullptr || tab.told_merge == tab.session->generation()) return;
  tab.told_merge = tab.session->generation();
  tab.merge_warning = clock_warning(source->parts(), source->axis());
  say(alignment_text(source->parts(), source->axis()));
  message_until_ = std::chrono::steady_clock::now() + kAlignmentTold;
}

// What is left of the area below it.
Rect App::draw_merge_warning(const Tab& tab, const Rect& area, Actions& actions) {
  if (tab.merge_warning.empty()) return area;
  const float height = std::round(theme_.px(kNoticePx));
  draw_notice({.theme = theme_,
               .area = {area.x, area.y, area.width, height},
               .text = tab.merge_warning,
               .answers = {{"Align the starts", {"merge-offset", "start"}},
                           {"Leave it so", {"merge-offset", "keep"}}}},
              actions);
  return {area.x, area.y + height, area.width, std::max(0.0F, area.height - height)};
}

}  // namespace cinderscope
