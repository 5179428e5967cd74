// Traces that are read piece by piece: how much memory they get, their index, and the search in
// what lies on disk.
#include <fmt/format.h>

#include <algorithm>

#include "app/questions/locate_match.h"
#include "app/session/open_source.h"
#include "app/window/app.h"
#include "ingest/base/ui_priority.h"
#include "ingest/format/capabilities.h"
#include "ingest/os/memory.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kDefaultShare = 4;  // of the machine's memory

}  // namespace

LoadOptions App::load_options() const {
  LoadOptions options = load_;
  options.names.colours_by_package = settings_.colours_by_package;
  options.lazy_above_bytes = lazy_above_bytes_.value_or(settings_.lazy_above_mb * kMegabyte);
  return options;
}

// The limit is for all open traces together.
void App::share_memory() {
  const std::uint64_t limit = settings_.memory_limit_mb > 0
                                  ? settings_.memory_limit_mb * kMegabyte
                                  : machine_memory_bytes() / kDefaultShare;
  for (const auto& tab : tabs_) {
    tab->session->limit_children(limit / std::max<std::size_t>(tabs_.size(), 1));
  }
}

std::string App::run_disk_command(const Command& command, std::string_view argument) {
  if (command.id == CommandId::write_index) return write_index();
  const bool is_limit = command.id == CommandId::memory_limit;
  std::uint64_t& setting = is_limit ? settings_.memory_limit_mb : settings_.lazy_above_mb;
  if (argument == "auto" || argument.empty()) {
    setting = is_limit ? 0 : Settings().lazy_above_mb;
  } else if (const auto megabytes = megabytes_from(argument)) {
    setting = *megabytes;
  } else {
    return "A size is expected, such as 500MB or 2GB, or auto.";
  }
  if (!is_limit) {
    lazy_above_bytes_.reset();
    say(fmt::format("from now on traces above {} MB are read piece by piece", setting));
  } else if (setting == 0) {
    say("a quarter of the machine's memory for calls that are read piece by piece");
  } else {
    say(fmt::format("{} MB for calls that are read piece by piece", setting));
  }
  settings_changed();
  return {};
}

// The file is opened anew, so that what is shown is read on meanwhile.
std::string App::write_index() {
  if (index_write_) return "An index is being written already.";
  const TraceSource* source = active()->session->source();
  if (source == nullptr) return "The trace is still being read.";
  if (source->index_file() == nullptr || !source->index_file()->can_write())
    return "This trace has no index that could be written.";
  index_write_ = std::make_unique<IndexWrite>(load_options());
  index_write_->done = std::async(
      std::launch::async, [path = active()->session->path(), write = index_write_.get()] {
        lower_this_thread();
        Result<OpenedSource> opened = open_source(path, write->control);
        Result<std::string> written =
            opened ? opened->source->index_file()->write(write->control) : opened.error();
        Window::wake();
        return written;
      });
  say("writing the index");
  return {};
}

void App::poll_index() {
  if (!index_write_ ||
      index_write_->done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return;
  }
  const Result<std::string> written = index_write_->done.get();
  index_write_.reset();
  say(written ? "the index was written: " + *written
              : written.error().text + " " + written.error().expected);
}

// A step of the search that may lead to a call on disk. False: there is none of that kind.
bool App::step_on_disk(Tab& tab) {
  TraceSearch& finder = tab.search.finder();
  Session& session = *tab.session;
  if (finder.wanted_step() != 0 && tab.disk.leads()) {
    const TimelineState& state = session.state();
    const Timeline& timeline = session.timeline();
    const int direction = finder.wanted_step();
    std::int64_t from_ns = direction > 0 ? state.view.begin_ns : state.view.end_ns();
    if (const SliceRow* instants = instants_of(timeline, state.selected_instant)) {
      from_ns = instants->begin_ns(state.selected_instant.instant);
    } else if (block_of(timeline, state.selected) != nullptr) {
      from_ns = slice_at(timeline, state.selected).begin_ns;
    }
    finder.drop_step();
    tab.sought.reset();
    tab.disk.step(from_ns, direction);
    return true;
  }
  if (const auto step = tab.disk.take_step()) {
    draw_again();
    if (!step->place) {
      say("no match");
      return true;
    }
    const Timeline& timeline = session.timeline();
    const auto thread = std::ranges::find_if(timeline.threads, [&](const Thread& each) {
      return each.tid == step->place->tid && each.track != kNoTrack;
    });
    if (thread == timeline.threads.end()) return true;
    tab.sought = {thread->track, step->place->begin_ns, step->place->record, step->place->instant};
    tab.sought_since = UINT64_MAX;
  }
  if (tab.sought) locate_match(tab);
  return false;
}

// Asks for one level after the other until the call is there.
void App::locate_match(Tab& tab) {
  Session& session = *tab.session;
  if (tab.sought_since == session.children_generation()) return;  // nothing has come yet
  const SeekResult result = seek(session.timeline(), *tab.sought);
  if (result.found) {
    tab.sought.reset();
    return show_match(result.found);
  }
  const bool asked =
      result.on_disk && session.request_children(
                            result.on_disk, TimeRange{tab.sought->begin_ns, tab.sought->begin_ns});
  if (!asked && (!result.on_disk || session.children_full() || session.idle())) {
    tab.sought.reset();
    return say(session.children_full() ? "no memory is left to read that call: see memory-limit"
                                       : "the call that was found could not be read");
  }
  tab.sought_since = session.children_generation();
}

}  // namespace cinderscope
