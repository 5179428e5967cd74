// `cinderscope picture`: what the window shows, as SVG, PNG or PDF.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/say.h"
#include "app/cli/standard_output.h"
#include "app/convert/open_inputs.h"
#include "app/picture/difference_picture.h"
#include "app/session/find_traces.h"
#include "app/session_file/session_inputs.h"
#include "app/session_file/session_path.h"
#include "ingest/base/self_trace.h"
#include "ingest/model/measure/timeline_weights.h"

namespace cinderscope {
namespace {

// The one trace that the argument stands for.
Result<std::string> trace_of(const std::string& path) {
  Result<std::vector<std::string>> paths = traces_of(path);
  if (!paths) return paths.error();
  if (paths->size() > 1) {
    return refused(fmt::format("{} traces lie in it: name one of them", paths->size()));
  }
  return std::move(paths->front());
}

Status write(const PictureCommand& command, const std::string& bytes) {
  if (command.out == "-") {
    write_output(bytes);
    return ok();
  }
  return save_picture(command.out, bytes, command.files, command.force);
}

// What is wrong with the options whatever the trace; empty if nothing is.
std::string wrong_usage(const PictureCommand& command) {
  const auto format = command.out == "-" ? command.format : format_of_path(command.out);
  if (command.out == "-" && !format) return "--out - needs --format: svg, png or pdf.";
  if (!format) return fmt::format("{} should end in .svg, .png or .pdf.", command.out);
  if (command.format && format != command.format) {
    return fmt::format("{} does not end in .{}.", command.out, word_of(*command.format));
  }
  const bool difference = command.of == "difference";
  const bool session = command.files.size() == 1 && is_session_file(command.files.front());
  if (difference && command.files.size() != 2 && !session) {
    return "A difference is that of two traces: A B.";
  }
  if (!difference && command.files.size() != 1) return "One trace is drawn at a time.";
  if (command.of == "histogram" && command.options.name.empty()) {
    return "A histogram needs --name.";
  }
  return {};
}

// The traces that a session shows; how they are shown becomes part of the options.
Result<std::vector<MergeFile>> shown_in_session(PictureCommand& command, SidesToCompare& sides) {
  const std::string& path = command.files.front();
  const Result<SessionInputs> session = session_inputs(path);
  if (!session) return session.error();
  const SessionTab* tab = session->tab();
  if (tab == nullptr) return refused("The session shows no trace.");
  const bool compares = tab->kind == TabKind::comparison;
  if (compares && (command.of.empty() || command.of == "difference")) {
    command.of = "difference";
    Result<SidesToCompare> found = session->sides_of(*tab);
    if (!found) return found.error();
    sides = std::move(*found);
    return std::vector<MergeFile>();
  }
  if (compares) return refused("The session shows a comparison: --of difference draws it.");
  if (command.of == "difference") return refused("The session shows no comparison.");
  session->use_load_options(*tab, path, command.load);
  command.options.shown = std::make_shared<const SessionTab>(*tab);
  return session->files_of(*tab);
}

Result<std::vector<MergeFile>> one_file(const std::string& path) {
  const Result<std::string> trace = trace_of(path);
  if (!trace) return trace.error();
  return std::vector<MergeFile>{{*trace, {}}};
}

Result<DrawList> drawn(PictureCommand& command) {
  const std::string path = command.files.front();
  const auto in_it = [](const std::string& where, const Error& error) {
    return refused(message_of(where, error));
  };
  SidesToCompare sides;
  std::vector<MergeFile> files;
  if (command.files.size() == 1) {
    const Result<std::vector<MergeFile>> found =
        is_session_file(path) ? shown_in_session(command, sides) : one_file(path);
    if (!found) return in_it(path, found.error());
    files = *found;
  } else {
    const Result<SidesToCompare> given = sides_given(command.files);
    if (!given) return given.error();
    sides = *given;
  }
  if (command.of == "difference") {
    for (const SideText& side : sides.texts) {
      command.files.insert(command.files.end(), side.paths.begin(), side.paths.end());
    }
    return draw_difference(sides, command.options, command.load);
  }
  for (const MergeFile& file : files) command.files.push_back(file.path);
  command.options.of = picture_of(command.of).value_or(PictureOf::timeline);
  const std::string name = files.size() == 1 ? files.front().path : merged_title(files);
  LoadContext context(command.load);
  const Result<OpenedTrace> trace = open_inputs(files, context);
  if (!trace) return in_it(name, trace.error());
  const SelfTraceMark mark("draw the picture");
  if (const std::string& weight = command.load.weight; !weight.empty()) {
    command.options.weight =
        counts_calls(trace->timeline, weight) ? CallWeight::calls : CallWeight::time;
  }
  Result<DrawList> list = draw_picture(*trace, command.options, context.jobs());
  if (!list) return in_it(name, list.error());
  return list;
}

}  // namespace

int run_picture(PictureCommand command) {
  if (const std::string wrong = wrong_usage(command); !wrong.empty()) {
    return say(kExitUsage, wrong);
  }
  if (const Status checked = check_range({command.options.from, command.options.to}); !checked) {
    return say(kExitUsage, checked.error().text);
  }
  PictureOptions& options = command.options;
  options.style.format = command.out == "-" ? *command.format : *format_of_path(command.out);
  if (options.style.format != PictureFormat::svg && !has_cairo()) {
    return say(kExitCannotOpen, check_png_size(1, 1, 1).error().text);
  }
  const Result<DrawList> list = drawn(command);
  if (!list) return say(kExitCannotOpen, list.error().text);
  const Result<std::string> bytes = picture_bytes(options.style, *list);
  if (!bytes) return say(kExitCannotOpen, bytes.error().text);
  if (const Status written = write(command, *bytes); !written) {
    return say(kExitCannotOpen, written.error().text);
  }
  for (const std::string& note : list->notes) fmt::print(stderr, "{}\n", note);
  return kExitOk;
}

}  // namespace cinderscope
