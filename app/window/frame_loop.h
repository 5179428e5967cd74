// The window in motion: waits for something to happen, has the shell draw a frame, and shows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/script/input_clock.h"
#include "app/script/recent_times.h"
#include "app/script/script_target.h"
#include "app/window/display/image_textures.h"
#include "app/window/display/list_painter.h"
#include "app/window/shell.h"
#include "app/window/window.h"
#include "app/window/window_fonts.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

class Player;

// Owns everything with a lifetime but the window, which need not be open before run(). UI thread
// only.
class FrameLoop : public ScriptTarget {
 public:
  FrameLoop(Window& window, LoadOptions load);
  ~FrameLoop() override;
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  Shell& shell() { return *shell_; }
  // Until the window is closed or the script ends. `player` may be null. The exit status.
  int run(Player* player);

  // For scripts.
  Status run_command(std::string_view name, std::string_view arguments) override;
  InputQueue& input() override { return shell_->input(); }
  bool find(std::string_view name) override;
  void save_screenshot(std::string path) override { screenshot_ = std::move(path); }
  Status save_state(const std::string& path) override;
  void quit() override { shell_->quit(); }
  bool loading() const override;
  bool saving() const override;
  std::string take_failed_save() override;
  bool comparing() const override;
  bool searching() const override;
  bool querying() const override;

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  void collect(std::optional<double> seconds);
  void wait_for_input(const Player* player);
  void wait_for_first_picture();
  bool measuring() const;
  void advance(Player& player, bool moves);
  void draw_frame();
  bool looks_new();
  void present_frame(std::optional<FrameInProgress>& first);
  void note_response();
  void show_pointer();
  std::string state() const;
  void keep_everything();

  Window& window_;
  WindowFonts fonts_;
  ImageTextures images_;
  ListPainter painter_;
  std::unique_ptr<Shell> shell_;
  bool running_ = false;
  std::string screenshot_;  // the path of one that is due
  SteadyTime last_frame_, last_collected_;
  RecentTimes frame_times_;  // CPU of layout and draw lists, without the GPU's part
  InputClock input_clock_;
  // What the window shows, so that a frame that looks the same is not drawn again; unset: nothing
  // that can be relied on.
  std::optional<std::uint64_t> shown_digest_;
  bool nothing_new_ = false;     // in the last frame
  std::uint64_t presented_ = 0;  // frames
};

}  // namespace cinderscope
