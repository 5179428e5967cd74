#include "app/window/frame_loop.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/output/exit_status.h"
#include "app/script/player.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/view.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/cpu_clock.h"
#include "render/views/widgets/draw_digest.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kUnchangedSeconds = 0.008;  // between frames that look the same
constexpr std::chrono::milliseconds kFirstPicturePatience{80};

void set_up_imgui(Window& window) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ClipboardUserData = &window;
  io.SetClipboardTextFn = [](void* to, const char* text) {
    static_cast<Window*>(to)->set_clipboard(text);
  };
  io.GetClipboardTextFn = [](void* from) {
    static std::string text;  // ImGui wants it to stay until the next call
    text = static_cast<Window*>(from)->clipboard();
    return text.c_str();
  };
  set_up_context();
}

}  // namespace

FrameLoop::FrameLoop(Window& window, LoadOptions load)
    : window_(window), last_frame_(Clock::now()) {
  ImGui::CreateContext(fonts_.atlas());
  set_up_imgui(window_);
  shell_ = std::make_unique<Shell>(
      ShellHost{.images = images_,
                .fonts = &fonts_,
                .copy = [this](const std::string& text) { window_.set_clipboard(text); },
                .paste = [this] { return window_.clipboard(); },
                // Not known before the window is open.
                .copies_pictures = [this] { return window_.copies_pictures(); },
                .copy_picture =
                    [this](CopiedPicture picture) {
                      window_.set_clipboard_picture(std::move(picture.png), std::move(picture.svg));
                    }},
      std::move(load));
}

FrameLoop::~FrameLoop() {
  if (running_) keep_everything();
  shell_.reset();
  fonts_.stop();
  ImGui::DestroyContext();
}

void FrameLoop::keep_everything() {
  const WindowSize size = window_.size();
  const auto at_scale_1 = [this](int px) {
    return static_cast<int>(std::lround(static_cast<float>(px) / window_.scale()));
  };
  shell_->controllers().store->keep_everything({.width = at_scale_1(size.width_px),
                                                .height = at_scale_1(size.height_px),
                                                .maximised = window_.maximised(),
                                                .minimised = window_.minimised()});
}

void FrameLoop::wait_for_input(const Player* player) {
  const bool rests = shell_->still() || window_.minimised();  // due frames wait for the window
  std::optional<double> seconds = shell_->seconds_to_wait();
  if (!rests) {
    // Where nothing new is presented nothing waits for the display either.
    seconds = nothing_new_ && shell_->frames_due() == 0 ? kUnchangedSeconds : 0;
  }
  if (player != nullptr && !player->done() && rests) {
    const double script_seconds =
        player->waiting_seconds().value_or(loading() || measuring() ? 0.01 : 0.0);
    seconds = std::min(seconds.value_or(script_seconds), script_seconds);
  }
  collect(seconds);
}

// Input that is there when it is asked for without waiting came since it was last asked for, at
// the earliest; what ended a wait came now.
void FrameLoop::collect(std::optional<double> seconds) {
  constexpr std::chrono::milliseconds kNoWait{1};
  const SteadyTime before = Clock::now();
  window_.collect(input(), seconds);
  const SteadyTime now = Clock::now();
  input_clock_.arrived(input().size(), now - before < kNoWait ? last_collected_ : now);
  last_collected_ = now;
}

// What is opened at the start is most often there in a moment. Then the first frame shows it.
void FrameLoop::wait_for_first_picture() {
  const SteadyTime end = Clock::now() + kFirstPicturePatience;
  const TabList& tabs = shell_->tabs();
  while (Clock::now() < end && tabs.shown() != nullptr && tabs.shown()->session->loading() &&
         !tabs.shown()->session->has_trace()) {
    collect(0.005);
    shell_->controllers().tabs->poll();
  }
}

int FrameLoop::run(Player* player) {
  painter_.open();
  running_ = true;
  shell_->controllers().tabs->window_is_open();
  last_collected_ = Clock::now();
  wait_for_first_picture();
  while (!shell_->quitting()) {
    wait_for_input(player);
    if (fonts_.poll()) shown_digest_.reset();
    shell_->poll();
    if (shell_->controllers().store->take_files_came()) window_.come_to_front();
    if (window_.take_damage()) {
      shown_digest_.reset();
      shell_->draw_again();
    }
    if (window_.close_requested()) {
      if (!shell_->controllers().sessions->asks_before_end()) break;
      window_.refuse_close();
    }
    const bool moves = !shell_->still() && !window_.minimised();
    if (moves) draw_frame();
    if (shell_->still()) input_clock_.rested();
    if (player == nullptr) continue;
    advance(*player, moves);
    if (!player->error().empty()) {
      fmt::print(stderr, "{}\n", player->error());
      return kExitUsage;
    }
  }
  return kExitOk;
}

