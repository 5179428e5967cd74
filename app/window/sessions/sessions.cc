#include "app/window/sessions/sessions.h"

#include <fmt/format.h>

#include <utility>

#include "app/desktop/single_instance.h"
#include "app/session/merge_offset.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/format/format.h"
#include "ingest/os/atomic_file.h"
#include "render/text/label.h"

namespace cinderscope {

void SessionsController::open(const std::string& path,
                              std::optional<std::chrono::steady_clock::time_point> asked) {
  const std::string absolute = absolute_path(path);
  if (!app_.tabs().all.empty() || session_ || reading_.valid()) {
    auto window = ChildProcess::start(
        {.program = own_program(), .arguments = {"cinderscope", "--new-window", absolute}});
    if (!window) return app_.say(window.error().text);
    windows_.push_back(std::move(*window));
    app_.say(fmt::format("{} opens in a window of its own", drawable(shown_file_name(path))));
    return;
  }
  asked_ = asked.value_or(app_.controllers().tabs->asked_now());
  std::vector<std::string> recent;
  for (const RecentFile& file : app_.settings().recent) recent.push_back(file.path);
  std::vector<std::string> folders = look_in_;
  const std::vector<std::string>& more = app_.settings().trace_folders;
  folders.insert(folders.end(), more.begin(), more.end());
  reading_ = in_background([absolute, recent, look_in = std::move(folders),
                            own = app_.controllers().store->own_socket()] {
    const auto status = file_status(path_of(absolute));
    Read read{.path = absolute, .session = read_session(absolute), .located = {}, .status = status};
    if (read.session) {
      read.open_elsewhere = session_is_open(hand_over_folder(), absolute, own);
      read.located = locate_traces({.session_path = read.session->text_path,
                                    .traces = read.session->file.traces,
                                    .look_in = look_in,
                                    .recent = recent});
    }
    Window::wake();
    return read;
  });
  app_.draw_again();
}

void SessionsController::take_read() {
  if (!is_ready(reading_)) return;
  Read read = reading_.get();
  if (!read.session) {
    // A tab of its own says what is wrong with it.
    TabsController& tabs = *app_.controllers().tabs;
    tabs.add(
        read.path,
        [error = read.session.error()](LoadContext&) -> Result<OpenedSource> { return error; },
        tabs.asked_now());
    return;
  }
  make_tabs(std::move(read));
}

bool SessionsController::busy() const {
  if (reading_.valid() || writing_.valid() || locating_.valid()) return true;
  if (replacing_ || arranging_) return true;
  const Tab* tab = app_.tabs().page();
  if (tab == nullptr || tab->of_session == nullptr || tab->missing != nullptr) return false;
  return !tab->of_session->scrolled && (tab->session->loading() || tab->session->has_trace());
}

void SessionsController::poll() {
  take_read();
  take_written();
  take_replacing();
  arrange();
  if (is_ready(locating_)) {
    const std::vector<LocatedTrace> again = locating_.get();
    for (std::size_t i = 0; session_ && i < again.size() && i < session_->located.size(); ++i) {
      if (!is_there(session_->located[i]) && is_there(again[i])) session_->located[i] = again[i];
    }
    if (session_) {
      for (const auto& tab : app_.tabs().all) {
        if (tab->missing == nullptr || tab->of_session == nullptr) continue;
        const auto& traces = tab->of_session->saved.traces;
        const SessionTrace* trace =
            traces.empty() ? nullptr : session_->file.trace(traces.front().trace);
        const auto at = static_cast<std::size_t>(trace - session_->file.traces.data());
        if (trace != nullptr && at < again.size() && is_there(again[at])) {
          app_.controllers().missing->open_found(*tab, again[at].path);
        }
      }
      for (const auto& [saved, place] : std::exchange(unopened_, {})) make_tab(saved, place);
    }
  }
  begin_loads();
  bool whole = !arranging_ && !writing_.valid();
  for (const auto& tab : app_.tabs().all) {
    if (tab->of_session == nullptr) continue;
    const bool was_restored = tab->of_session->restored;
    restore(*tab);
    SessionPart& part = *tab->of_session;
    if (!was_restored && part.restored && !part.is_change) part.key = change_key(*tab);
    // Without a session there is nothing more to do.
    const bool has_file = session_ && !session_->path.empty();
    if (!has_file && tab->of_session->scrolled) tab->of_session.reset();
    if (tab->of_session == nullptr) continue;
    whole &= tab->of_session->restored || tab->missing != nullptr || tab->session->held() ||
             tab->session->phase() == SessionPhase::failed;
  }
  const std::string& held = session_ && !session_->read_only ? session_->path : std::string();
  if (held != held_) app_.controllers().store->hold_session(held_ = held);
  if (!whole || !session_) return;
  const std::uint64_t key = key_now();
  if (session_->saved_key == 0 && !session_->path.empty()) session_->saved_key = key;
  if (std::exchange(session_->key, key) != key) app_.draw_again(1);
}

}  // namespace cinderscope
