#include "app/window/app.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <utility>

#include "app/cli/cli.h"
#include "app/script/state_json.h"
#include "app/window/imgui_input.h"
#include "app/window/player.h"
#include "ingest/base/self_trace.h"
#include "render/views/widgets/draw_digest.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLoadingTickSeconds = 0.1;                // how often progress is shown
constexpr double kUnchangedSeconds = 0.008;                // between frames that look the same
constexpr double kZoomPerSecond = 6, kPanPerSecond = 1.2;  // while a key is held
constexpr std::chrono::milliseconds kFlightTime{120};
constexpr std::chrono::milliseconds kFirstPicturePatience{80};

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Beside the program in a build, in the data folder once installed.
std::string find_sample() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  for (std::filesystem::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* inside : {"assets/sample.json.gz", "share/cinderscope/sample.json.gz"}) {
      if (std::filesystem::exists(folder / inside, ignored)) return (folder / inside).string();
    }
  }
  return {};
}

}  // namespace

App::App(Window& window, LoadOptions load)
    : window_(window),
      load_(std::move(load)),
      file_check_([] { Window::wake(); }),
      sample_path_(find_sample()) {
  ImGui::CreateContext(fonts_.atlas());
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ClipboardUserData = &window_;
  io.SetClipboardTextFn = [](void* to, const char* text) {
    static_cast<Window*>(to)->set_clipboard(text);
  };
  io.GetClipboardTextFn = [](void* from) {
    static std::string text;  // ImGui wants it to stay until the next call
    text = static_cast<Window*>(from)->clipboard();
    return text.c_str();
  };
  set_up_imgui_keys();
  apply_settings();
  last_frame_ = Clock::now();
}

App::~App() {
  hand_over_.reset();
  if (running_) keep_everything();
  tabs_.clear();
  closing_.clear();
  fonts_.stop();
  ImGui::DestroyContext();
}

bool App::still() const {
  const bool moves = active() != nullptr && active()->timeline_view.animating();
  return !moves && !flight_ && held_.empty() && frames_due_ == 0 && input_.empty();
}

// Something that is shown is being added up, or will look otherwise: scripts wait for it.
bool App::measuring() const {
  if (fonts_.building() && !window_.minimised()) return true;
  const Tab* tab = active();
  if (tab == nullptr || !panel_open_) return false;
  return (panel_tab_ == PanelId::flame_graph && tab->flame_graph.busy()) ||
         (panel_tab_ == PanelId::calls && tab->calls.busy()) ||
         (panel_tab_ == PanelId::details && tab->all_of_name.busy());
}

void App::wait_for_input(const Player* player) {
  std::optional<double> seconds;
  const bool rests = still() || window_.minimised();  // frames that are due wait for the window
  if (!rests) {
    // Where nothing new is presented nothing waits for the display either.
    seconds = nothing_new_ && frames_due_ == 0 ? kUnchangedSeconds : 0;
  } else if (loading() || dialog_open() || !closing_.empty()) {
    seconds = kLoadingTickSeconds;
  } else if (!message_.empty()) {
    seconds = std::chrono::duration<double>(message_until_ - Clock::now()).count();
    seconds = std::max(0.0, *seconds);
  }
  if (collecting_ != nullptr) {
    if (const auto due = collecting_->seconds_to_reload()) {
      seconds = std::min(seconds.value_or(*due), *due);
    }
  }
  if (const auto due = seconds_to_store()) seconds = std::min(seconds.value_or(*due), *due);
  if (player != nullptr && !player->done() && rests) {
    seconds = std::min(seconds.value_or(kLoadingTickSeconds),
                       player->waiting_seconds().value_or(loading() || measuring() ? 0.01 : 0.0));
  }
  collect(seconds);
}

// Input that is there when it is asked for without waiting came since it was last asked for, at
// the earliest; what ended a wait came now.
void App::collect(std::optional<double> seconds) {
  constexpr std::chrono::milliseconds kNoWait{1};
  const SteadyTime before = Clock::now();
  window_.collect(input_, seconds);
  const SteadyTime now = Clock::now();
  input_clock_.arrived(input_.size(), now - before < kNoWait ? last_collected_ : now);
  last_collected_ = now;
}

// What is opened at the start is most often there in a moment. Then the first frame shows it.
void App::wait_for_first_picture() {
  const SteadyTime end = Clock::now() + kFirstPicturePatience;
  while (Clock::now() < end && active() != nullptr && active()->session->loading() &&
         !active()->session->has_trace()) {
    collect(0.005);
    poll_loads();
  }
}

