#include "app/window/controllers/export/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/commands/arguments.h"
#include "app/picture/panel_pictures.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/table_saver.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/number_text.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

constexpr const char* kOutOfMemory = "There is not enough memory for this picture.";

}  // namespace

// Copies share what they are made of, so that the trace may change or be closed meanwhile.
struct PicturesController::Question {
  Timeline timeline;
  TimelineState state;
  std::shared_ptr<const MatchSet> matches;
  PictureOptions options;
  Scope scope;
  std::string trace;
};

PicturesController::PicturesController(AppContext& app)
    : ExportSheet(app),
      saving_([] { Window::wake(); }),
      copying_([] { Window::wake(); }),
      drawing_([] { Window::wake(); }) {}

Result<std::shared_ptr<const PicturesController::Question>> PicturesController::question(
    const PictureOptions& options) const {
  Tab* tab = app_.tabs().shown();
  const Session& session = *tab->session;
  auto asked = std::make_shared<Question>();
  asked->timeline = session.timeline();
  asked->state = session.state();
  if (tab->search.active()) asked->matches = tab->search.matches();
  asked->options = options;
  asked->trace = session.path();
  asked->scope = tab->scope.scope(asked->timeline, asked->state);
  if (options.of == PictureOf::flame_graph && !is_lane(*tab)) {
    tab->panel<FlameGraphPanel>().describe(asked->timeline, asked->options);
  }
  if (options.of == PictureOf::histogram) {
    const SliceRef& selected = asked->state.selected;
    if (block_of(asked->timeline, selected) == nullptr) {
      return refused("Select a call first: the histogram is of all calls with its name.");
    }
    asked->options.name = asked->timeline.text(slice_at(asked->timeline, selected).name);
  }
  return std::shared_ptr<const Question>(std::move(asked));
}

Result<DrawList> PicturesController::answer(const Question& question) {
  const Timeline& timeline = question.timeline;
  const bool of_timeline = question.options.of == PictureOf::timeline;
  std::int64_t begin_ns = question.scope.begin_ns, end_ns = question.scope.end_ns;
  if (of_timeline) {
    begin_ns = question.state.view.begin_ns;
    end_ns = question.state.view.end_ns();
  }
  const unsigned jobs = core_count();
  Result<DrawList> list =
      of_timeline
          ? draw_timeline_as(timeline, question.state, question.matches.get(), question.options,
                             {.begin_ns = begin_ns, .end_ns = end_ns}, jobs)
          : draw_panel_picture(timeline, question.options, question.scope, jobs);
  if (!list) return list;
  list->metadata =
      picture_metadata(word_of(question.options.of), question.trace, timeline.axis,
                       std::max(begin_ns, timeline.begin_ns), std::min(end_ns, timeline.end_ns));
  return list;
}

std::string PicturesController::path_now() const {
  if (!path_.empty()) return absolute_path(path_);
  std::string path = table_path_beside(*app_.tabs().shown(), word_of(options_.of));
  path.resize(path.size() - 3);  // "csv"
  return path + std::string(word_of(options_.style.format));
}

Status PicturesController::start(const std::string& path, bool replace, bool from_sheet) {
  const auto format = format_of_path(path);
  if (!format) return refused(fmt::format("{} should end in .svg, .png or .pdf.", path));
  if (*format != PictureFormat::svg && !has_cairo()) return check_png_size(1, 1, 1);
  options_.style.format = *format;
  auto asked = question(options_);
  if (!asked) return asked.error();
  asked_path_.clear();
  said_ = "Drawing…";
  saving_for_ = app_.shown_owner();
  saving_.start(
      [asked = *asked, path, replace, from_sheet](const BackgroundQuestion<Saved>& /*running*/) {
        Saved saved{.path = path, .from_sheet = from_sheet};
        std::error_code failed;
        if (!replace && std::filesystem::exists(path_of(path), failed)) {
          saved.exists = true;
          return saved;
        }
        const Result<DrawList> list = answer(*asked);
        if (!list) return saved.error = list.error().text, saved;
        if (!list->notes.empty()) saved.note = list->notes.front();
        const Result<std::string> bytes = picture_bytes(asked->options.style, *list);
        if (!bytes) return saved.error = bytes.error().text, saved;
        saved.bytes = bytes->size();
        if (const Status written = save_picture(path, *bytes, {asked->trace}, replace); !written) {
          saved.error = written.error().text;
        }
        return saved;
      });
  return ok();
}

Status PicturesController::save(const std::string& path, bool replace) {
  if (path.empty()) {
    if (!open()) show();
    preview_due_ = true;
    return ok();
  }
  return start(absolute_path(path), replace, false);
}

Status PicturesController::set(std::string_view word, const std::string& value) {
  PictureStyle& style = options_.style;
  if (word == "close") return close(), ok();
  if (word == "of") {
    const auto of = picture_of(value);
    if (!of) return refused("Give timeline, flame-graph, histogram or statistics.");
    options_.of = *of;
  } else if (word == "format") {
    const auto format = picture_format(value);
    if (!format) return refused("Give svg, png or pdf.");
    style.format = *format;
    path_.clear();
  } else if (word == "width") {
    const auto width = parse_number<float>(value);
    if (!width || *width < 100 || *width > 32'000) {
      return refused("Give a width from 100 to 32 000 pixels.");
    }
    style.width_px = *width;
  } else if (word == "theme") {
    if (value != "light" && value != "dark") return refused("Give light or dark.");
    style.theme = value == "dark" ? ThemeKind::dark : ThemeKind::light;
  } else if (word == "legend") {
    style.legend = value != "off";
  } else {
    style.title = value;
  }
  preview_due_ = true;
  show();
  return ok();
}

