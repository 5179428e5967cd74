#include "app/window/shell.h"

#include <imgui.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/commands/arguments.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/chrome/paths.h"
#include "app/window/controllers/chrome/settings_page.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/found_traces.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/notices.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/recordings.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/symbols.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/view.h"
#include "app/window/editor_keys.h"
#include "app/window/imgui_input.h"
#include "app/window/panels/table_saver.h"
#include "app/window/places/places.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "app/window/window_commands.h"
#include "ingest/base/self_trace.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTickSeconds = 0.1;  // how often progress is shown

double seconds_until(Clock::time_point time) {
  return std::max(0.0, std::chrono::duration<double>(time - Clock::now()).count());
}

}  // namespace

Shell::Shell(ShellHost host, LoadOptions load) : host_(std::move(host)) {
  controllers_ = std::make_unique<Controllers>(*this, std::move(load), host_.fonts);
  controllers_->apply_settings();
}

// Tabs first: controllers wait for nothing of theirs.
Shell::~Shell() {
  tabs_.all.clear();
}

void Shell::settings_changed() {
  controllers_->apply_settings();
  controllers_->store->save_soon();
  draw_again();
}

const Theme& Shell::theme() const {
  return controllers_->look->theme();
}

const CommandTable& Shell::commands() const {
  return window_commands();
}

CommandState Shell::command_state() {
  const bool found_traces = controllers_->found_traces->waiting();
  const Tab* tab = tabs_.shown();
  const Tab* page = tabs_.page();
  const bool measuring = controllers_->compare->measuring();
  if (tab == nullptr) return {.loading = measuring, .found_traces = found_traces};
  const TimelineState& state = tab->session->state();
  return {.has_tab = true,
          .has_trace = tab->session->has_trace() && tab->session->phase() != SessionPhase::failed,
          .has_selection = state.selected || state.selected_instant || state.selected_counter,
          .loading = tab->session->loading() || measuring,
          .found_traces = found_traces,
          .comparison = page->comparison != nullptr};
}

Status Shell::run_command(std::string_view name, std::string_view arguments) {
  return run_window_command(*this, name, arguments);
}

void Shell::ask_command(std::string_view name, std::string_view arguments) {
  const Command* command = commands().named(name);
  if (command != nullptr && arguments.empty() && needs_argument(*command) &&
      enabled(*command, command_state())) {
    return controllers_->palette->ask(command);
  }
  if (const Status done = run_command(name, arguments); !done) say_of_shown(done.error().text);
}

void Shell::say(std::string text, std::chrono::seconds time) {
  if (Tab* tab = tabs_.page()) tab->message = {};  // the newest is seen
  message_ = {.text = std::move(text), .time = time};
  draw_again();
}

void Shell::say_of(Tab& tab, std::string text, std::chrono::seconds time) {
  tab.message = {.text = std::move(text), .time = time};
  draw_again();
}

const StatusMessage& Shell::shown_message() const {
  const Tab* tab = tabs_.page();
  return tab != nullptr && !tab->message.text.empty() ? tab->message : message_;
}

StatusMessage& Shell::shown_message() {
  return const_cast<StatusMessage&>(std::as_const(*this).shown_message());
}

void Shell::poll_message() {
  StatusMessage& shown = shown_message();
  if (shown.text.empty()) return;
  const Clock::time_point now = Clock::now();
  if (!shown.until) shown.until = now + shown.time;
  if (now < *shown.until) return;
  shown = {};
  draw_again(1);
}

void Shell::draw_again(int frames) {
  frames_due_ = std::max(frames_due_, frames);
}

void Shell::poll() {
  controllers_->poll();
  if (controllers_->look->take_fonts()) draw_again();
  if (!input_.empty()) {
    controllers_->store->note_input();
    draw_again();
  }
  poll_message();
}

bool Shell::moves_by_itself() const {
  return controllers_->view->moves() || controllers_->keys->holds();
}

bool Shell::still() const {
  const Tab* page = tabs_.page();
  bool animates = page != nullptr && draws_timeline(*page) && page->timeline_view.animating();
  if (page != nullptr && page->comparison != nullptr) {
    animates |= page->comparison->lane(side_b).timeline_view.animating();
  }
  return !animates && !moves_by_itself() && frames_due_ == 0 && input_.empty();
}

bool Shell::answers_input() const {
  return !input_.empty() || moves_by_itself();
}

bool Shell::measuring() const {
  const bool lists = controllers_->palette->open() && controllers_->paths->listing();
  const bool goes = controllers_->pictures->busy() || controllers_->parts->busy() ||
                    controllers_->places->busy() || controllers_->shows->busy() ||
                    controllers_->sessions->busy() || controllers_->layouts->busy() ||
                    controllers_->packs->busy() || controllers_->tables->busy();
  return controllers_->panels->busy() || lists || goes;
}

std::optional<double> Shell::seconds_to_wait() const {
  std::optional<double> seconds;
  const auto at_most = [&seconds](std::optional<double> due) {
    if (due) seconds = std::min(seconds.value_or(*due), *due);
  };
  const TabsController& tabs = *controllers_->tabs;
  if (tabs.loading() || tabs.closing() || controllers_->paths->dialog_open()) {
    at_most(kTickSeconds);
  }
  if (tabs_.page() != nullptr && runs_query(*tabs_.page())) at_most(kTickSeconds);
  if (const auto& until = shown_message().until) at_most(seconds_until(*until));
  at_most(controllers_->notices->seconds_to_read_on());
  at_most(controllers_->recordings->seconds_to_reload());
  at_most(controllers_->store->seconds_to_save());
  return seconds;
}

