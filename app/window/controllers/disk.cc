#include "app/window/controllers/disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/open_source.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"
#include "ingest/format/capabilities.h"
#include "ingest/os/memory.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kDefaultShare = 4;  // of the machine's memory

// The path may hold another trace by now, of a format without an index.
Result<std::string> index_written(const Result<OpenedSource>& opened, LoadContext& context) {
  if (!opened) return opened.error();
  const IndexFile* index = opened->source->index_file();
  if (index == nullptr) return refused("This trace has no index that could be written.");
  return index->write(context);
}

}  // namespace

LoadOptions DiskController::load_options() const {
  LoadOptions options = load_;
  options.names.colours_by_package = app_.settings().colours_by_package;
  options.lazy_above_bytes = lazy_above_bytes_.value_or(app_.settings().lazy_above_mb * kMegabyte);
  return options;
}

// The limit is for all open traces together.
void DiskController::share_memory() {
  const TabList& tabs = app_.tabs();
  const std::uint64_t limit = app_.settings().lazy_memory_mb > 0
                                  ? app_.settings().lazy_memory_mb * kMegabyte
                                  : machine_memory_bytes() / kDefaultShare;
  const auto traces = static_cast<std::size_t>(
      std::ranges::count_if(tabs.all, [](const auto& tab) { return !is_lane(*tab); }));
  for (const auto& tab : tabs.all) {
    if (!is_lane(*tab)) tab->session->limit_children(limit / std::max<std::size_t>(traces, 1));
  }
}

// The file is opened anew, so that what is shown is read on meanwhile.
Status DiskController::write_index() {
  if (index_write_) return refused("An index is being written already.");
  const TraceSource* source = app_.tabs().shown()->session->source();
  if (source == nullptr) return refused("The trace is still being read.");
  if (source->index_file() == nullptr || !source->index_file()->can_write())
    return refused("This trace has no index that could be written.");
  index_write_ = std::make_unique<IndexWrite>(load_options());
  index_write_->owner = app_.shown_owner();
  index_write_->done =
      in_background([path = app_.tabs().shown()->session->path(), write = index_write_.get()] {
        lower_this_thread();
        Result<OpenedSource> opened = open_source(path, write->control);
        Result<std::string> written = index_written(opened, write->control);
        Window::wake();
        return written;
      });
  app_.say_of_shown("writing the index");
  return ok();
}

void DiskController::poll() {
  if (!index_write_ ||
      index_write_->done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return;
  }
  const Result<std::string> written = index_write_->done.get();
  const MessageOwner owner = std::exchange(index_write_, nullptr)->owner;
  app_.say_of(owner, written ? "the index was written: " + *written
                             : written.error().text + " " + written.error().expected);
}

namespace {

Status write_index(AppContext& app, const CommandArguments& /*arguments*/) {
  return app.controllers().disk->write_index();
}

// "auto" and nothing are what a new user has.
std::uint64_t megabytes_of(const CommandArguments& arguments, std::uint64_t usual) {
  return megabytes_from(arguments.text()).value_or(usual);
}

Status lazy_above(AppContext& app, const CommandArguments& arguments) {
  std::uint64_t& setting = app.settings().lazy_above_mb;
  setting = megabytes_of(arguments, Settings().lazy_above_mb);
  app.controllers().disk->set_lazy_above(std::nullopt);
  app.say(fmt::format("from now on traces above {} MB are read piece by piece", setting));
  app.settings_changed();
  return ok();
}

Status lazy_memory(AppContext& app, const CommandArguments& arguments) {
  std::uint64_t& setting = app.settings().lazy_memory_mb;
  setting = megabytes_of(arguments, 0);
  app.say(setting == 0 ? "a quarter of the machine's memory for calls that are read piece by piece"
                       : fmt::format("{} MB for calls that are read piece by piece", setting));
  app.settings_changed();
  return ok();
}

constexpr Command kDiskCommands[] = {
    {"write-index", "", "", "Write the trace's index beside it", CommandGroup::file,
     CommandNeeds::trace, write_index},
    {"lazy-above", "[SIZE|auto]", "", "Read larger traces piece by piece", CommandGroup::window,
     CommandNeeds::nothing, lazy_above},
    {"lazy-memory", "[SIZE|auto]", "", "Memory for what is read piece by piece",
     CommandGroup::window, CommandNeeds::nothing, lazy_memory},
};

}  // namespace

std::span<const Command> disk_commands() {
  return kDiskCommands;
}

}  // namespace cinderscope