void PicturesController::close() {
  drawing_.cancel();
  preview_.reset();
  ExportSheet::close();
}

Status PicturesController::copy(std::string_view of) {
  if (!app_.copies_pictures()) {
    return refused("Pictures cannot be copied here. Save picture… writes a file.");
  }
  PictureOptions options = options_;
  options.of = picture_of(of).value_or(options.of);
  auto asked = question(options);
  if (!asked) return asked.error();
  copying_for_ = app_.shown_owner();
  copying_.start([asked = *asked](const BackgroundQuestion<Copied>& /*running*/) {
    Copied copied;
    Question question = *asked;
    PictureStyle& style = question.options.style;
    style.format = PictureFormat::svg;
    const Result<DrawList> list = answer(question);
    if (!list) return copied.error = list.error().text, copied;
    Result<std::string> svg = picture_bytes(style, *list);
    if (svg) copied.picture.svg = std::move(*svg);
    style.format = PictureFormat::png;
    Result<std::string> png = picture_bytes(style, *list);
    if (png) copied.picture.png = std::move(*png);
    if (!svg && !png) copied.error = png.error().text;
    return copied;
  });
  return ok();
}

void PicturesController::preview_again() {
  const auto asked = question(options_);
  if (!asked) {
    preview_ = Drawn{nullptr, asked.error().text};
    return;
  }
  drawing_.start([asked = *asked](const BackgroundQuestion<Drawn>& /*running*/) {
    Result<DrawList> list = answer(*asked);
    if (!list) return Drawn{nullptr, list.error().text};
    return Drawn{std::make_shared<const DrawList>(std::move(*list)), {}};
  });
}

void PicturesController::poll_saved() {
  if (auto saved = saving_.take()) {
    const std::string name = utf8_of(path_of(saved->path).filename());
    asked_path_ = saved->exists && saved->from_sheet ? saved->path : std::string();
    saved_path_ = saved->error.empty() && !saved->exists ? saved->path : std::string();
    said_ = saved->exists          ? exists_text(saved->path, saved->from_sheet)
            : saved->error.empty() ? fmt::format("Saved {}, {}.", name, size_text(saved->bytes))
                                   : saved->error;
    if (saved_path_.empty() && !saved->from_sheet) failed_ = said_;
    if (!saved->note.empty() && saved->error.empty()) said_ += " " + saved->note;
    app_.say_of(saving_for_, said_);
  }
  if (saving_.take_out_of_memory()) app_.say_of(saving_for_, said_ = kOutOfMemory);
}

void PicturesController::poll_copied() {
  if (copying_.take_out_of_memory()) app_.say_of(copying_for_, kOutOfMemory);
  auto copied = copying_.take();
  if (!copied) return;
  if (!copied->error.empty()) return app_.say_of(copying_for_, copied->error);
  app_.copy_picture(std::move(copied->picture));
  app_.say_of(copying_for_, "picture copied");
}

void PicturesController::poll() {
  poll_saved();
  poll_copied();
  if (!open()) return;
  if (const auto replace = std::exchange(save_due_, std::nullopt)) {
    const std::string path = path_now();
    if (const Status started = start(path, replaces(path, *replace), true); !started) {
      said_ = started.error().text;
    }
    app_.draw_again();
  }
  const Tab* tab = app_.tabs().shown();
  if (tab == nullptr || !tab->session->has_trace() || app_.command_state().comparison) {
    return close();
  }
  if (auto drawn = drawing_.take()) {
    preview_ = std::move(*drawn);
    app_.draw_again();
  }
  // The view may move under the sheet.
  const Viewport& view = tab->session->state().view;
  const std::string key =
      fmt::format("{} {} {} {} {}", static_cast<const void*>(tab), tab->session->version(),
                  view.begin_ns, view.ns_per_px, tab->session->state().selected.slice);
  if ((key != shown_key_ || preview_due_) && !drawing_.busy()) {
    shown_key_ = key;
    preview_due_ = false;
    preview_again();
  }
}

namespace {

Status save_picture_now(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().pictures->save(arguments.text(), arguments.text(1) == "force");
}

Status copy_picture(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().pictures->copy(arguments.text());
}

Status set_picture(AppContext& app, const CommandArguments& arguments) {
  std::string_view rest = arguments.text();
  const auto word = take_word(rest);
  constexpr std::array<std::string_view, 7> kWords = {"of",    "format", "width", "theme",
                                                      "title", "legend", "close"};
  if (!word || std::ranges::find(kWords, *word) == kWords.end()) {
    return refused("Give of, format, width, theme, title or legend with a value, or close.");
  }
  return app.controllers().pictures->set(*word, whole_rest(rest));
}

constexpr Command kPicturesCommands[] = {
    {"save-picture", "[PATH] [force]", "", "Save picture…", CommandGroup::file,
     CommandNeeds::single_trace, save_picture_now},
    {"copy-picture", "[timeline|flame-graph|histogram|statistics]", "", "Copy picture",
     CommandGroup::file, CommandNeeds::single_trace, copy_picture},
    {"picture", "TEXT", "", "What the picture shows, and how", CommandGroup::file,
     CommandNeeds::single_trace, set_picture},
};

}  // namespace

std::span<const Command> picture_commands() {
  return kPicturesCommands;
}

}  // namespace cinderscope