void Shell::take_dropped(const FilesDropped& drop) {
  if (drop.shift) return controllers_->merge->add_dropped(drop.paths);
  if (controllers_->missing->take_dropped(drop.paths)) return;
  if (controllers_->symbols->take_dropped(drop.paths)) return;
  const bool on_head = drop.paths.size() == 1 && tab_below_pointer_.has_value() &&
                       controllers_->drops->asks_on_head(*tab_below_pointer_, drop.paths.front());
  if (on_head || controllers_->drops->asks(drop.paths)) return;
  controllers_->tabs->open_all(drop.paths);
}

// What lies over an editor takes what is typed.
CodeEditor* Shell::edited() const {
  if (controllers_->palette->open() || controllers_->keys->help_open() ||
      controllers_->settings_page->open() || controllers_->drops->open()) {
    return nullptr;
  }
  CodeEditor* note = controllers_->bookmarks->editor();
  return note != nullptr ? note : controllers_->panels->edited();
}

void Shell::take_input() {
  const SelfTraceMark mark("input");
  for (const InputEvent& event : take_for_frame(input_)) {
    const auto* typed = std::get_if<CharacterTyped>(&event);
    if (CodeEditor* editor = typed == nullptr ? nullptr : edited()) {
      type_into(*this, *editor, typed->character);
      continue;
    }
    if (!controllers_->search->hides(event)) feed_imgui(event);
    if (const auto* key = std::get_if<KeyChanged>(&event)) controllers_->keys->take(*key);
    if (const auto* drop = std::get_if<FilesDropped>(&event)) take_dropped(*drop);
    const auto* focus = std::get_if<FocusChanged>(&event);
    if (focus != nullptr) controllers_->notices->window_is_active(focus->focused);
    if (focus != nullptr && !focus->focused) {
      controllers_->keys->let_go();
      controllers_->palette->close();
    } else if (focus != nullptr) {
      controllers_->look->ask_system_theme();  // it may have changed meanwhile
    }
  }
}

void Shell::draw_frame(float display_scale, double seconds, const std::function<void()>& prepare) {
  take_input();
  if (!command_state().has_trace) controllers_->keys->let_go();  // there is nothing to move
  controllers_->view->step(seconds, controllers_->keys->held());
  {
    const SelfTraceMark mark("theme and fonts");
    if (controllers_->look->update(display_scale)) draw_again();
  }
  ImGui::GetIO().DeltaTime = static_cast<float>(seconds);
  prepare();
  ImGui::NewFrame();
  actions_.clear();
  {
    const SelfTraceMark mark("window");
    draw_window();
  }
  const SelfTraceMark mark("draw lists");
  ImGui::Render();
  if (frames_due_ > 0) --frames_due_;
}

void Shell::apply_actions() {
  const Actions actions = std::exchange(actions_, {});
  const SelfTraceMark mark("actions", "count", static_cast<std::int64_t>(actions.size()));
  for (const Action& action : actions) apply(action);
  Tab* page = tabs_.page();
  if (page != nullptr && page->comparison != nullptr) page->comparison->follow();
}

void Shell::apply(const Action& action) {
  // What a frame asks for from disk is drawn once it is there; till then the window is still.
  if (!std::holds_alternative<LoadChildrenOf>(action)) draw_again();
  if (const auto* call = std::get_if<RunCommand>(&action)) {
    return ask_command(call->name, call->argument);
  }
  if (const auto* text = std::get_if<CopyText>(&action)) {
    copy(text->text);
    return say_of_shown("copied");
  }
  Tab* page = tabs_.page();
  if (const auto* lane = std::get_if<ActOnLane>(&action)) {
    const bool other = page != nullptr && page->comparison != nullptr &&
                       page->comparison->act_on(lane->is_b ? side_b : side_a, lane->leads);
    if (other) controllers_->view->stop();
    return;
  }
  if (const auto* shift = std::get_if<ShiftLane>(&action)) {
    if (page != nullptr && page->comparison != nullptr) {
      page->comparison->drag_used_lane(*shift);
    }
    return;
  }
  Tab* tab = tabs_.shown();
  if (tab == nullptr || !tab->session->has_trace()) return;
  TimelineState& state = tab->session->state();
  ViewController& view = *controllers_->view;
  std::visit(
      [&](const auto& what) {
        using T = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<T, SelectSlice>) {
          view.select(what.slice, false);
        } else if constexpr (std::is_same_v<T, RevealSlice>) {
          view.select(what.slice, true);
        } else if constexpr (std::is_same_v<T, SelectInstant>) {
          view.select(SliceRef{}, false);
          state.selected_instant = what.instant;
        } else if constexpr (std::is_same_v<T, SelectCounter>) {
          view.select(SliceRef{}, false);
          state.selected_counter = what.counter;
        } else if constexpr (std::is_same_v<T, ShowView>) {
          view.show(what.view, what.animate, false);
        } else if constexpr (std::is_same_v<T, SetRange>) {
          state.range = what.range;
        } else if constexpr (std::is_same_v<T, ScrollTo>) {
          (what.pinned ? state.pinned_scroll_px : state.scroll_px) = what.scroll_px;
        } else if constexpr (std::is_same_v<T, LoadChildrenOf>) {
          tab->session->request_children(what.slice);
        }
      },
      action);
}

}  // namespace cinderscope
