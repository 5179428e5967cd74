// What is asked and said about the window's session.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/places/place_links.h"
#include "app/session/merge_offset.h"
#include "app/window/app_context.h"
#include "app/window/sessions/session_part.h"
#include "app/window/sessions/session_traces.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "render/text/label.h"
#include "render/views/chrome/missing_trace.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostLinksShown = 4;

std::string file_name(const std::string& path) {
  return utf8_of(path_of(path).filename());
}

}  // namespace

std::string SessionsController::label() const {
  if (!session_ || session_->path.empty()) return {};
  std::filesystem::path name = path_of(file_name(session_->path));
  name.replace_extension();
  return drawable(utf8_of(name)) + (unsaved() ? " ·" : "");
}

std::vector<std::string> SessionsController::missing() const {
  std::vector<std::string> names;
  for (const auto& tab : app_.tabs().all) {
    if (tab->missing != nullptr && tab->of_session != nullptr) names.push_back(tab->missing->name);
  }
  for (std::size_t i = 0; session_ && i < session_->file.traces.size(); ++i) {
    const bool there = i < session_->located.size() && is_there(session_->located[i]);
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
  const SessionFile& file = session_->file;
  if (asks_newer_) {
    texts.push_back(fmt::format(
        "{} is from a newer version of Cinderscope, which may not understand what this one saves.",
        name));
  }
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
  if (session_->read_only && !session_->left_out_dismissed) {
    texts.push_back(fmt::format("{} is open in another window; here it is read only.", name));
  }
  if (file.left_out > 0 && !session_->left_out_dismissed) {
    texts.push_back(fmt::format("{} {} in {} {} from a newer version and {} left out.",
                                file.left_out, file.left_out == 1 ? "thing" : "things", name,
                                file.left_out == 1 ? "is" : "are",
                                file.left_out == 1 ? "was" : "were"));
  }
  if (shows_note()) {
    texts.push_back(drawable(file.title + (file.title.empty() || file.note.empty() ? "" : ": ") +
                             with_labels(file.note)));
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
  draw_one(asks_newer_, {{"Replace", {"answer-session", "replace-newer"}},
                         {"Save as…", {"save-session-as", ""}},
                         {"Cancel", {"answer-session", "cancel"}}});
  const std::vector<PlaceLink> links =
      has_note ? places_in(session_->file.note) : std::vector<PlaceLink>();
  for (int i = 0; i < 4; ++i) {
    std::vector<NoticeAnswer> answers;
    for (std::size_t k = 0; has_note && number + 1 == texts.size() && k < links.size(); ++k) {
      if (k == kMostLinksShown) break;
      answers.push_back({links[k].label, {"go-to-place", links[k].place}});
    }
    answers.push_back({"Dismiss", {"answer-session", "dismiss"}});
    draw_one(true, std::move(answers));
  }
  return left;
}

}  // namespace cinderscope
