// What is asked and said about the window's session, and its commands.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/session/merge_offset.h"
#include "app/session/open_source.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/json_writer.h"
#include "ingest/base/parallel.h"
#include "render/text/label.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLongestNote = 4096;

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

const std::string& SessionsController::path() const {
  static const std::string kNone;
  return session_ ? session_->path : kNone;
}

std::string SessionsController::offered_path() const {
  if (in_pack()) return std::filesystem::path(path()).replace_extension(".cinder").string();
  for (const auto& tab : app_.tabs().all) {
    const std::string& path =
        tab->merged_files.empty() ? tab->session->path() : tab->merged_files.front().path;
    if (path == "-" || is_lane(*tab)) continue;
    std::filesystem::path beside = absolute_path(path);
    for (int i = 0; i < 2 && beside.has_extension(); ++i) beside.replace_extension();
    return beside.string() + ".cinder";
  }
  return absolute_path("session.cinder");
}

Status SessionsController::forget() {
  if (!session_) return refused("No session is open.");
  for (const auto& tab : app_.tabs().all) {
    if (tab->of_session != nullptr && tab->of_session->restored) tab->of_session.reset();
    tab->session_origin.reset();
  }
  session_.reset();
  unopened_.clear();
  asking_ = asks_replace_ = false;
  return ok();
}

void SessionsController::set_note(std::string_view title, std::string_view note) {
  if (!session_) session_.emplace();
  session_->file.title = title.substr(0, kLongestNote);
  session_->file.note = note.substr(0, kLongestNote);
  session_->note_dismissed = false;
}

Status SessionsController::replace_trace(const std::string& path, std::size_t at) {
  Tab& tab = *app_.tabs().all[at];
  if (tab.missing != nullptr) return app_.controllers().missing->locate(path);
  if (tab.comparison != nullptr || !tab.merged_files.empty()) {
    return refused("Only a trace of its own can be replaced.");
  }
  Session& session = *tab.session;
  if (!session.can_reload() || !session.has_trace() || session.loading()) {
    return refused("The trace cannot be replaced now.");
  }
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return refused(fmt::format("There is no file {}.", drawable(path)));
  }
  // Texts are looked up anew, and times count from the new begin.
  auto part = std::make_unique<SessionPart>();
  part->saved = tab_state(app_, tab);
  part->saved.view.bookmarks.clear();
  part->shift_from_ns = session.timeline().begin_ns;
  part->place = at;
  const std::string absolute = absolute_path(path);
  tab.of_session = std::move(part);
  tab.saved = {};
  session.state().bookmarks.clear();
  session.replace(absolute, shown_file_name(absolute),
                  [absolute](LoadContext& context) { return open_source(absolute, context); });
  if (!session_) session_.emplace();
  app_.draw_again();
  return ok();
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
  if (word == "cancel") asking_ = asks_replace_ = quits_then_ = false;
  if (word == "save") {
    asking_ = false;
    if (in_pack()) {
      app_.ask_command("save-session-as", {});
      return ok();
    }
    quits_then_ = true;
    return save({}, false);
  }
  if (word == "discard") app_.quit();
  if (word == "replace") {
    asks_replace_ = false;
    return save({}, true);
  }
  if (word == "theirs" && session_) {
    const std::string path = session_->path;
    asks_replace_ = false;
    while (!app_.tabs().all.empty()) app_.controllers().tabs->close(0);
    session_.reset();
    unopened_.clear();
    open(path);
  }
  return ok();
}

std::string SessionsController::label() const {
  if (!session_ || session_->path.empty()) return {};
  std::filesystem::path name = file_name(session_->path);
  name.replace_extension();
  return drawable(name.string()) + (unsaved() ? " ·" : "");
}

