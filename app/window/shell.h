// The window's contents without the window: one frame of it from input to draw lists.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/script/input_event.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/status_message.h"
#include "ingest/base/result.h"
#include "ingest/compare/compared_names.h"
#include "ingest/format/load_context.h"
#include "render/base/actions.h"
#include "render/base/image_store.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

class CodeEditor;
class ComparePage;
class Session;

// What the shell needs of whoever shows it; all of it outlives the shell.
struct ShellHost {
  ImageStore& images;
  WindowFonts* fonts = nullptr;  // null: ImGui's own font
  std::function<void(const std::string&)> copy;
  std::function<std::string()> paste;
  // Null: the clipboard takes texts only.
  std::function<bool()> copies_pictures;
  std::function<void(CopiedPicture)> copy_picture;
};

// Needs a Dear ImGui context, and neither a window nor a GPU. UI thread only.
class Shell : public AppContext {
 public:
  Shell(ShellHost host, LoadOptions load);
  ~Shell() override;
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  TabList& tabs() override { return tabs_; }
  Settings& settings() override { return settings_; }
  void settings_changed() override;
  const Theme& theme() const override;
  Controllers& controllers() override { return *controllers_; }
  const CommandTable& commands() const override;
  CommandState command_state() override;
  Status run_command(std::string_view name, std::string_view arguments) override;
  void ask_command(std::string_view name, std::string_view arguments) override;
  void say(std::string text, std::chrono::seconds time = std::chrono::seconds(3)) override;
  using AppContext::say_of;
  void say_of(Tab& tab, std::string text,
              std::chrono::seconds time = std::chrono::seconds(3)) override;
  void copy(const std::string& text) override { host_.copy(text); }
  std::string clipboard() override { return host_.paste ? host_.paste() : std::string(); }
  bool copies_pictures() const override {
    return host_.copies_pictures != nullptr && host_.copies_pictures();
  }
  void copy_picture(CopiedPicture picture) override { host_.copy_picture(std::move(picture)); }
  void draw_again(int frames = 3) override;
  void quit() override { quitting_ = true; }

  InputQueue& input() { return input_; }
  bool quitting() const { return quitting_; }
  const std::string& message() const { return shown_message().text; }

  // Before a frame, or in place of one: what other threads have found.
  void poll();
  // One frame on a display with that scale, `seconds` after the last one: takes the input of one
  // frame, and leaves the draw lists with Dear ImGui. `prepare` is called once fonts and style are
  // right, just before ImGui's own frame begins. The actions it gave are for apply().
  void draw_frame(float display_scale, double seconds, const std::function<void()>& prepare);
  // Carries out what the last frame's views asked for.
  void apply_actions();

  bool still() const;  // no frame is due
  int frames_due() const { return frames_due_; }
  bool answers_input() const;  // the next frame does
  bool moves_by_itself() const;
  bool measuring() const;  // the visible panel or list waits for an answer: so do scripts
  // How long the frame loop may sleep; nullopt: until there is input or wake() is called.
  std::optional<double> seconds_to_wait() const;

 private:
  // The shown tab's goes before.
  const StatusMessage& shown_message() const;
  StatusMessage& shown_message();
  void poll_message();
  void take_input();
  CodeEditor* edited() const;
  void take_dropped(const FilesDropped& drop);
  void apply(const Action& action);
  // shell_layout.cc
  void draw_window();
  void draw_toolbar_and_status(const Rect& toolbar, const Rect& status);
  void draw_trace(Tab& tab, const Rect& area);
  void draw_drop_chooser(const Rect& area);
  void draw_comparison(Tab& tab, const Rect& area);  // shell_comparison.cc
  void draw_lane(ComparePage& page, Side side, const Rect& area, bool interactive);
  void draw_timeline(Tab& tab, const Rect& area, bool interactive);
  // A trace without events has a sentence in its place.
  static bool draws_timeline(const Tab& tab);
  // No list, field or border has the mouse.
  bool timeline_has_mouse(bool over_border) const;

  ShellHost host_;
  Settings settings_;
  TabList tabs_;
  std::unique_ptr<Controllers> controllers_;
  InputQueue input_;
  Actions actions_;  // of the last frame
  int frames_due_ = 3;
  StatusMessage message_;  // about no tab
  bool quitting_ = false;
  std::optional<std::size_t> tab_below_pointer_;  // as it was drawn last
};

}  // namespace cinderscope
