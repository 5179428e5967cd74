#include "app/window/controllers/chrome/palette.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/view.h"
#include "app/window/tab.h"
#include "render/layout/track_list.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/chrome/command_palette.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMaxTargets = 5'000, kMaxNameBytes = 200;

std::string cut(std::string_view name) {
  return drawable(name.substr(0, kMaxNameBytes));
}

}  // namespace

std::vector<PaletteTarget> PaletteController::targets() const {
  std::vector<PaletteTarget> targets;
  const TabList& tabs = app_.tabs();
  for (std::size_t i = 0; i < tabs.all.size() && targets.size() < kMaxTargets; ++i) {
    if (i == tabs.shown_index) continue;
    targets.push_back({fmt::format("Show trace {}", cut(tabs.all[i]->session->title())),
                       "tab",
                       fmt::format("{}", i + 1),
                       {}});
  }
  const Tab* tab = tabs.shown();
  if (tab == nullptr || !tab->session->has_trace()) return targets;
  const Timeline& timeline = tab->session->timeline();
  const TimestampFormat format = timestamp_format(timeline, tab->session->state());
  for (const Bookmark& bookmark : tab->session->state().bookmarks) {
    if (targets.size() >= kMaxTargets) break;
    const std::string note =
        bookmark.note.empty() ? timestamp_text(bookmark.time_ns, format) : cut(bookmark.note);
    targets.push_back({fmt::format("Go to bookmark {}", note),
                       "zoom-to",
                       fmt::format("{} {}", bookmark.begin_ns, bookmark.end_ns),
                       {}});
  }
  for (std::size_t i = 0; i < timeline.tracks.size() && targets.size() < kMaxTargets; ++i) {
    const Track& track = timeline.tracks[i];
    targets.push_back({fmt::format("Go to thread {}", cut(track_label(timeline, track))), "go-to",
                       fmt::format("track {}", i), cut(track_id_text(timeline, track))});
  }
  return targets;
}

void PaletteController::toggle() {
  open_ = !open_;
  pressed_.clear();
  app_.controllers().keys->let_go();
  if (!open_) return;
  app_.controllers().keys->close_help();
  targets_ = targets();
  ask(nullptr);
}

void PaletteController::ask(const Command* command) {
  if (!open_) toggle();
  asking_ = command;
  text_.fill('\0');
  list_rows();
  app_.draw_again();
}

void PaletteController::list_rows() {
  const std::string_view typed(text_.data());
  if (asking_ != nullptr) {
    std::vector<std::string> choices;
    if (asking_->choices != nullptr) choices = asking_->choices(app_);
    rows_ = argument_rows(*asking_, typed, choices);
  } else {
    rows_ = palette_rows({.commands = app_.commands(),
                          .keys = app_.controllers().keys->map(),
                          .state = app_.command_state(),
                          .recent = recent_,
                          .targets = targets_},
                         typed);
  }
  chosen_ = 0;
  reveal_chosen_ = true;
}

void PaletteController::take_key(const KeyChord& chord) {
  const Command* command = app_.controllers().keys->map().command_for(chord);
  if (command != nullptr && command->name == "palette" && (chord.ctrl || chord.alt)) {
    return toggle();
  }
  pressed_.push_back(chord.key);
}

void PaletteController::press(Key key, Actions& actions) {
  const std::size_t last = rows_.empty() ? 0 : rows_.size() - 1;
  std::size_t& chosen = chosen_;
  const std::size_t page = std::max<std::size_t>(rows_shown_, 2) - 1;
  reveal_chosen_ = true;
  if (key == Key::escape) {
    // One step at a time: from an argument back to the commands.
    if (asking_ != nullptr) return ask(nullptr);
    open_ = false;
  } else if (key == Key::down) {
    chosen = chosen >= last ? 0 : chosen + 1;
  } else if (key == Key::up) {
    chosen = chosen == 0 ? last : chosen - 1;
  } else if (key == Key::page_down) {
    chosen = std::min(chosen + page, last);
  } else if (key == Key::page_up) {
    chosen -= std::min(chosen, page);
  } else if (key == Key::tab && chosen < rows_.size()) {
    const Command* command = app_.commands().named(rows_[chosen].command);
    const bool takes_any = command != nullptr && !command->arguments.empty();
    if (asking_ == nullptr && takes_any && rows_[chosen].enabled) {
      ask(command);
    }
  } else if (key == Key::enter) {
    run_chosen(actions);
  }
}

void PaletteController::run_chosen(Actions& actions) {
  if (chosen_ >= rows_.size()) return;
  const PaletteRow row = rows_[chosen_];
  const Command* command = app_.commands().named(row.command);
  if (!row.enabled || command == nullptr) return;
  if (row.asks) return ask(command);
  open_ = false;
  if (asking_ != nullptr || row.argument.empty()) note_recent(recent_, command->name);
  std::string argument = row.argument;
  if (asking_ != nullptr && asking_->name == "go-to-time") {
    argument = app_.controllers().view->as_on_ruler(argument);
  }
  actions.push_back(RunCommand{row.command, std::move(argument)});
}

void PaletteController::draw(Actions& actions) {
  if (!open_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  CommandPaletteFrame frame{.theme = app_.theme(),
                            .area = {0, 0, size.x, size.y},
                            .hint = "Type what you want to do",
                            .text = text_,
                            .rows = rows_,
                            .chosen = chosen_,
                            .reveal_chosen = std::exchange(reveal_chosen_, false)};
  if (asking_ != nullptr) {
    frame.prompt = asking_->help;
    frame.hint = asking_->arguments;
    const bool asks_range = asking_->arguments.find("BEGIN END") != std::string_view::npos;
    if (asks_range) frame.hint = "+1.2s +1.5s";
    if (asking_->name == "go-to-time") frame.hint = "12.5ms  end-2s  09:30:01  mark:NOTE  now";
  }
  const CommandPaletteAnswer answer = draw_command_palette(frame);
  rows_shown_ = answer.rows_shown;
  if (answer.edited) {
    list_rows();
    app_.draw_again();
  }
  if (answer.run) run_chosen(actions);
  if (answer.outside) open_ = false;
  for (const Key key : std::exchange(pressed_, {})) {
    if (open_) press(key, actions);
    app_.draw_again();
  }
}

namespace {

Status palette(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().palette->toggle();
  return ok();
}

constexpr Command kCommands[] = {
    {"palette", "", "Ctrl+Shift+P", "All commands", CommandGroup::window, CommandNeeds::nothing,
     palette},
};

}  // namespace

std::span<const Command> palette_commands() {
  return kCommands;
}

}  // namespace cinderscope
