#include "app/window/controllers/export/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/thread_commands.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/export/part_reading.h"
#include "app/window/panels/table_saver.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "formats/all_writers.h"
#include "render/layout/track_list.h"
#include "render/text/time_text.h"

namespace cinderscope {

PartsController::PartsController(AppContext& app)
    : ExportSheet(app), foreseen_([] { Window::wake(); }), saving_([] { Window::wake(); }) {}

PartsController::~PartsController() {
  for (const auto& control : {asking_, writing_}) {
    if (control) control->cancel();
  }
  for (const auto& reads : {reading_, saved_from_}) {
    if (reads) reads->control->cancel();
  }
}

Result<PartsController::What> PartsController::what() const {
  const Tab& tab = *app_.tabs().shown();
  const Timeline& timeline = tab.session->timeline();
  const TimelineState& state = tab.session->state();
  What what{.range = of_range_ ? state.range : std::nullopt, .tracks = {}, .names = {}};
  if (threads_ == Threads::chosen) {
    const bool is_other =
        chosen_in_ != tab.session.get() || chosen_generation_ != tab.session->generation();
    if (is_other) return refused("Choose the threads again: this is another trace.");
    what.tracks = chosen_;
  }
  if (threads_ == Threads::pinned) what.tracks = state.pinned_tracks;
  if (threads_ == Threads::shown) {
    TrackFilter filter(timeline, state.filter);
    for (std::uint32_t track = 0; track < timeline.tracks.size(); ++track) {
      const bool pinned =
          std::ranges::find(state.pinned_tracks, track) != state.pinned_tracks.end();
      const bool shown = is_shown(state, track) && passes_search(state, track) &&
                         filter.passes(timeline.tracks[track], nullptr);
      if (shown || pinned) what.tracks.push_back(track);
    }
    if (what.tracks.size() == timeline.tracks.size()) return what.tracks.clear(), what;
  }
  std::erase_if(what.tracks, [&](std::uint32_t track) { return track >= timeline.tracks.size(); });
  std::ranges::sort(what.tracks);
  if (what.tracks.empty() && threads_ != Threads::all) {
    return refused(threads_ == Threads::pinned ? "No thread is pinned." : "No thread is shown.");
  }
  return what;
}

std::string PartsController::path_now() const {
  if (!path_.empty()) return absolute_path(path_);
  const TraceWriter* writer = writer_named(format_);
  return table_path_beside(*app_.tabs().shown(), "part", writer->ending());
}

Status PartsController::save(const std::string& path, bool replace) {
  if (!path.empty()) return start(absolute_path(path), replace, false);
  threads_ = Threads::all;
  if (!open()) show();
  return ok();
}

Status PartsController::set(std::string_view word, const std::string& value) {
  if (word == "close") return close(), ok();
  if (word == "of") {
    if (value != "range" && value != "all") return refused("Give range or all.");
    of_range_ = value == "range";
  } else if (word == "format") {
    const TraceWriter* writer = writer_named(value);
    if (writer == nullptr) return refused(fmt::format("There is no format \"{}\".", value));
    format_ = writer->name();
    path_.clear();
  } else if (value == "all" || value == "shown" || value == "pinned") {
    threads_ = value == "all" ? Threads::all : value == "shown" ? Threads::shown : Threads::pinned;
  } else {
    const Tab& tab = *app_.tabs().shown();
    const Timeline& timeline = tab.session->timeline();
    const Result<MeantThreads> meant = needed_threads(timeline, tab.session->state(), value);
    if (!meant) return meant.error();
    chosen_ = tracks_of(timeline, tab.session->state(), *meant);
    if (chosen_.empty()) return refused("No such thread is there.");
    chosen_name_ = chosen_.size() == 1 ? track_label(timeline, timeline.tracks[chosen_.front()])
                                       : fmt::format("{} threads", count_text(chosen_.size()));
    chosen_in_ = tab.session.get();
    chosen_generation_ = tab.session->generation();
    threads_ = Threads::chosen;
  }
  asked_path_.clear();
  show();
  return ok();
}

void PartsController::close() {
  foreseen_.forget();
  if (asking_) asking_->cancel();
  // What is being written goes on, and needs it.
  if (reading_ && !(saving_.busy() && saved_from_ == reading_)) reading_->control->cancel();
  reading_.reset();
  threads_ = Threads::all;
  of_range_ = true;
  ExportSheet::close();
}

void PartsController::poll() {
  take_saved();
  take_shown_folder();
  if (!open()) return;
  if (const auto replace = std::exchange(save_due_, std::nullopt)) {
    const std::string path = path_now();
    if (const Status started = start(path, replaces(path, *replace), true); !started) {
      said_ = started.error().text;
    }
    app_.draw_again();
  }
  const Tab* tab = app_.tabs().shown();
  if (tab == nullptr || !tab->session->has_trace() || app_.command_state().comparison) {
    return close();
  }
  if (foreseen_.poll()) app_.draw_again();
  if (!saving_.busy()) ask_again();
}

}  // namespace cinderscope
