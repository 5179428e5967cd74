#include "app/cli/options/picture_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>

#include "app/cli/options/common_options.h"
#include "ingest/base/number_text.h"

namespace cinderscope {
namespace {

template <class Take>
CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& help,
                      const char* type, Take take) {
  return command
      .add_option_function<std::string>(
          name,
          [name, take](const std::string& text) {
            if (const Status taken = take(text); !taken) {
              throw CLI::ValidationError(name, taken.error().text);
            }
          },
          help)
      ->type_name(type);
}

void add_style(CLI::App& command, PictureCommand& picture) {
  PictureStyle& style = picture.options.style;
  command.add_option("--width", style.width_px, "pixels")
      ->check(CLI::Range(100.0, 32'000.0))
      ->capture_default_str();
  command
      .add_option_function<float>(
          "--height", [&style](float px) { style.height_px = px; },
          "pixels (default: as high as what is drawn)")
      ->check(CLI::Range(60.0, 1e6));
  command.add_option("--scale", style.scale, "pixels of a PNG for each pixel of the picture")
      ->check(CLI::Range(0.5, 8.0))
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--theme",
          [&style](const std::string& word) {
            style.theme = word == "dark" ? ThemeKind::dark : ThemeKind::light;
          },
          "light or dark")
      ->check(CLI::IsMember({"light", "dark"}))
      ->default_str("light");
  add_text(command, "--background", "#RRGGBB, or none", "COLOUR", [&style](const auto& text) {
    style.background = picture_colour(text);
    return style.background ? ok() : Status(refused("give a colour as #ffffff, or none"));
  });
  command
      .add_option_function<std::string>(
          "--colours",
          [&style](const std::string& word) { style.colour_blind = word == "colour-blind"; },
          "usual or colour-blind")
      ->check(CLI::IsMember({"usual", "colour-blind"}))
      ->default_str("usual");
  command.add_option("--font-size", style.font_px, "pixels; rows are as high as they need")
      ->check(CLI::Range(6.0, 60.0))
      ->capture_default_str();
  command.add_option("--title", style.title, "a line above");
  command.add_option("--caption", style.caption, "a line below");
  command.add_option("--frame", style.frame_px, "margin in pixels")
      ->check(CLI::Range(0.0, 500.0))
      ->capture_default_str();
  command.add_flag("--legend", style.legend, "the twenty names with most time, with their colours");
  command
      .add_option("--boxes", style.most_boxes,
                  "at most so many; thin ones are merged until they fit (default: 20 000 in "
                  "SVG, 200 000 in PNG and PDF)")
      ->check(CLI::Range(100u, 10'000'000u));
  command.add_flag("!--no-titles", style.titles,
                   "SVG without what browsers show on hovering: half the size");
  command.add_flag("--outlines", style.outlines, "text as shapes, for print shops");
  command.add_flag("!--builtin-fonts", style.other_fonts,
                   "PNG, PDF: boxes for characters that only fonts of this machine have");
  command.add_flag("!--no-name", picture.options.with_name,
                   "leave the trace's name out of the file");
  add_text(command, "--page", "PDF: scaled down to fit, over several pages if need be",
           "A4|letter [landscape]", [&style](const std::string& text) {
             PdfPage page{595.276, 841.89};
             std::string size = text;
             const bool landscape = size.ends_with(" landscape");
             if (landscape) size.resize(size.size() - 10);
             if (size == "letter") page = {612, 792};
             if (size != "letter" && size != "A4" && size != "a4") {
               return Status(refused("give A4, letter, or \"A4 landscape\""));
             }
             if (landscape) std::swap(page.width_pt, page.height_pt);
             style.page = page;
             return ok();
           });
}

void add_what(CLI::App& command, PictureCommand& picture) {
  PictureOptions& options = picture.options;
  command
      .add_option_function<std::string>(
          "--of", [&picture](const std::string& word) { picture.of = word; }, "what is drawn")
      ->check(CLI::IsMember({"timeline", "flame-graph", "histogram", "statistics", "difference"}))
      ->default_str("timeline");
  CLI::Option* view = command
                          .add_option_function<std::vector<std::string>>(
                              "--view",
                              [&options](const std::vector<std::string>& texts) {
                                for (std::size_t i = 0; i < texts.size(); ++i) {
                                  Result<TypedTime> time = typed_time(texts[i]);
                                  if (!time)
                                    throw CLI::ValidationError("--view", time.error().text);
                                  (i == 0 ? options.from : options.to) = std::move(*time);
                                }
                              },
                              "the part of a timeline that is drawn")
                          ->type_name("TIME TIME")
                          ->expected(2);
  add_time(command, "--from", options.from, "begin of the part that is drawn or measured");
  add_time(command, "--to", options.to, "its end");
  for (const char* other : {"--from", "--to"}) view->excludes(command.get_option(other));
  command
      .add_option_function<std::vector<std::string>>(
          "--thread",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              Result<TypedThread> thread = typed_thread(text);
              if (!thread) throw CLI::ValidationError("--thread", thread.error().text);
              options.threads.push_back(std::move(*thread));
            }
          },
          "only this thread: TID, PID/TID, PID/, NAME or /REGEX/; may be repeated")
      ->type_name("THREAD")
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--slices", [&options](const auto& word) { options.slices = slices_of_word(word); },
          "what is measured: calls, samples or both")
      ->check(CLI::IsMember({"calls", "samples", "both"}));
  add_text(command, "--select",
           "timeline: outline this call and draw its flows: [THREAD/]NAME[@TIME|#K|#longest|"
           "#median|#last]",
           "SLICE", [&options](const std::string& text) -> Status {
             Result<TypedSlice> slice = typed_slice(text);
             if (!slice) return slice.error();
             options.select = std::move(*slice);
             return ok();
           });
  command.add_option("--search", options.search, "timeline: dim what does not match");
  add_text(command, "--rows", "timeline: rows of calls from the top, or all", "N|all",
           [&options](const std::string& text) {
             if (text == "all") return options.rows.reset(), ok();
             options.rows = parse_number<std::uint64_t>(text);
             return options.rows && *options.rows > 0 ? ok()
                                                      : Status(refused("give a number, or all"));
           });
  command.add_flag("!--no-gutter", options.gutter, "timeline: without the names of threads");
  command.add_flag("--overview", options.overview, "timeline: with the strip of the whole trace");
  command.add_option("--depth", options.depth, "timeline: rows of a thread at most")
      ->check(CLI::Range(1u, 1'000'000u))
      ->capture_default_str();
}

