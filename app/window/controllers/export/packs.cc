#include "app/window/controllers/export/packs.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/pack/part_size.h"
#include "app/pack/unpack.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/sessions/sessions.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/format/format.h"
#include "render/text/label.h"
#include "render/text/size_text.h"
#include "render/views/widgets/choice.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr float kSheetPx = 170, kPadPx = 16, kRowPx = 34, kHalfButtonPx = 14;

constexpr std::array<Choice, 3> kParts = {{{"Whole traces", "As they are"},
                                           {"What is shown", "Of each tab its view"},
                                           {"Selected range", "Of each tab its selected range"}}};
constexpr std::array<std::string_view, 3> kPartWords = {"whole", "view", "selected"};
constexpr std::array<Choice, 2> kNames = {
    {{"Names as they are", "With arguments and notes"},
     {"Without names", "n1, n2, … in their place; no arguments, no notes"}}};

std::size_t place_of(PackPart part) {
  return part == PackPart::view ? 1 : part == PackPart::selected ? 2 : 0;
}

std::string file_name(const std::string& path) {
  return drawable(fs::path(path).filename().string());
}

}  // namespace

// Copies share what they are made of, so that traces may change or be closed meanwhile.
struct PacksController::Measured {
  PackInput input;
  std::vector<ShownTrace> shown;
};

PacksController::PacksController(AppContext& app)
    : app_(app), writing_([] { Window::wake(); }), measuring_([] { Window::wake(); }) {}

PacksController::~PacksController() {
  if (control_) control_->cancelled = true;
}

std::string PacksController::offered_path() const {
  const SessionsController& sessions = *app_.controllers().sessions;
  fs::path path = sessions.path().empty() ? sessions.offered_path() : sessions.path();
  if (path.extension() == kPackEnding) path.replace_filename(path.stem().string() + "-2");
  path.replace_extension(kPackEnding);
  return path.string();
}

std::string PacksController::path_now() const {
  return path_.empty() ? offered_path() : absolute_path(path_);
}

Status PacksController::start(const std::string& path, bool replace) {
  Result<PackInput> input = app_.controllers().sessions->pack_input();
  if (!input) return input.error();
  if (input->session.traces.empty()) return refused("There are no traces to be packed.");
  PackRequest request{.input = std::move(*input),
                      .out = path,
                      .part = part_,
                      .anonymous = anonymous_,
                      .force = replace,
                      .load = {}};
  if (control_) control_->cancelled = true;
  control_ = std::make_shared<PackControl>();
  ask_to_replace_ = false;
  packed_path_.clear();
  said_ = "Packing…";
  writing_.start([request = std::move(request),
                  control = control_](const BackgroundQuestion<Written>& /*running*/) {
    Written written;
    std::error_code failed;
    if (!request.force && fs::exists(request.out, failed)) {
      written.exists = true;
      written.text = file_name(request.out) + " exists. Replace it?";
      return written;
    }
    const Result<Packed> packed = pack(request, *control);
    if (!packed) return written.text = packed.error().text, written;
    written.path = packed->path;
    written.text = packed_text(*packed);
    constexpr std::size_t kMostTold = 3;
    for (std::size_t i = 0; i < std::min(kMostTold, packed->notes.size()); ++i) {
      written.text += " " + drawable(packed->notes[i]);
    }
    if (packed->notes.size() > kMostTold) {
      written.text += fmt::format(" And {} more.", packed->notes.size() - kMostTold);
    }
    return written;
  });
  return ok();
}

Status PacksController::save(const std::string& path, bool replace) {
  if (path.empty()) {
    open_ = true;
    said_.clear();
    packed_path_.clear();
    ask_to_replace_ = false;
    measure();
    app_.draw_again();
    return ok();
  }
  std::error_code failed;
  if (!replace && fs::exists(path, failed)) {
    return refused(fmt::format("{} is there already; with force behind it, it is replaced.", path));
  }
  return start(absolute_path(path), replace);
}

Status PacksController::set(std::string_view word, std::string_view value) {
  app_.draw_again();
  if (word == "close" || word == "cancel") {
    if (control_ && writing_.busy()) control_->cancelled = true;
    if (word == "close") {
      open_ = false;
      measuring_.cancel();
    }
    return ok();
  }
  if (word == "whole") part_ = PackPart::whole;
  if (word == "view") part_ = PackPart::view;
  if (word == "selected") part_ = PackPart::selected;
  if (word == "anonymous") anonymous_ = value != "off";
  if (!open_) return save({}, false);
  return ok();
}

