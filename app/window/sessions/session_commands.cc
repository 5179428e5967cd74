// What is done with the window's session, and its commands.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/merge_offset.h"
#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "render/text/label.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestNote = 4096;

}  // namespace

const std::string& SessionsController::path() const {
  static const std::string kNone;
  return session_ ? session_->path : kNone;
}

std::string SessionsController::offered_path() const {
  if (in_pack()) return utf8_of(path_of(path()).replace_extension(".cinder"));
  for (const auto& tab : app_.tabs().all) {
    const std::string& path =
        tab->merged_files.empty() ? tab->session->path() : tab->merged_files.front().path;
    if (path == "-" || is_lane(*tab)) continue;
    std::filesystem::path beside = path_of(absolute_path(path));
    for (int i = 0; i < 2 && beside.has_extension(); ++i) beside.replace_extension();
    return utf8_of(beside) + ".cinder";
  }
  return absolute_path("session.cinder");
}

Status SessionsController::forget() {
  if (!session_) return refused("No session is open.");
  if (writing_.valid()) return refused("The session is being saved.");
  for (const auto& tab : app_.tabs().all) {
    if (tab->of_session != nullptr && tab->of_session->restored) tab->of_session.reset();
    tab->session_origin.reset();
  }
  session_.reset();
  unopened_.clear();
  asking_ = asks_replace_ = asks_newer_ = false;
  return ok();
}

void SessionsController::save_absolute(bool absolute) {
  absolute_ = absolute;
  if (session_) session_->absolute = absolute;
}

void SessionsController::set_note(std::string_view title, std::string_view note) {
  if (!session_) session_.emplace();
  session_->file.title = title.substr(0, kLongestNote);
  session_->file.note = note.substr(0, kLongestNote);
  session_->note_dismissed = false;
}

void SessionsController::note_located(Tab& tab, const std::string& path) {
  if (!session_ || tab.of_session == nullptr || tab.of_session->saved.traces.empty()) return;
  const SessionTrace* trace = session_->file.trace(tab.of_session->saved.traces.front().trace);
  const auto at = static_cast<std::size_t>(trace - session_->file.traces.data());
  if (trace == nullptr || at >= session_->located.size()) return;
  session_->located[at] = {.location = Location::found, .path = path};
  // The others may lie near it.
  LocateQuestion question{.session_path = session_->text_path, .traces = session_->file.traces};
  question.recent = {path};
  question.traces[at].path = path;
  question.traces[at].identity = {};
  locating_ = in_background([question] {
    std::vector<LocatedTrace> located = locate_traces(question);
    Window::wake();
    return located;
  });
}

Status SessionsController::leave_out() {
  const Tab* tab = app_.tabs().page();
  if (tab == nullptr || tab->missing == nullptr) return refused("No trace is missing here.");
  app_.controllers().tabs->close(app_.tabs().shown_index);
  return ok();
}

bool SessionsController::asks_before_end() {
  if (!unsaved()) return false;
  asking_ = true;
  app_.draw_again();
  return true;
}

Status SessionsController::answer(std::string_view word) {
  if (word == "dismiss" && session_) session_->note_dismissed = session_->left_out_dismissed = true;
  if (word == "cancel") asking_ = asks_replace_ = asks_newer_ = quits_then_ = false;
  if (word == "save") {
    asking_ = false;
    if (session_ && (session_->read_only || in_pack())) {
      app_.ask_command("save-session-as", {});
      return ok();
    }
    Status saved = save({}, false);
    quits_then_ = saved.operator bool();
    return saved;
  }
  if (word == "replace-newer" && session_) {
    asks_newer_ = false;
    session_->newer_agreed = true;
    return save({}, false);
  }
  if (word == "discard") app_.quit();
  if (word == "replace") {
    asks_replace_ = false;
    return save({}, true);
  }
  if (word == "theirs" && session_) {
    const std::string path = session_->path;
    asks_replace_ = quits_then_ = false;
    while (!app_.tabs().all.empty()) app_.controllers().tabs->close(0);
    session_.reset();
    unopened_.clear();
    open(path);
  }
  return ok();
}

