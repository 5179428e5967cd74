#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/convert/convert.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/store.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/atomic_file.h"
#include "render/text/label.h"

namespace cinderscope {

Status SessionsController::save(const std::string& path, bool force) {
  if (writing_.valid()) return refused("The session is being saved.");
  if (arranging_ || comparisons_due_ > 0) return refused("The session is still being opened.");
  const std::string target = path.empty() && session_ ? session_->path : absolute_path(path);
  if (target.empty()) return refused("Say where the session is to be saved.");
  const bool is_own = session_ && session_->path == target;
  if (is_own && in_pack()) return refused("A pack is read only; save the session beside it.");
  if (is_own && session_->read_only) {
    return refused(fmt::format("{} is open in another window: save it as another file.",
                               drawable(shown_file_name(target))));
  }
  if (is_own && session_->file.version > kSessionVersion && !session_->newer_agreed) {
    asks_newer_ = true;
    app_.draw_again();
    return ok();
  }
  const SelfTraceMark mark("take session");
  std::vector<std::string> paths;
  Result<SessionFile> file = captured(paths);
  if (!file) return file.error();
  const std::optional<FileStatus> known = is_own && !force ? session_->status : std::nullopt;
  writing_ = in_background([file = std::move(*file), paths, target, known,
                            replaces = is_own || force, absolute = saves_absolute(),
                            before = folder_before()]() mutable {
    Written written{.done = check_output(path_of(target), true, paths), .path = target};
    const auto status = file_status(path_of(target));
    if (written.done && status && !replaces) {
      written.done = refused(fmt::format(
          "{} is there already; with force behind it, it is replaced.", drawable(target)));
    }
    if (!written.done) {
      Window::wake();
      return written;
    }
    if (known && status &&
        (status->modified_ns != known->modified_ns || status->size_bytes != known->size_bytes)) {
      written.changed_meanwhile = true;
      Window::wake();
      return written;
    }
    const std::filesystem::path folder = path_of(target).parent_path();
    // What the session that was read says is from its own folder.
    const std::filesystem::path from = before.empty() ? folder : path_of(before);
    const auto here = [&](const std::string& of_session) {
      return path_in_session(target, utf8_of((from / path_of(of_session)).lexically_normal()));
    };
    for (std::size_t i = 0; i < file.traces.size(); ++i) {
      SessionTrace& trace = file.traces[i];
      if (!trace.ids.empty()) trace.ids = here(trace.ids);
      if (paths[i].empty()) {
        if (from != folder) trace.path = here(trace.path);
        continue;
      }
      if (const auto identity = trace_identity(paths[i])) trace.identity = *identity;
      trace.path = absolute ? paths[i] : path_in_session(target, paths[i]);
    }
    const std::string text = session_text(file);
    written.done = replace_file(path_of(target), text);
    written.status = file_status(path_of(target));
    if (auto again = session_from(text)) {
      written.original = again->original;
      for (const SessionTab& tab : again->tabs) written.origins.push_back(tab.origin);
    }
    written.traces = std::move(file.traces);
    Window::wake();
    return written;
  });
  const std::uint64_t key = session_ ? key_now() : 0;
  if (!session_) session_.emplace().absolute = absolute_;
  session_->key = key == 0 ? key_now() : key;
  seen_ = session_->key;
  return ok();
}

std::string SessionsController::folder_before() const {
  if (!session_ || session_->text_path.empty()) return {};
  return utf8_of(path_of(session_->text_path).parent_path());
}

void SessionsController::take_written() {
  if (!is_ready(writing_)) return;
  Written written = writing_.get();
  app_.draw_again();
  if (!session_) return;
  if (written.changed_meanwhile) {
    asks_replace_ = true;
    return;
  }
  if (!written.done) {
    quits_then_ = false;
    if (session_ && session_->path.empty()) session_.reset();
    failed_ = written.done.error().text;
    app_.say(failed_, std::chrono::seconds(8));
    // Its folder cannot be written to (any more).
    if (session_ && session_->path == written.path) app_.ask_command("save-session-as", {});
    return;
  }
  asks_replace_ = asking_ = asks_newer_ = false;
  // As another file it is this window's.
  session_->read_only = session_->read_only && session_->path == written.path;
  session_->path = session_->text_path = written.path;
  session_->status = written.status;
  session_->saved_key = seen_;
  app_.controllers().store->add_recent(written.path,
                                       written.status ? written.status->size_bytes : 0);
  session_->file.original = written.original;
  std::vector<LocatedTrace> located(written.traces.size());
  for (std::size_t i = 0; i < located.size(); ++i) {
    const std::filesystem::path path =
        path_of(written.path).parent_path() / path_of(written.traces[i].path);
    const SessionTrace* before = session_->file.trace(written.traces[i].id);
    const auto at = static_cast<std::size_t>(before - session_->file.traces.data());
    const bool lost =
        before != nullptr && at < session_->located.size() && !is_there(session_->located[at]);
    located[i] =
        lost ? session_->located[at]
             : LocatedTrace{.location = Location::found, .path = utf8_of(path.lexically_normal())};
  }
  session_->file.traces = std::move(written.traces);
  session_->located = std::move(located);
  std::size_t number = 0;
  for (const auto& tab : app_.tabs().all) {
    if (!is_kept(*tab)) continue;
    if (number < written.origins.size()) tab->session_origin = written.origins[number];
    ++number;
  }
  app_.say(fmt::format("saved as {}", drawable(written.path)));
  if (std::exchange(quits_then_, false)) app_.quit();
}

}  // namespace cinderscope