void add_panels(CLI::App& command, PictureCommand& picture) {
  PictureOptions& options = picture.options;
  command
      .add_option_function<std::vector<std::string>>(
          "--way",
          [&options](const std::vector<std::string>& words) {
            const std::string& way = words.front();
            using Way = PictureOptions::Way;
            if (way == "callees") options.way = Way::callees;
            if (way == "callers") options.way = Way::callers;
            if (way == "function") options.way = Way::function;
            const bool known = way == "callees" || way == "callers" || way == "function";
            if (!known || (words.size() == 2) != (way == "function")) {
              throw CLI::ValidationError("--way", "give callees, callers, or function NAME");
            }
            if (words.size() == 2) options.name = words[1];
          },
          "flame graph: callees (default), callers, or function and its name")
      ->type_name("WAY [NAME]")
      ->expected(1, 2);
  add_text(command, "--zoom", "flame graph: names from the outermost on, main;run;draw", "PATH",
           [&options](const std::string& text) {
             options.zoom.clear();
             for (std::size_t at = 0; at <= text.size();) {
               const std::size_t end = std::min(text.find(';', at), text.size());
               if (end > at) options.zoom.push_back(text.substr(at, end - at));
               at = end + 1;
             }
             return ok();
           });
  command.add_option("--name", options.name, "histogram: of which calls");
  command.add_flag("--linear", options.linear, "histogram: axis of durations, else logarithmic");
  command.add_option("--sort", options.sort, "statistics: by this column")
      ->check(CLI::IsMember({"name", "count", "total", "self", "mean", "median", "p90", "p99",
                             "min", "max", "share"}))
      ->capture_default_str();
  command.add_flag("--table", options.as_table,
                   "difference: the table of names in place of the flame graph");
  command.add_option("--names", options.names, "tables: how many rows; 0 for all")
      ->capture_default_str();
}

}  // namespace

CLI::App* add_picture_command(CLI::App& app, PictureCommand& picture) {
  CLI::App* command =
      app.add_subcommand("picture", "draw a timeline, a flame graph and the like: SVG, PNG, PDF")
          ->footer(std::string("    cinderscope picture t.json --view +1.2s +1.4s --thread main "
                               "--out frame.svg\n") +
                   kTimes);
  command
      ->add_option("file", picture.files,
                   "a trace, a session, or - for standard input; two of a difference")
      ->required();
  add_what(*command, picture);
  add_panels(*command, picture);
  command
      ->add_option("-o,--out", picture.out,
                   "FILE.svg, .png or .pdf; - is standard output, with --format")
      ->required();
  add_text(*command, "--format", "svg, png or pdf", "FORMAT", [&picture](const std::string& word) {
    picture.format = picture_format(word);
    return picture.format ? ok() : Status(refused("give svg, png or pdf"));
  });
  add_style(*command, picture);
  command->add_flag("--force", picture.force, "replace a file that exists");
  add_load_options(*command, picture.load);
  return command;
}

}  // namespace cinderscope
