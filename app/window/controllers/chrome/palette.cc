#include "app/window/controllers/chrome/palette.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/path_rows.h"
#include "app/places/place.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/paths.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/view.h"
#include "app/window/tab.h"
#include "render/base/actions.h"
#include "render/layout/track_list.h"
#include "render/text/file_name.h"
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
    const Tab& tab = *tabs.all[i];
    const bool compared = tab.comparison != nullptr;
    targets.push_back({compared ? fmt::format("Show comparison {}", cut(tab.comparison->title()))
                                : fmt::format("Show trace {}", cut(tab.session->title())),
                       "tab",
                       fmt::format("{}", i + 1),
                       {}});
  }
  for (const RecentFile& file : app_.settings().recent) {
    targets.push_back({fmt::format("Open recent {}", cut(telling_name(file.path))), "open",
                       quoted_argument(file.path), cut(folder_above_name(file.path))});
  }
  if (const std::string& sample = app_.controllers().start->sample_path(); !sample.empty()) {
    targets.push_back({"Open the sample", "open", quoted_argument(sample), {}});
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
  if (open_) {
    open_ = false;
    pressed_.clear();
    return;
  }
  begin(nullptr, std::nullopt, {});
}

void PaletteController::ask(const Command* command) {
  from_commands_ = open_ && asking_ == nullptr && !list_;
  begin(command, std::nullopt,
        command == nullptr ? "" : app_.controllers().paths->offered(*command));
}

void PaletteController::show(PaletteList list) {
  begin(nullptr, std::move(list), {});
}

void PaletteController::begin(const Command* command, std::optional<PaletteList> list,
                              std::string_view text) {
  if (!open_) {
    open_ = true;
    pressed_.clear();
    app_.controllers().keys->let_go();
    app_.controllers().keys->close_help();
    app_.controllers().paths->forget();
    targets_ = targets();
  }
  asking_ = command;
  list_ = std::move(list);
  set_text(text);
  app_.draw_again();
}

void PaletteController::set_text(std::string_view text) {
  replaced_ = text_.data();
  const std::string copy(text);  // it may be of what is listed now
  text_.fill('\0');
  copy.copy(text_.data(), text_.size() - 1);
  text_before_ = text_.data();
  list_rows();
}

namespace {

// Whether a path is typed, and of which command; `before` stands before it: "open /a".
struct PathInField {
  const Command* command = nullptr;
  std::string_view before, path;
};
PathInField path_in_field(const CommandTable& commands, const Command* asking,
                          std::string_view typed) {
  if (asking != nullptr) {
    return takes_path(*asking) ? PathInField{asking, {}, typed} : PathInField{};
  }
  if (looks_like_path(typed)) return {commands.named("open"), {}, typed};
  const CommandCall call = split_call(typed);
  const Command* command = commands.named(call.name);
  if (command == nullptr || !takes_path(*command) || !looks_like_path(call.argument)) return {};
  const auto before = static_cast<std::size_t>(call.argument.data() - typed.data());
  return {command, typed.substr(0, before), typed.substr(before)};
}

}  // namespace

std::vector<PaletteRow> PaletteController::rows_for(std::string_view typed) {
  wide_ = list_.has_value();
  if (list_) return list_->rows(typed);
  if (asking_ == nullptr && is_place(typed)) {
    return {{.text = "Go to this place", .command = "go-to-place", .argument = std::string(typed)}};
  }
  const PathInField at = path_in_field(app_.commands(), asking_, typed);
  wide_ = at.command != nullptr && enabled(*at.command, app_.command_state());
  if (wide_) {
    return app_.controllers().paths->rows(*at.command, at.path, at.before);
  }
  if (asking_ != nullptr) {
    std::vector<std::string> choices;
    if (asking_->choices != nullptr) choices = asking_->choices(app_);
    return argument_rows(*asking_, typed, choices);
  }
  return palette_rows({.commands = app_.commands(),
                       .keys = app_.controllers().keys->map(),
                       .state = app_.command_state(),
                       .recent = recent_,
                       .targets = targets_},
                      typed);
}

void PaletteController::list_rows() {
  rows_ = rows_for(text_.data());
  chosen_ = 0;
  if (list_) chosen_ = text_[0] == '\0' ? list_->chosen : list_->first;
  if (chosen_ >= rows_.size()) chosen_ = 0;
  reveal_chosen_ = true;
}

void PaletteController::list_again() {
  if (!open_) return;
  const bool is_first = chosen_ == 0 || chosen_ >= rows_.size();
  const PaletteRow chosen = is_first ? PaletteRow{} : rows_[chosen_];
  const std::size_t place = chosen_;
  const bool reveals = reveal_chosen_;
  list_rows();
  reveal_chosen_ = reveals;  // the list stays where it was scrolled to
  app_.draw_again();
  if (is_first && !list_) return;
  const auto same = std::ranges::find_if(rows_, [&chosen](const PaletteRow& row) {
    return row.command == chosen.command && row.argument == chosen.argument &&
           row.completes == chosen.completes;
  });
  chosen_ = same != rows_.end() ? static_cast<std::size_t>(same - rows_.begin())
                                : std::min(place, rows_.empty() ? 0 : rows_.size() - 1);
}

