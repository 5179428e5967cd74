#include "app/window/controllers/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/commands/arguments.h"
#include "app/session/find_traces.h"
#include "app/session/open_source.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
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

Status MergeController::add(const std::vector<MergeFile>& files) {
  if (files.empty()) return refused("No file was named.");
  Tab* tab = app_.tabs().shown();
  if (std::ranges::any_of(files, is_stdin) || (tab != nullptr && !tab->session->can_reload())) {
    return refused(
        "Standard input can be read only once and shares no timeline; save it to a file first.");
  }
  if (tab == nullptr) {
    add_tab(files);
    return ok();
  }
  if (tab->merged_files.empty()) {
    app_.controllers().store->remember(*tab);
    tab->merged_files.push_back({tab->session->path(), {}});
  }
  tab->merged_files.insert(tab->merged_files.end(), files.begin(), files.end());
  read(*tab);
  return ok();
}

void MergeController::add_tab(const std::vector<MergeFile>& files, bool held) {
  TabsController& tabs = *app_.controllers().tabs;
  Tab& tab = tabs.add(joined_paths(files), opener_of(files), tabs.asked_now(), held);
  tab.merged_files = files;
  tab.session->set_title(merged_title(files));
}

void MergeController::add_dropped(const std::vector<std::string>& paths) {
  std::vector<MergeFile> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back({path, {}});
  if (const Status added = add(files); !added) app_.say_of_shown(added.error().text);
}

void MergeController::read(Tab& tab) {
  tab.saved = {};  // view states are kept of single files
  tab.merge_warning.clear();
  tab.session->replace(joined_paths(tab.merged_files), merged_title(tab.merged_files),
                       opener_of(tab.merged_files));
  app_.draw_again();
}

Status MergeController::move(const MergeOffset& offset, std::optional<std::size_t> file) {
  Tab& tab = *app_.tabs().shown();
  std::vector<MergeFile>& files = tab.merged_files;
  if (files.size() < 2) return refused("There is only one file on this timeline.");
  if (file && *file >= files.size()) {
    return refused(fmt::format("There is no file {} on this timeline.", *file + 1));
  }
  const std::size_t first = file.value_or(1), last = file.value_or(files.size() - 1);
  for (std::size_t i = first; i <= last; ++i) files[i].offset = offset;
  read(tab);
  return ok();
}

void MergeController::poll() {
  // Of another tab once it is shown.
  if (Tab* tab = app_.tabs().page(); tab != nullptr && !is_lane(*tab)) tell(*tab);
}

// Once the files have been read.
void MergeController::tell(Tab& tab) {
  const MergedSource* source = tab.session->merged_source();
  if (source == nullptr || tab.told_merge == tab.session->generation()) return;
  tab.told_merge = tab.session->generation();
  tab.merge_warning = clock_warning(source->merged_files(), source->axis());
  app_.say_of(tab, alignment_text(source->merged_files(), source->axis()), kAlignmentTold);
}

// What is left of the area below it.
Rect MergeController::draw_warning(const Tab& tab, const Rect& area, Actions& actions) {
  if (tab.merge_warning.empty()) return area;
  const float height = std::round(app_.theme().px(kNoticePx));
  draw_notice({.theme = app_.theme(),
               .area = {area.x, area.y, area.width, height},
               .text = tab.merge_warning,
               .answers = {{"Align the starts", {"merge-offset", "start"}},
                           {"Keep as is", {"merge-offset", "keep"}}}},
              actions);
  return {area.x, area.y + height, area.width, std::max(0.0F, area.height - height)};
}

namespace {

Status merge(AppContext& app, const CommandArguments& arguments) {
  MergeFile file{arguments.text(), {}};
  if (const auto offset = merge_offset_from(arguments.text(1))) file.offset = *offset;
  return app.controllers().merge->add({file});
}

Status merge_offset(AppContext& app, const CommandArguments& arguments) {
  if (arguments.is("keep")) {
    app.tabs().shown()->merge_warning.clear();
    return ok();
  }
  std::optional<std::size_t> file;
  if (const auto number = arguments.number(1)) file = static_cast<std::size_t>(*number - 1);
  return app.controllers().merge->move(*merge_offset_from(arguments.text()), file);
}

constexpr Command kMergeCommands[] = {
    {"merge", "PATH [OFFSET|start|same]", "", "Add a trace to this timeline", CommandGroup::file,
     CommandNeeds::trace, merge},
    {"merge-offset", "OFFSET|start|same|keep [N]", "", "Shift merged files in time",
     CommandGroup::file, CommandNeeds::trace, merge_offset},
};

}  // namespace

std::span<const Command> merge_commands() {
  return kMergeCommands;
}

}  // namespace cinderscope
