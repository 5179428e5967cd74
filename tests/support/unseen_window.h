// The window's contents in a test: a shell on Dear ImGui without a display or a GPU.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "app/commands/arguments.h"
#include "app/commands/keys.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/table_saver.h"
#include "app/window/sessions/sessions.h"
#include "app/window/shell.h"
#include "app/window/tab.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/render/views/known_images.h"
#include "tests/unit/render/views/null_imgui.h"

namespace cinderscope {

// Two threads of one process. main: 0..1000 us "work" with "step" at 100..300 and "step" at
// 400..450 inside; worker: 200..900 us "job". Times in the trace are nanoseconds.
inline constexpr std::string_view kTwoThreads = R"([
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"work","args":{"id":7}},
{"ph":"X","pid":1,"tid":1,"ts":100,"dur":200,"name":"step"},
{"ph":"X","pid":1,"tid":1,"ts":400,"dur":50,"name":"step"},
{"ph":"X","pid":1,"tid":2,"ts":200,"dur":700,"name":"job"}])";

class UnseenWindow : public testing::Test {
 protected:
  static constexpr float kWidthPx = 1200, kHeightPx = 900;

  void SetUp() override {
    imgui_.emplace(kWidthPx, kHeightPx);
    shell_ = std::make_unique<Shell>(
        ShellHost{.images = images_,
                  .fonts = nullptr,
                  .copy = [this](const std::string& text) { copied_ = text; },
                  .paste = [this] { return copied_; }},
        load_options());
    // Moves are there at once.
    shell_->settings().reduced_motion = true;
  }
  void TearDown() override {
    shell_.reset();
    imgui_.reset();
  }

  virtual LoadOptions load_options() { return {}; }

  Controllers& controllers() { return shell_->controllers(); }
  Tab& tab() { return *shell_->tabs().shown(); }
  TimelineState& state() { return tab().session->state(); }
  const Timeline& timeline() { return tab().session->timeline(); }
  // As the step of a script does.
  bool find(std::string_view name) {
    const bool found = controllers().view->find(name);
    settle();
    return found;
  }
  std::string selected_name() {
    return state().selected
               ? std::string(timeline().text(slice_at(timeline(), state().selected).name))
               : "";
  }

  void frame() {
    shell_->poll();
    shell_->draw_frame(1, 1.0 / 60, [] {});
    shell_->apply_actions();
  }
  // Frames until nothing is on its way any more.
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const auto busy = [this] {
      return controllers().tabs->loading() || controllers().search->searching() ||
             controllers().compare->comparing() || controllers().parts->saving() ||
             shell_->measuring() || !shell_->still() ||
             (shell_->tabs().page() != nullptr && runs_query(*shell_->tabs().page()));
    };
    frame();
    for (frame(); busy() && std::chrono::steady_clock::now() < end; frame()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_FALSE(busy());
    frame();  // takes what was done since the last one looked
  }
  void open(std::string_view name, std::string_view content) {
    controllers().tabs->open(folder_.write(name, content).string());
    settle();
  }
  void open_two_threads() { open("two.json", kTwoThreads); }

  // A line of a script: what is wrong, empty if nothing. Then what it caused has been drawn, and
  // saved.
  std::string run(std::string_view line) {
    const CommandCall call = split_call(line);
    const Status done = shell_->run_command(call.name, call.argument);
    settle();
    std::string failed = done ? "" : done.error().text;
    for (ExportSheet* sheet : std::initializer_list<ExportSheet*>{
             controllers().parts.get(), controllers().packs.get(), controllers().pictures.get()}) {
      failed += sheet->take_failed();
    }
    failed += controllers().tables->take_failed();
    failed += controllers().sessions->take_failed();
    failed += controllers().compare->take_failed();
    return failed;
  }
  void press(std::string_view chord) {
    shell_->input().push_back(KeyChanged{*parse_chord(chord), true, false});
    shell_->input().push_back(KeyChanged{*parse_chord(chord), false, false});
    shell_->input().push_back(KeyChanged{});  // lets go of Ctrl and the like
    settle();
  }
  void type(std::string_view text) {
    for (const char c : text) shell_->input().push_back(CharacterTyped{static_cast<char32_t>(c)});
    settle();
  }
  void click(float x, float y) {
    shell_->input().push_back(PointerMoved{x, y, {}});
    frame();
    shell_->input().push_back(ButtonChanged{MouseButton::left, true, {}});
    frame();
    shell_->input().push_back(ButtonChanged{MouseButton::left, false, {}});
    settle();
  }

  // Clicks down the lower panel, at `x`, until `done`.
  template <class Done>
  void click_down_panel(float x, Done done) {
    for (float y = kHeightPx - 280; y < kHeightPx - 30 && !done(); y += 12) click(x, y);
  }

  TempDir folder_;
  std::string copied_;  // to the clipboard, last

  std::optional<NullImGui> imgui_;
  KnownImages images_;
  std::unique_ptr<Shell> shell_;
};

}  // namespace cinderscope