Status PacksController::unpack(const std::string& folder, bool replace) {
  const SessionsController& sessions = *app_.controllers().sessions;
  if (!sessions.in_pack()) return refused("No pack is open.");
  const std::string pack_path = sessions.path();
  const std::string target =
      folder.empty() ? fs::path(pack_path).replace_extension().string() : absolute_path(folder);
  if (control_) control_->cancelled = true;
  control_ = std::make_shared<PackControl>();
  writing_.start([pack_path, target, replace,
                  control = control_](const BackgroundQuestion<Written>& /*running*/) {
    const Result<Unpacked> unpacked = unpack_pack(pack_path, target, replace, *control);
    if (!unpacked) return Written{.text = unpacked.error().text, .path = {}};
    std::string text = fmt::format("Unpacked {} {} into {}.", unpacked->files,
                                   unpacked->files == 1 ? "file" : "files", file_name(target));
    if (!unpacked->problems.empty()) text += " " + drawable(unpacked->problems.front());
    return Written{.text = std::move(text), .path = target};
  });
  return ok();
}

// Sizes of parts by what is shown of loaded traces; nothing is read of them anew.
void PacksController::measure() {
  sizes_ = "Measuring…";
  auto asked = std::make_shared<Measured>();
  if (Result<PackInput> input = app_.controllers().sessions->pack_input()) {
    asked->input = std::move(*input);
  }
  for (const auto& tab : app_.tabs().all) {
    const Session& session = *tab->session;
    if (is_lane(*tab) || !session.has_trace() || !tab->merged_files.empty()) continue;
    ShownTrace shown{.path = absolute_path(session.path()), .timeline = session.timeline()};
    if (session.format() != nullptr) shown.format = session.format()->name();
    const TimelineState& state = session.state();
    shown.view = {.begin_ns = static_cast<std::int64_t>(state.view.begin_ns),
                  .end_ns = static_cast<std::int64_t>(state.view.end_ns())};
    if (state.range) shown.selected = {state.range->begin_ns, state.range->end_ns};
    asked->shown.push_back(std::move(shown));
  }
  measuring_.start([asked](const BackgroundQuestion<Sizes>& running) {
    Sizes sizes;
    for (std::size_t i = 0; i < asked->input.paths.size() && !running.cancelled; ++i) {
      const std::string& path = asked->input.paths[i];
      if (path.empty()) continue;
      PackInput one{.session = {}, .text_path = asked->input.text_path, .paths = {path}};
      one.session.traces.push_back(asked->input.session.traces[i]);
      const std::uint64_t whole = estimated_pack_bytes(one, true);
      sizes.whole_bytes += whole;
      const auto shown = std::ranges::find(asked->shown, path, &ShownTrace::path);
      const bool known = shown != asked->shown.end();
      sizes.view_bytes += known ? part_bytes(*shown, shown->view, whole) : whole;
      sizes.selected_bytes +=
          known && shown->selected ? part_bytes(*shown, *shown->selected, whole) : whole;
    }
    return sizes;
  });
}

void PacksController::poll() {
  if (auto sizes = measuring_.take()) {
    sizes_ = fmt::format("About {} whole, {} for what is shown, {} for the selected range.",
                         size_text(sizes->whole_bytes), size_text(sizes->view_bytes),
                         size_text(sizes->selected_bytes));
    app_.draw_again();
  }
  if (auto written = writing_.take()) {
    ask_to_replace_ = written->exists;
    packed_path_ = written->path;
    said_ = written->text;
    app_.say(said_, std::chrono::seconds(12));
    app_.draw_again();
  }
  if (writing_.take_out_of_memory()) app_.say("There is not enough memory for this pack.");
  if (!open_) return;
  if (writing_.busy()) app_.draw_again();  // the progress
  if (const auto replace = std::exchange(save_due_, std::nullopt)) {
    if (const Status started = start(path_now(), *replace); !started) {
      said_ = started.error().text;
    }
    app_.draw_again();
  }
  // Other pages have no place for the sheet.
  const Tab* tab = app_.tabs().page();
  if (tab == nullptr || (tab->comparison == nullptr && !tab->session->has_trace())) open_ = false;
}

bool PacksController::take_key(const KeyChord& chord) {
  if (!open_ || chord.ctrl || chord.alt) return false;
  if (chord.key == Key::escape) return set("close", {}).operator bool();
  if (chord.key != Key::enter || writing_.busy()) return false;
  save_due_ = ask_to_replace_;
  app_.draw_again();
  return true;
}