std::vector<std::string> SessionsController::missing() const {
  std::vector<std::string> names;
  for (const auto& tab : app_.tabs().all) {
    if (tab->missing != nullptr && tab->of_session != nullptr) names.push_back(tab->missing->name);
  }
  for (std::size_t i = 0; session_ && i < session_->file.traces.size(); ++i) {
    const bool there = i < session_->located.size() && !session_->located[i].path.empty() &&
                       session_->located[i].location != Location::missing &&
                       session_->located[i].location != Location::another;
    const std::string name = shown_file_name(session_->file.traces[i].path);
    if (!there && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string SessionsController::state_json() const {
  JsonWriter out;
  if (!session_ || (session_->path.empty() && session_->file.title.empty())) {
    out.null();
    return out.str();
  }
  out.begin_object().field("path", std::string_view(session_->path));
  out.field("title", std::string_view(session_->file.title)).field("unsaved", unsaved());
  out.key("missing").begin_array();
  for (const std::string& name : missing()) out.text(name);
  out.end_array().field("left_out", session_->file.left_out).end_object();
  return out.str();
}

std::vector<std::string> SessionsController::notices() const {
  std::vector<std::string> texts;
  if (!session_) return texts;
  const std::string name = drawable(file_name(session_->path));
  if (asks_replace_)
    texts.push_back(fmt::format("{} was changed meanwhile by somebody else.", name));
  if (asking_) texts.push_back(fmt::format("There is something in {} that is not saved.", name));
  if (!session_->problems.empty() && !session_->left_out_dismissed) {
    constexpr std::size_t kMostTold = 3;
    std::string text = fmt::format("{} is not whole.", name);
    for (std::size_t i = 0; i < std::min(kMostTold, session_->problems.size()); ++i) {
      text += " " + drawable(session_->problems[i]);
    }
    if (session_->problems.size() > kMostTold) {
      text += fmt::format(" And {} more.", session_->problems.size() - kMostTold);
    }
    texts.push_back(std::move(text));
  }
  const SessionFile& file = session_->file;
  if (file.left_out > 0 && !session_->left_out_dismissed) {
    texts.push_back(fmt::format("{} {} in {} {} from a newer version and {} left out.",
                                file.left_out, file.left_out == 1 ? "thing" : "things", name,
                                file.left_out == 1 ? "is" : "are",
                                file.left_out == 1 ? "was" : "were"));
  }
  if (shows_note()) {
    texts.push_back(
        drawable(file.title + (file.title.empty() || file.note.empty() ? "" : ": ") + file.note));
  }
  return texts;
}

bool SessionsController::shows_note() const {
  if (!session_ || session_->note_dismissed) return false;
  return !session_->file.title.empty() || !session_->file.note.empty();
}

Rect SessionsController::draw_notices(const Rect& area, Actions& actions) {
  Rect left = area;
  const std::vector<std::string> texts = notices();
  std::size_t number = 0;
  const bool has_note = shows_note();  // the last of them
  const auto draw_one = [&](bool shown, std::vector<NoticeAnswer> answers) {
    if (!shown || number >= texts.size()) return;
    const float height = std::round(app_.theme().px(kNoticePx));
    ImGui::PushID(static_cast<int>(number));
    draw_notice({.theme = app_.theme(),
                 .area = {left.x, left.y, left.width, height},
                 .text = texts[number],
                 .answers = std::move(answers),
                 .warns = !(has_note && number + 1 == texts.size())},
                actions);
    ImGui::PopID();
    ++number;
    left.y += height;
    left.height = std::max(0.0F, left.height - height);
  };
  draw_one(asks_replace_, {{"Replace", {"answer-session", "replace"}},
                           {"Save as…", {"save-session-as", ""}},
                           {"Open theirs", {"answer-session", "theirs"}}});
  draw_one(asking_, {{"Save", {"answer-session", "save"}},
                     {"Don't save", {"answer-session", "discard"}},
                     {"Cancel", {"answer-session", "cancel"}}});
  for (int i = 0; i < 3; ++i) draw_one(true, {{"Dismiss", {"answer-session", "dismiss"}}});
  return left;
}

namespace {

SessionsController& sessions_of(AppContext& app) {
  return *app.controllers().sessions;
}

Status save_session(AppContext& app, const CommandArguments& arguments) {
  SessionsController& sessions = sessions_of(app);
  if (arguments.empty() && !sessions.has_file()) {
    app.ask_command("save-session-as", {});
    return ok();
  }
  return sessions.save(arguments.text(), arguments.text(1) == "force");
}

Status save_session_as(AppContext& app, const CommandArguments& arguments) {
  return sessions_of(app).save(arguments.text(), arguments.text(1) == "force");
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

Status replace_trace(AppContext& app, const CommandArguments& arguments) {
  const TabList& tabs = app.tabs();
  const auto tab = static_cast<std::size_t>(
      arguments.number(1).value_or(static_cast<std::int64_t>(tabs.shown_index) + 1));
  if (tab < 1 || tab > tabs.all.size()) return refused("There is no such tab.");
  return sessions_of(app).replace_trace(arguments.text(), tab - 1);
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

constexpr auto kGroup = CommandGroup::file;
using Needs = CommandNeeds;

constexpr Command kCommands[] = {
    {"save-session",
     "[PATH [force]]",
     "Ctrl+S",
     "Save the session: all tabs, and what is shown of them",
     kGroup,
     Needs::tab,
     save_session,
     {},
     offered_path},
    {"save-session-as",
     "PATH [force]",
     "Ctrl+Shift+S",
     "Save the session as another file",
     kGroup,
     Needs::tab,
     save_session_as,
     {},
     offered_path},
    {"close-session", "", "", "Forget the session, keep the tabs", kGroup, Needs::nothing,
     close_session},
    {"session-note", "[TEXT]", "", "Title and note of the session", kGroup, Needs::tab,
     session_note},
    {"replace-trace", "PATH [N]", "", "Another recording in place of this one", kGroup, Needs::tab,
     replace_trace},
    {"leave-out-trace", "", "", "Leave the missing trace out of the session", kGroup, Needs::tab,
     leave_out_trace},
    {"answer-session", "save|discard|cancel|replace|theirs|dismiss", "",
     "Answer what is asked about the session", kGroup, Needs::nothing, answer_session},
};

}  // namespace

std::span<const Command> session_commands() {
  return kCommands;
}

}  // namespace cinderscope