// A script goes on once nothing moves any more, or while only a held key or progress does.
void FrameLoop::advance(Player& player, bool moves) {
  const Controllers& controllers = shell_->controllers();
  const bool only_progress = (loading() || searching()) && input().empty() &&
                             !controllers.view->moves() && screenshot_.empty();
  if (measuring() || (moves && !controllers.keys->holds() && !only_progress)) return;
  player.advance(*this);
  if (!screenshot_.empty()) shell_->draw_again(2);
  input_clock_.arrived(input().size(), Clock::now());
  if (!input().empty()) shell_->draw_again();
}

void FrameLoop::draw_frame() {
  // What only progress moves may wait for a core, and the first picture waits for the loaders.
  std::optional<FrameInProgress> first;
  if (presented_ > 0 && shell_->answers_input()) first.emplace();
  const SteadyTime now = Clock::now();
  // ImGui tells double clicks from two clicks, and a hold from a throw, by the time that went by.
  const double seconds =
      std::clamp(std::chrono::duration<double>(now - last_frame_).count(), 0.001, 10.0);
  last_frame_ = now;
  const double cpu_before = thread_cpu_ms();
  const SelfTraceMark mark("frame");
  shell_->draw_frame(window_.scale(), seconds, [this] {
    const WindowSize size = window_.size();
    input_clock_.taken(input().size());
    ImGui::GetIO().DisplaySize = {static_cast<float>(size.width_px),
                                  static_cast<float>(size.height_px)};
  });
  frame_times_.add(thread_cpu_ms() - cpu_before);
  self_trace_count("frame CPU in ms", frame_times_.last_ms());

  nothing_new_ = !looks_new();
  if (!nothing_new_) {
    present_frame(first);
    note_response();
    if (presented_ == 1) painter_.warm_up();
  }
  first.reset();
  show_pointer();
  shell_->apply_actions();
}

void FrameLoop::show_pointer() {
  switch (ImGui::GetMouseCursor()) {
    case ImGuiMouseCursor_TextInput:
      return window_.set_pointer(PointerShape::text);
    case ImGuiMouseCursor_Hand:
      return window_.set_pointer(PointerShape::hand);
    case ImGuiMouseCursor_ResizeEW:
      return window_.set_pointer(PointerShape::resize_x);
    case ImGuiMouseCursor_ResizeNS:
      return window_.set_pointer(PointerShape::resize_y);
    default:
      return window_.set_pointer(PointerShape::arrow);
  }
}

// Most frames that follow an input let everything settle and differ in nothing; drawing them would
// keep the next input waiting.
bool FrameLoop::looks_new() {
  std::uint64_t digest = digest_of(*ImGui::GetDrawData());
  // Letters may look otherwise at the same places.
  const auto letters =
      static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(ImGui::GetIO().Fonts));
  for (const std::uint64_t other :
       {images_.sent(), letters, std::uint64_t{shell_->theme().colours.background}}) {
    digest = digest * 31 + other;
  }
  const bool new_look = shown_digest_ != digest;
  shown_digest_ = digest;
  return new_look || !screenshot_.empty();
}

void FrameLoop::present_frame(std::optional<FrameInProgress>& first) {
  const ImVec4 back = ImGui::ColorConvertU32ToFloat4(shell_->theme().colours.background);
  window_.clear(back.x, back.y, back.z);
  const ImDrawData& data = *ImGui::GetDrawData();
  {
    const SelfTraceMark draw_mark("draw", "vertices", data.TotalVtxCount);
    painter_.paint(data);
  }
  if (!screenshot_.empty() && shell_->frames_due() == 0) {
    const Status saved = window_.save_png(screenshot_);
    if (!saved) fmt::print(stderr, "{} {}\n", saved.error().text, saved.error().expected);
    screenshot_.clear();
  }
  // A GPU draws while others work; presenting then waits for nothing but the display.
  if (!window_.drawn_by_cpu()) first.reset();
  const SelfTraceMark present_mark("present");
  window_.present();
  ++presented_;
}

// The frame just presented may answer input, or be the first picture of a trace.
void FrameLoop::note_response() {
  const SteadyTime now = Clock::now();
  // What came before the first picture waited for that, which first_picture_ms tells.
  if (presented_ == 1) input_clock_.rested();
  input_clock_.shown(now);
  Tab* tab = shell_->tabs().shown();
  if (tab == nullptr || tab->first_picture_ms || !tab->session->has_trace()) return;
  if (tab->session->state().visible_boxes == 0) return;
  tab->first_picture_ms = std::chrono::duration<double, std::milli>(now - tab->asked).count();
  self_trace_count("first picture in ms", *tab->first_picture_ms);
}

}  // namespace cinderscope
