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
#include "ingest/base/path_text.h"
#include "ingest/format/format.h"
#include "render/text/label.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

std::string file_name(const std::string& path) {
  return drawable(utf8_of(path_of(path).filename()));
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
  measuring_.forget();
  whole_bytes_.reset();  // files may change until it opens again
  ExportSheet::close();
}

std::string PacksController::offered_path() const {
  const SessionsController& sessions = *app_.controllers().sessions;
  fs::path path = path_of(sessions.path().empty() ? sessions.offered_path() : sessions.path());
  if (path.extension() == path_of(kPackEnding)) {
    path.replace_filename(path_of(utf8_of(path.stem()) + "-2" + std::string(kPackEnding)));
  } else {
    path.replace_extension(path_of(kPackEnding));
  }
  return utf8_of(path);
}

std::string PacksController::path_now() const {
  return path_.empty() ? offered_path() : absolute_path(path_);
}

Status PacksController::start(const std::string& path, bool replace, bool from_sheet) {
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
  writing_.start([request = std::move(request), from_sheet,
                  control = control_](const BackgroundQuestion<Written>& /*running*/) {
    Written written{.from_sheet = from_sheet};
    std::error_code failed;
    if (!request.force && fs::exists(path_of(request.out), failed)) {
      if (from_sheet) written.exists = request.out;
      written.text = drawable(exists_text(request.out, from_sheet));
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
    if (!open()) show();
    return ok();
  }
  return start(absolute_path(path), replace, false);
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
      folder.empty() ? utf8_of(path_of(pack_path).replace_extension()) : absolute_path(folder);
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

PacksController::Question PacksController::question() const {
  Question question;
  for (const auto& tab : app_.tabs().all) {
    const Session& session = *tab->session;
    if (is_lane(*tab) || !session.has_trace() || !tab->merged_files.empty()) continue;
    Shown shown{.session = reinterpret_cast<std::uintptr_t>(&session),
                .version = session.version(),
                .view = {},
                .selected = {}};
    const TimelineState& state = session.state();
    shown.view = {.begin_ns = static_cast<std::int64_t>(state.view.begin_ns),
                  .end_ns = static_cast<std::int64_t>(state.view.end_ns())};
    shown.selected = state.range;
    question.push_back(shown);
  }
  return question;
}

// Sizes of parts by what is shown of loaded traces; nothing is read of them anew.
void PacksController::measure(const Question& question) {
  auto asked = std::make_shared<Measured>();
  if (Result<PackInput> input = app_.controllers().sessions->pack_input()) {
    asked->input = std::move(*input);
  }
  for (const Shown& shown : question) {
    const auto tab = std::ranges::find_if(app_.tabs().all, [&](const auto& one) {
      return reinterpret_cast<std::uintptr_t>(one->session.get()) == shown.session;
    });
    const Session& session = *(*tab)->session;
    ShownTrace trace{.path = absolute_path(session.path()),
                     .timeline = session.timeline(),
                     .format = {},
                     .view = {shown.view.begin_ns, shown.view.end_ns},
                     .selected = {}};
    if (shown.selected) trace.selected = {shown.selected->begin_ns, shown.selected->end_ns};
    if (session.format() != nullptr) trace.format = session.format()->name();
    asked->shown.push_back(std::move(trace));
  }
  if (!whole_bytes_) whole_bytes_ = std::make_shared<std::map<std::string, std::uint64_t>>();
  measuring_.ask(
      question, [asked, known_bytes = whole_bytes_](const BackgroundQuestion<Sizes>& running) {
        Sizes sizes;
        for (std::size_t i = 0; i < asked->input.paths.size() && !running.cancelled; ++i) {
          const std::string& path = asked->input.paths[i];
          if (path.empty()) continue;
          const auto [entry, is_new] = known_bytes->try_emplace(path, 0);
          if (is_new) {
            PackInput one{.session = {}, .text_path = asked->input.text_path, .paths = {path}};
            one.session.traces.push_back(asked->input.session.traces[i]);
            entry->second = estimated_pack_bytes(one, true);
          }
          const std::uint64_t whole = entry->second;
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

std::string PacksController::sizes() const {
  const Sizes* sizes = measuring_.answer();
  if (sizes == nullptr) return measuring_.busy() ? "Measuring…" : "";
  const std::string text = fmt::format("About {} whole, {} for what is shown",
                                       size_text(sizes->whole_bytes), size_text(sizes->view_bytes));
  return text + (sizes->has_selected
                     ? fmt::format(", {} for the selected range.", size_text(sizes->selected_bytes))
                     : "; no range is selected.");
}

void PacksController::poll() {
  if (measuring_.poll()) app_.draw_again();
  if (auto written = writing_.take()) {
    asked_path_ = written->exists;
    saved_path_ = written->path;
    said_ = written->text;
    if (saved_path_.empty() && !written->from_sheet) failed_ = said_;
    app_.say(said_, std::chrono::seconds(12));
    app_.draw_again();
  }
  if (writing_.take_out_of_memory()) {
    app_.say(said_ = "There is not enough memory for this pack.");
  }
  if (!open()) return;
  if (writing_.busy()) app_.draw_again();  // the progress
  if (const auto replace = std::exchange(save_due_, std::nullopt)) {
    const std::string path = path_now();
    if (const Status started = start(path, replaces(path, *replace), true); !started) {
      said_ = started.error().text;
    }
    app_.draw_again();
  }
  // Other pages have no place for the sheet.
  const Tab* tab = app_.tabs().page();
  if (tab == nullptr || (tab->comparison == nullptr && !tab->session->has_trace())) {
    return close();
  }
  // What is shown and selected may change under the sheet.
  const Question now = question();
  if (measuring_.is_due(now, true)) measure(now);
}

}  // namespace cinderscope