int App::run(Player* player) {
  painter_.open();
  running_ = true;
  last_collected_ = Clock::now();
  wait_for_first_picture();
  while (!quitting_) {
    wait_for_input(player);
    poll_loads();
    poll_store();
    if (fonts_.poll()) {
      shown_digest_.reset();
      draw_again();
    }
    if (window_.take_damage()) {
      shown_digest_.reset();
      draw_again();
    }
    if (!input_.empty()) draw_again();
    if (window_.close_requested()) break;
    if (!message_.empty() && Clock::now() >= message_until_) {
      message_.clear();
      draw_again(1);
    }
    const bool moves = !still() && !window_.minimised();
    if (moves) draw_frame();
    if (still()) input_clock_.rested();
    // A script goes on once nothing moves any more, or while only a held key or progress does.
    const bool only_progress =
        (loading() || searching()) && input_.empty() && !flight_ && screenshot_.empty();
    if (player != nullptr && !measuring() && (!moves || !held_.empty() || only_progress)) {
      player->advance(*this);
      if (!player->error().empty()) {
        fmt::print(stderr, "{}\n", player->error());
        return kExitUsage;
      }
      if (!screenshot_.empty()) draw_again(2);
      input_clock_.arrived(input_.size(), Clock::now());
      if (!input_.empty()) draw_again();
    }
  }
  return kExitOk;
}

void App::take_input() {
  const std::vector<InputEvent> events = take_for_frame(input_);
  input_clock_.taken(input_.size());
  for (const InputEvent& event : events) {
    if (!is_key_of_search(event)) feed_imgui(event);
    if (const auto* key = std::get_if<KeyChanged>(&event)) take_key(*key);
    if (const auto* drop = std::get_if<FilesDropped>(&event)) {
      if (drop->shift) {
        take_dropped_for_merge(*drop);
      } else if (!take_dropped_names(*drop)) {
        for (const std::string& path : drop->paths) open(path);
      }
    }
    if (const auto* focus = std::get_if<FocusChanged>(&event);
        focus != nullptr && !focus->focused) {
      held_.clear();
      palette_.open = false;
    } else if (focus != nullptr) {
      ask_system_theme();  // it may have changed meanwhile
    }
  }
}

void App::step_motion(double seconds) {
  Tab* tab = active();
  if (tab == nullptr || !tab->session->has_trace()) {
    flight_.reset();
    held_.clear();
    return;
  }
  if (flight_) {
    const double t = std::min(1.0, std::chrono::duration<double>(Clock::now() - flight_->began) /
                                       std::chrono::duration<double>(kFlightTime));
    const double eased = 1 - (1 - t) * (1 - t) * (1 - t);
    tab->session->state().view = t >= 1 ? flight_->to : mixed(flight_->from, flight_->to, eased);
    if (t >= 1) flight_.reset();
  }
  for (const CommandId id : held_) {
    const Viewport& view = tab->session->state().view;
    const auto width_px = static_cast<double>(view.width_px);
    double around_px = width_px / 2;
    if (const auto cursor_ns = tab->session->state().cursor_ns) {
      around_px = std::clamp(view.px_from_ns(*cursor_ns), 0.0, width_px);
    }
    if (id == CommandId::zoom_in) {
      show_view(zoomed(view, std::exp(-kZoomPerSecond * seconds), around_px), false, false);
    } else if (id == CommandId::zoom_out) {
      show_view(zoomed(view, std::exp(kZoomPerSecond * seconds), around_px), false, false);
    } else {
      const double sign = id == CommandId::pan_left ? -1 : 1;
      show_view(panned(view, sign * kPanPerSecond * seconds * width_px), false, false);
    }
  }
}

void App::draw_frame() {
  // What only progress moves may wait for a core, and the first picture waits for the loaders.
  const bool asked_for = presented_ > 0 && (!input_.empty() || flight_ || !held_.empty());
  std::optional<FrameInProgress> first;
  if (asked_for) first.emplace();
  const SteadyTime now = Clock::now();
  // ImGui tells double clicks from two clicks, and a hold from a throw, by the time that went by.
  const double passed =
      std::clamp(std::chrono::duration<double>(now - last_frame_).count(), 0.001, 10.0);
  const double seconds = std::min(passed, 0.05);  // after a rest it is no motion of held keys
  last_frame_ = now;
  const double cpu_before = thread_cpu_ms();
  const SelfTraceMark mark("frame");
  {
    const SelfTraceMark input_mark("input");
    take_input();
    step_motion(seconds);
  }
  {
    const SelfTraceMark theme_mark("theme and fonts");
    update_theme();
  }

  ImGuiIO& io = ImGui::GetIO();
  const WindowSize size = window_.size();
  io.DisplaySize = {static_cast<float>(size.width_px), static_cast<float>(size.height_px)};
  io.DeltaTime = static_cast<float>(passed);
  ImGui::NewFrame();
  Actions actions;
  {
    const SelfTraceMark window_mark("window");
    draw_window(actions);
  }
  {
    const SelfTraceMark lists_mark("draw lists");
    ImGui::Render();
  }
  frame_times_.add(thread_cpu_ms() - cpu_before);
  self_trace_count("frame CPU in ms", frame_times_.last_ms());
  if (frames_due_ > 0) --frames_due_;

  nothing_new_ = !looks_new();
  if (!nothing_new_) {
    present_frame(first);
    note_response();
    if (presented_ == 1) painter_.warm_up();
  }
  first.reset();
  switch (ImGui::GetMouseCursor()) {
    case ImGuiMouseCursor_TextInput:
      window_.set_pointer(PointerShape::text);
      break;
    case ImGuiMouseCursor_Hand:
      window_.set_pointer(PointerShape::hand);
      break;
    case ImGuiMouseCursor_ResizeEW:
      window_.set_pointer(PointerShape::resize_x);
      break;
    case ImGuiMouseCursor_ResizeNS:
      window_.set_pointer(PointerShape::resize_y);
      break;
    default:
      window_.set_pointer(PointerShape::arrow);
  }
  const SelfTraceMark actions_mark("actions", "count", static_cast<std::int64_t>(actions.size()));
  for (const Action& action : actions) apply(action);
}