// Backspace at the end of a folder goes to the one above.
void PaletteController::note_edit() {
  const std::string now = text_.data();
  if (now == text_before_) return;
  const PathInField at = path_in_field(app_.commands(), asking_, text_before_);
  const bool goes_up =
      !list_ && at.command != nullptr && text_before_ == now + '/' && at.path.size() > 1;
  if (goes_up) {
    set_text(std::string(at.before) + app_.controllers().paths->folder_above(at.path));
  } else {
    text_before_ = now;
    list_rows();
  }
}

// Of the chosen row, else of the first that has something to complete.
void PaletteController::complete() {
  replaced_ = text_.data();  // Tab leaves the field as it is
  const auto completes = [](const PaletteRow& row) { return !row.completes.empty(); };
  const bool chosen = chosen_ < rows_.size() && completes(rows_[chosen_]);
  const auto row = chosen ? rows_.begin() + static_cast<std::ptrdiff_t>(chosen_)
                          : std::ranges::find_if(rows_, completes);
  if (row != rows_.end()) set_text(std::string(row->completes));
}

void PaletteController::take_key(const KeyChord& chord) {
  const Command* command = app_.controllers().keys->map().command_for(chord);
  if (command != nullptr && command->name == "palette" && (chord.ctrl || chord.alt)) {
    return toggle();
  }
  pressed_.push_back(chord);
}

void PaletteController::press(const KeyChord& chord, Actions& actions) {
  const Key key = chord.key;
  const std::size_t last = rows_.empty() ? 0 : rows_.size() - 1;
  std::size_t& chosen = chosen_;
  const std::size_t page = std::max<std::size_t>(rows_shown_, 2) - 1;
  reveal_chosen_ = true;
  if (key == Key::escape) {
    // One step at a time: from an argument back to the commands.
    if (asking_ != nullptr && from_commands_) return ask(nullptr);
    open_ = false;
  } else if (key == Key::down) {
    chosen = chosen >= last ? 0 : chosen + 1;
  } else if (key == Key::up) {
    chosen = chosen == 0 ? last : chosen - 1;
  } else if (key == Key::page_down) {
    chosen = std::min(chosen + page, last);
  } else if (key == Key::page_up) {
    chosen -= std::min(chosen, page);
  } else if (key == Key::tab) {
    const Command* command =
        chosen < rows_.size() ? app_.commands().named(rows_[chosen].command) : nullptr;
    const bool takes_any = command != nullptr && !command->arguments.empty();
    const bool is_command = rows_.empty() || rows_[chosen].argument.empty();
    if (asking_ == nullptr && !list_ && takes_any && is_command && rows_[chosen].enabled) {
      ask(command);
    } else {
      complete();
    }
  } else if (key == Key::enter) {
    if (chord.ctrl && list_ && !rows_.empty()) chosen_ = 0;
    run_chosen(actions);
  }
}

void PaletteController::run_chosen(Actions& actions) {
  if (chosen_ >= rows_.size()) return;
  const PaletteRow row = rows_[chosen_];
  const Command* command = app_.commands().named(row.command);
  if (row.enabled && command == nullptr && !row.completes.empty()) return set_text(row.completes);
  replaced_ = text_.data();  // Enter has left the field, which would select its text
  if (!row.enabled || command == nullptr) return;
  if (row.asks) return ask(command);
  open_ = row.stays;
  ran_staying_ = row.stays;
  if (asking_ != nullptr || row.argument.empty()) note_recent(recent_, command->name);
  std::string argument = row.argument;
  if (asking_ != nullptr && asking_->name == "go-to-time") {
    argument = app_.controllers().view->as_on_ruler(argument);
  }
  actions.push_back(RunCommand{row.command, std::move(argument)});
}

void PaletteController::draw(Actions& actions) {
  if (!open_) return;
  if (std::exchange(ran_staying_, false)) list_again();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  CommandPaletteFrame frame{.theme = app_.theme(),
                            .area = {0, 0, size.x, size.y},
                            .hint = "Type what you want to do",
                            .text = text_,
                            .replaced = replaced_,
                            .rows = rows_,
                            .chosen = chosen_,
                            .wide = wide_,
                            .reveal_chosen = std::exchange(reveal_chosen_, false)};
  if (asking_ != nullptr) {
    frame.prompt = asking_->help;
    frame.hint = takes_path(*asking_) ? "Path; Tab completes it" : asking_->arguments;
    const bool asks_range = asking_->arguments.find("BEGIN END") != std::string_view::npos;
    if (asks_range) frame.hint = "+1.2s +1.5s";
    if (asking_->name == "go-to-time") frame.hint = "12.5ms  end-2s  09:30:01  mark:NOTE  now";
  }
  if (list_) {
    frame.prompt = list_->prompt;
    frame.hint = list_->hint;
  }
  const CommandPaletteAnswer answer = draw_command_palette(frame);
  rows_shown_ = answer.rows_shown;
  if (answer.edited) {
    note_edit();
    app_.draw_again();
  }
  if (answer.run) run_chosen(actions);
  if (answer.outside) open_ = false;
  for (const KeyChord& chord : std::exchange(pressed_, {})) {
    if (open_) press(chord, actions);
    app_.draw_again();
  }
}

namespace {

Status palette(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().palette->toggle();
  return ok();
}

constexpr Command kPaletteCommands[] = {
    {"palette", "", "Ctrl+Shift+P", "All commands", CommandGroup::window, CommandNeeds::nothing,
     palette},
};

}  // namespace

std::span<const Command> palette_commands() {
  return kPaletteCommands;
}

}  // namespace cinderscope