namespace {

SessionsController& sessions_of(AppContext& app) {
  return *app.controllers().sessions;
}

Status save_session(AppContext& app, const CommandArguments& arguments) {
  SessionsController& sessions = sessions_of(app);
  if (arguments.empty() && !sessions.saves_to_own()) {
    app.ask_command("save-session-as", {});
    return ok();
  }
  return sessions.save(arguments.text(), arguments.text(1) == "force");
}

Status save_session_as(AppContext& app, const CommandArguments& arguments) {
  return sessions_of(app).save(arguments.text(), arguments.text(1) == "force");
}

Status absolute_paths(AppContext& app, const CommandArguments& arguments) {
  SessionsController& sessions = sessions_of(app);
  sessions.save_absolute(arguments.switched(sessions.saves_absolute()));
  app.say(sessions.saves_absolute() ? "sessions name traces by absolute paths"
                                    : "sessions name traces by paths from their folder");
  return ok();
}

// There and back.
Status trace_folder(AppContext& app, const CommandArguments& arguments) {
  if (arguments.empty()) {
    app.ask_command("trace-folder", {});
    return ok();
  }
  std::vector<std::string>& folders = app.settings().trace_folders;
  const std::string folder = absolute_path(arguments.text());
  const bool was_there = std::erase(folders, folder) > 0;
  if (!was_there) folders.push_back(folder);
  app.settings_changed();
  app.say(was_there ? fmt::format("traces of sessions are not looked for in {} any more", folder)
                    : fmt::format("traces of sessions are looked for in {}, too", folder));
  return ok();
}

Status close_session(AppContext& app, const CommandArguments& /*arguments*/) {
  return sessions_of(app).forget();
}

// "title: note", or one of them.
Status session_note(AppContext& app, const CommandArguments& arguments) {
  const std::string& text = arguments.text();
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos) {
    sessions_of(app).set_note(text, {});
  } else {
    sessions_of(app).set_note(std::string_view(text).substr(0, colon),
                              std::string_view(text).substr(colon + 2));
  }
  return ok();
}

Status leave_out_trace(AppContext& app, const CommandArguments& /*arguments*/) {
  return sessions_of(app).leave_out();
}

Status answer_session(AppContext& app, const CommandArguments& arguments) {
  return sessions_of(app).answer(arguments.text());
}

std::vector<std::string> offered_path(AppContext& app) {
  return {sessions_of(app).offered_path()};
}

using Needs = CommandNeeds;

constexpr Command kSessionCommands[] = {
    {"save-session",
     "[PATH [force]]",
     "Ctrl+S",
     "Save the session: all tabs, and what is shown of them",
     CommandGroup::file,
     Needs::tab,
     save_session,
     {},
     offered_path},
    {"save-session-as",
     "PATH [force]",
     "Ctrl+Shift+S",
     "Save the session as another file",
     CommandGroup::file,
     Needs::tab,
     save_session_as,
     {},
     offered_path},
    {"absolute-paths", "[on|off]", "", "Save sessions with absolute paths of their traces",
     CommandGroup::file, Needs::nothing, absolute_paths},
    {"trace-folder", "[FOLDER]", "", "Look for traces of sessions in this folder, or no more",
     CommandGroup::file, Needs::nothing, trace_folder},
    {"close-session", "", "", "Forget the session, keep the tabs", CommandGroup::file,
     Needs::nothing, close_session},
    {"session-note", "[TEXT]", "", "Title and note of the session", CommandGroup::file, Needs::tab,
     session_note},
    {"leave-out-trace", "", "", "Leave the missing trace out of the session", CommandGroup::file,
     Needs::tab, leave_out_trace},
    {"answer-session", "save|discard|cancel|replace|replace-newer|theirs|dismiss", "",
     "Answer what is asked about the session", CommandGroup::file, Needs::nothing, answer_session},
};

}  // namespace

std::span<const Command> session_commands() {
  return kSessionCommands;
}

}  // namespace cinderscope