float PacksController::height_px(const Rect& area, float panel_px) const {
  if (!open_) return panel_px;
  return std::min(std::max(panel_px, std::round(app_.theme().px(kSheetPx))), area.height * 0.7F);
}

void PacksController::draw_fields(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  const float gap = pen.px(12), row = pen.px(kRowPx);
  float y = area.y + row / 2, x = area.x;
  const auto choose = [&](const char* id, std::span<const Choice> choices, std::size_t chosen) {
    const float width = choices_width(pen, choices);
    if (x > area.x && x + width > right_of(area)) {
      x = area.x;
      y += row;
    }
    const auto asked = draw_choices(pen, id, x, y, choices, chosen);
    x += width + gap;
    return asked;
  };
  if (const auto part = choose("part", kParts, place_of(part_))) {
    run_command(actions, "pack-with", std::string(kPartWords[*part]));
  }
  if (const auto names = choose("names", kNames, anonymous_ ? 1 : 0)) {
    run_command(actions, "pack-with", *names == 1 ? "anonymous on" : "anonymous off");
  }
  x = area.x;
  y += row;
  draw_cut_text(pen.list, pen.words, x, y, area.width, pen.colours.dim, sizes_);
  y += row;
  const auto button_y = [&] { return y - pen.px(kHalfButtonPx); };
  x += draw_text(pen.list, pen.words, x, y, pen.colours.dim, "File") + pen.px(6);
  const float buttons_px = text_button_width(pen, "Pack") + text_button_width(pen, "Close") + gap;
  const Rect field{x, y - pen.px(12),
                   std::max(right_of(area) - x - buttons_px - 2 * gap, pen.px(120)), pen.px(24)};
  if (const auto path = filter_field(pen, "##path", "path", field, path_now())) path_ = *path;
  x += field.width + gap;
  if (text_button(pen, "pack", x, button_y(), "Pack")) save_due_ = false;
  x += text_button_width(pen, "Pack") + pen.px(8);
  if (text_button(pen, "close", x, button_y(), "Close")) run_command(actions, "pack-with", "close");
  x = area.x;
  y += row;
  std::string said = said_;
  if (writing_.busy() && control_ && control_->total_bytes > 0) {
    said = fmt::format("Packing {} of {}", size_text(control_->done_bytes),
                       size_text(control_->total_bytes));
  }
  if (said.empty()) return;
  const float said_px = std::min(text_width(pen.words, said), right_of(area) - x - pen.px(110));
  draw_cut_text(pen.list, pen.words, x, y, said_px + 1, pen.colours.text, said);
  x += said_px + gap;
  if (writing_.busy() && text_button(pen, "cancel", x, button_y(), "Cancel")) {
    run_command(actions, "pack-with", "cancel");
  }
  if (ask_to_replace_ && text_button(pen, "replace", x, button_y(), "Replace")) save_due_ = true;
  if (!packed_path_.empty() && text_button(pen, "copy", x, button_y(), "Copy path")) {
    actions.push_back(CopyText{packed_path_});
  }
}

void PacksController::draw(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  ImGui::PushID("pack");
  draw_fields(inset(area, pen.px(kPadPx), pen.px(10)), actions);
  ImGui::PopID();
}

namespace {

Status pack_now(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().packs->save(arguments.text(), arguments.text(1) == "force");
}

Status unpack_now(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().packs->unpack(arguments.text(), arguments.text(1) == "force");
}

Status set_pack(AppContext& app, const CommandArguments& arguments) {
  std::string_view rest = arguments.text();
  const auto word = take_word(rest);
  constexpr std::array<std::string_view, 6> kWords = {"whole",     "view",  "selected",
                                                      "anonymous", "close", "cancel"};
  if (!word || std::ranges::find(kWords, *word) == kWords.end()) {
    return refused("Give whole, view, selected, anonymous on or off, cancel, or close.");
  }
  return app.controllers().packs->set(*word, whole_rest(rest));
}

constexpr auto kGroup = CommandGroup::file;
using Needs = CommandNeeds;

constexpr Command kCommands[] = {
    {"pack", "[PATH [force]]", "", "Pack for a colleague…", kGroup, Needs::tab, pack_now},
    {"pack-with", "TEXT", "", "What of the traces is packed", kGroup, Needs::tab, set_pack},
    {"unpack", "[PATH [force]]", "", "Unpack…", kGroup, Needs::tab, unpack_now},
};

}  // namespace

std::span<const Command> pack_commands() {
  return kCommands;
}

}  // namespace cinderscope
