#include "app/window/controllers/export/pictures.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
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
#include "render/text/size_text.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/picture_preview.h"

namespace cinderscope {
namespace {

constexpr float kSheetPx = 190, kPadPx = 16, kRowPx = 34, kHalfButtonPx = 14;

constexpr std::array<Choice, 4> kWhat = {{{"Timeline", "What the timeline shows"},
                                          {"Flame graph", "Of the scope of Statistics"},
                                          {"Histogram", "Of the selected call's name"},
                                          {"Statistics", "The first twenty names"}}};
constexpr std::array<Choice, 3> kFormats = {{{"SVG", "For pages: sharp at any size"},
                                             {"PNG", "Pixels, twice the width"},
                                             {"PDF", "For print"}}};
constexpr std::array<Choice, 2> kThemes = {{{"Light", "For paper"}, {"Dark", "For slides"}}};

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
    : app_(app), saving_([] { Window::wake(); }), drawing_([] { Window::wake(); }) {}

Result<std::shared_ptr<const PicturesController::Question>> PicturesController::question() const {
  Tab* tab = app_.tabs().shown();
  const Session& session = *tab->session;
  auto asked = std::make_shared<Question>();
  asked->timeline = session.timeline();
  asked->state = session.state();
  if (tab->search.active()) asked->matches = tab->search.matches();
  asked->options = options_;
  asked->trace = session.path();
  asked->scope = tab->scope.scope(asked->timeline, asked->state);
  if (options_.of == PictureOf::flame_graph && !is_lane(*tab)) {
    tab->panel<FlameGraphPanel>().describe(asked->timeline, asked->options);
  }
  if (options_.of == PictureOf::histogram) {
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

Status PicturesController::start(const std::string& path, bool replace) {
  const auto format = format_of_path(path);
  if (!format) return refused(fmt::format("{} should end in .svg, .png or .pdf.", path));
  if (*format != PictureFormat::svg && !has_cairo()) return check_png_size(1, 1, 1);
  options_.style.format = *format;
  auto asked = question();
  if (!asked) return asked.error();
  ask_to_replace_ = false;
  said_ = "Drawing…";
  saving_.start([asked = *asked, path, replace](const BackgroundQuestion<Saved>& /*running*/) {
    Saved saved{.path = path};
    std::error_code failed;
    if (!replace && std::filesystem::exists(path, failed)) {
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
    open_ = preview_due_ = true;
    said_.clear();
    saved_path_.clear();
    ask_to_replace_ = false;
    app_.draw_again();
    return ok();
  }
  std::error_code failed;
  if (!replace && std::filesystem::exists(path, failed)) {
    return refused(fmt::format("{} is there already; with force behind it, it is replaced.", path));
  }
  return start(absolute_path(path), replace);
}

Status PicturesController::set(std::string_view word, const std::string& value) {
  PictureStyle& style = options_.style;
  if (word == "close") {
    open_ = false;
    drawing_.cancel();
    app_.draw_again();
    return ok();
  }
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
  open_ = preview_due_ = true;
  app_.draw_again();
  return ok();
}

void PicturesController::preview_again() {
  const auto asked = question();
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

void PicturesController::poll() {
  if (auto saved = saving_.take()) {
    const std::string name = std::filesystem::path(saved->path).filename().string();
    ask_to_replace_ = saved->exists;
    saved_path_ = saved->error.empty() && !saved->exists ? saved->path : std::string();
    said_ = saved->exists          ? name + " exists. Replace it?"
            : saved->error.empty() ? fmt::format("Saved {}, {}.", name, size_text(saved->bytes))
                                   : saved->error;
    if (!saved->note.empty() && saved->error.empty()) said_ += " " + saved->note;
    app_.say(said_);
  }
  if (saving_.take_out_of_memory()) app_.say("There is not enough memory for this picture.");
  if (!open_) return;
  if (const auto replace = std::exchange(save_due_, std::nullopt)) {
    if (const Status started = start(path_now(), *replace); !started) {
      said_ = started.error().text;
    }
    app_.draw_again();
  }
  const Tab* tab = app_.tabs().shown();
  if (tab == nullptr || !tab->session->has_trace() || app_.command_state().comparison) {
    open_ = false;
    return;
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

bool PicturesController::take_key(const KeyChord& chord) {
  if (!open_ || chord.ctrl || chord.alt) return false;
  if (chord.key == Key::escape) return set("close", {}).operator bool();
  if (chord.key != Key::enter) return false;
  save_due_ = ask_to_replace_;
  app_.draw_again();
  return true;
}

float PicturesController::height_px(const Rect& area, float panel_px) const {
  if (!open_) return panel_px;
  return std::min(std::max(panel_px, std::round(app_.theme().px(kSheetPx))), area.height * 0.7f);
}

void PicturesController::draw_preview(const Rect& area) const {
  const Pen pen = pen_of(app_.theme());
  if (!preview_) return;
  if (preview_->list == nullptr) {
    draw_cut_text(pen.list, pen.words, area.x, area.y + pen.px(10), area.width, pen.colours.dim,
                  preview_->error);
    return;
  }
  const float scale = std::min(0.25f, area.width / preview_->list->width_px);
  const Rect shown{area.x, area.y, std::min(area.width, preview_->list->width_px * scale),
                   std::min(area.height, preview_->list->height_px * scale)};
  cinderscope::draw_preview(pen, *preview_->list, shown, scale);
  pen.list.AddRect({shown.x - 1, shown.y - 1}, {right_of(shown) + 1, bottom_of(shown) + 1},
                   pen.colours.line);
}

void PicturesController::draw_fields(const Rect& area, Actions& actions) {
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
  const PictureStyle& style = options_.style;
  if (const auto of = choose("what", kWhat, static_cast<std::size_t>(options_.of))) {
    run_command(actions, "picture", "of " + std::string(word_of(static_cast<PictureOf>(*of))));
  }
  if (const auto format = choose("format", kFormats, static_cast<std::size_t>(style.format))) {
    run_command(actions, "picture",
                "format " + std::string(word_of(static_cast<PictureFormat>(*format))));
  }
  const std::size_t theme = style.theme == ThemeKind::dark ? 1 : 0;
  if (const auto chosen = choose("theme", kThemes, theme)) {
    run_command(actions, "picture", *chosen == 1 ? "theme dark" : "theme light");
  }
  const auto field = [&](const char* id, const char* example, float width, std::string_view text) {
    const Rect rect{x, y - pen.px(12), width, pen.px(24)};
    x += width + gap;
    return filter_field(pen, id, example, rect, text);
  };
  const auto button_y = [&] { return y - pen.px(kHalfButtonPx); };
  x = area.x;
  y += row;
  const auto word = [&](std::string_view text) {
    x += draw_text(pen.list, pen.words, x, y, pen.colours.dim, text) + pen.px(6);
  };
  word("Width");
  if (const auto width = field("##width", "pixels", pen.px(70),
                               fmt::format("{:g}", static_cast<double>(style.width_px)))) {
    if (const auto number = parse_number<float>(*width); number && *number >= 100) {
      run_command(actions, "picture", "width " + *width);
    }
  }
  word("Title");
  if (const auto title = field("##title", "a line above", std::max(right_of(area) - x, pen.px(120)),
                               style.title)) {
    run_command(actions, "picture", "title " + *title);
  }
  x = area.x;
  y += row;
  word("File");
  const float button_px = text_button_width(pen, "Save") + text_button_width(pen, "Close") + gap;
  if (const auto path =
          field("##path", "path", std::max(right_of(area) - x - button_px - 2 * gap, pen.px(120)),
                path_now())) {
    path_ = *path;
  }
  if (text_button(pen, "save", x, button_y(), "Save")) {
    save_due_ = false;
  }
  x += text_button_width(pen, "Save") + pen.px(8);
  if (text_button(pen, "close", x, button_y(), "Close")) run_command(actions, "picture", "close");
  x = area.x;
  y += row;
  if (said_.empty()) return;
  const float said_px = std::min(text_width(pen.words, said_), right_of(area) - x - pen.px(110));
  draw_cut_text(pen.list, pen.words, x, y, said_px + 1, pen.colours.text, said_);
  x += said_px + gap;
  if (ask_to_replace_ && text_button(pen, "replace", x, button_y(), "Replace")) {
    save_due_ = true;
  }
  if (!saved_path_.empty() && text_button(pen, "copy", x, button_y(), "Copy path")) {
    actions.push_back(CopyText{saved_path_});
  }
}

void PicturesController::draw(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  ImGui::PushID("picture");
  const float pad = pen.px(kPadPx);
  const Rect inner = inset(area, pad, pen.px(10));
  const float preview_px = std::min(inner.width * 0.4f, options_.style.width_px * 0.25f);
  const Rect left{inner.x, inner.y, inner.width - preview_px - pad, inner.height};
  draw_fields(left, actions);
  draw_preview({right_of(left) + pad, inner.y + pen.px(4), preview_px, inner.height - pen.px(4)});
  ImGui::PopID();
}

namespace {

Status save_picture_now(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().pictures->save(arguments.text(), arguments.text(1) == "force");
}

// The clipboard that there is takes texts only.
Status copy_picture(AppContext& /*app*/, const CommandArguments& /*arguments*/) {
  return refused("Pictures cannot be copied here. Save picture… writes a file.");
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

constexpr auto kGroup = CommandGroup::file;
constexpr auto kTrace = CommandNeeds::single_trace;

constexpr Command kCommands[] = {
    {"save-picture", "[PATH] [force]", "", "Save picture…", kGroup, kTrace, save_picture_now},
    {"copy-picture", "", "", "Copy picture", kGroup, kTrace, copy_picture},
    {"picture", "TEXT", "", "What the picture shows, and how", kGroup, kTrace, set_picture},
};

}  // namespace

std::span<const Command> picture_commands() {
  return kCommands;
}

}  // namespace cinderscope