// Most frames that follow an input let everything settle and differ in nothing; drawing them would
// keep the next input waiting.
bool App::looks_new() {
  std::uint64_t digest = digest_of(*ImGui::GetDrawData());
  for (const std::uint64_t other :
       {images_.sent(), static_cast<std::uint64_t>(theme_.colours.background)}) {
    digest = digest * 31 + other;
  }
  const bool new_look = shown_digest_ != digest;
  shown_digest_ = digest;
  return new_look || !screenshot_.empty();
}

void App::present_frame(std::optional<FrameInProgress>& first) {
  const ImVec4 back = ImGui::ColorConvertU32ToFloat4(theme_.colours.background);
  window_.clear(back.x, back.y, back.z);
  const ImDrawData& data = *ImGui::GetDrawData();
  {
    const SelfTraceMark draw_mark("draw", "vertices", data.TotalVtxCount);
    painter_.paint(data);
  }
  if (!screenshot_.empty() && frames_due_ == 0) {
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

// The frame that was just presented may be what somebody waited for.
void App::note_response() {
  const SteadyTime now = Clock::now();
  // What came before the first picture waited for that, which first_picture_ms tells.
  if (presented_ == 1) input_clock_.rested();
  input_clock_.shown(now);
  Tab* tab = active();
  if (tab == nullptr || tab->first_picture_ms || !tab->session->has_trace()) return;
  if (tab->session->state().visible_boxes == 0) return;
  tab->first_picture_ms = std::chrono::duration<double, std::milli>(now - tab->asked).count();
  self_trace_count("first picture in ms", *tab->first_picture_ms);
}

Status App::save_state(const std::string& path) {
  const WindowSize size = window_.size();
  WindowFacts facts{.width = size.width_px, .height = size.height_px, .scale = theme_.scale};
  facts.theme = theme_.kind == ThemeKind::dark ? "dark" : "light";
  facts.last_frame_ms = frame_times_.last_ms();
  facts.median_frame_ms = frame_times_.percentile_ms(0.5);
  facts.p99_frame_ms = frame_times_.percentile_ms(0.99);
  facts.input_frames = input_clock_.times().count();
  facts.last_input_ms = input_clock_.times().last_ms();
  facts.median_input_ms = input_clock_.times().percentile_ms(0.5);
  facts.p99_input_ms = input_clock_.times().percentile_ms(0.99);
  facts.longest_input_ms = input_clock_.times().percentile_ms(1);
  facts.presented_frames = presented_;
  if (Tab* tab = active(); tab != nullptr) {
    facts.first_picture_ms = tab->first_picture_ms;
    facts.flame_graph = tab->flame_graph.state_json(*tab->session);
    facts.search = tab->search.facts(*tab->session);
  }
  std::vector<std::string> files;
  files.reserve(tabs_.size());
  for (const auto& tab : tabs_) files.push_back(tab->session->path());
  const std::string json = state_json(
      facts, files, active() == nullptr ? nullptr : active()->session.get(),
      active() == nullptr ? StatisticsFacts{} : active()->statistics.facts(*active()->session));
  // Written aside and renamed: who watches for it never reads a half of it.
  const std::string aside = path + ".part";
  std::ofstream out(aside, std::ios::binary);
  out << json << '\n';
  out.close();
  if (!out || std::rename(aside.c_str(), path.c_str()) != 0) {
    return Error{ErrorCode::cannot_read, fmt::format("{} cannot be written.", path), {}};
  }
  return ok();
}

}  // namespace cinderscope
