#include "app/window/controllers/export/packs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

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

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

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
    : ExportSheet(app), writing_([] { Window::wake(); }), measuring_([] { Window::wake(); }) {}

PacksController::~PacksController() {
  if (control_) control_->cancelled = true;
}

void PacksController::close() {
  measuring_.cancel();
  ExportSheet::close();
}

std::string PacksController::offered_path() const {
  const SessionsController& sessions = *app_.controllers().sessions;
  fs::path path = sessions.path().empty() ? sessions.offered_path() : sessions.path();
  if (path.extension() == kPackEnding) {
    path.replace_filename(path.stem().string() + "-2" + std::string(kPackEnding));
  } else {
    path.replace_extension(kPackEnding);
  }
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
  asked_path_.clear();
  saved_path_.clear();
  said_ = "Packing…";
  writing_.start([request = std::move(request),
                  control = control_](const BackgroundQuestion<Written>& /*running*/) {
    Written written;
    std::error_code failed;
    if (!request.force && fs::exists(request.out, failed)) {
      written.exists = request.out;
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
    show();
    measure();
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
  if (word == "close") return close(), ok();
  if (word == "cancel") {
    if (control_ && writing_.busy()) control_->cancelled = true;
    return ok();
  }
  if (word == "whole") part_ = PackPart::whole;
  if (word == "view") part_ = PackPart::view;
  if (word == "selected") part_ = PackPart::selected;
  if (word == "anonymous") anonymous_ = value != "off";
  return open() ? ok() : save({}, false);
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
      sizes.has_selected |= known && shown->selected.has_value();
      sizes.view_bytes += known ? part_bytes(*shown, shown->view, whole) : whole;
      sizes.selected_bytes +=
          known && shown->selected ? part_bytes(*shown, *shown->selected, whole) : whole;
    }
    return sizes;
  });
}

void PacksController::poll() {
  if (auto sizes = measuring_.take()) {
    sizes_ = fmt::format("About {} whole, {} for what is shown", size_text(sizes->whole_bytes),
                         size_text(sizes->view_bytes));
    sizes_ += sizes->has_selected
                  ? fmt::format(", {} for the selected range.", size_text(sizes->selected_bytes))
                  : std::string("; no range is selected.");
    app_.draw_again();
  }
  if (auto written = writing_.take()) {
    asked_path_ = written->exists;
    saved_path_ = written->path;
    said_ = written->text;
    app_.say(said_, std::chrono::seconds(12));
    app_.draw_again();
  }
  if (writing_.take_out_of_memory()) {
    app_.say(said_ = "There is not enough memory for this pack.");
  }
  if (measuring_.take_out_of_memory()) sizes_.clear();
  if (!open()) return;
  if (writing_.busy()) app_.draw_again();  // the progress
  if (const auto replace = std::exchange(save_due_, std::nullopt)) {
    const std::string path = path_now();
    if (const Status started = start(path, replaces(path, *replace)); !started) {
      said_ = started.error().text;
    }
    app_.draw_again();
  }
  // Other pages have no place for the sheet.
  const Tab* tab = app_.tabs().page();
  if (tab == nullptr || (tab->comparison == nullptr && !tab->session->has_trace())) close();
}

}  // namespace cinderscope
