// `cinderscope picture`: what the window shows, as SVG, PNG or PDF.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/cli.h"
#include "app/cli/standard_output.h"
#include "app/picture/difference_picture.h"
#include "app/session/find_traces.h"
#include "app/session/open_trace.h"
#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"

namespace cinderscope {
namespace {

int say(int status, const std::string& sentence) {
  fmt::print(stderr, "{}\n", sentence);
  return status;
}

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
  if (difference && command.files.size() != 2) return "A difference is that of two traces: A B.";
  if (!difference && command.files.size() != 1) return "One trace is drawn at a time.";
  if (command.of == "histogram" && command.options.name.empty()) {
    return "A histogram needs --name.";
  }
  return {};
}

}  // namespace

namespace {

Result<DrawList> drawn(const PictureCommand& command) {
  if (command.of == "difference") {
    Result<DrawList> list = draw_difference(command.files, command.options, command.load);
    return list;
  }
  const std::string& path = command.files.front();
  const auto in_it = [](const std::string& where, const Error& error) {
    return refused(message_of(where, error));
  };
  const Result<std::string> named = trace_of(path);
  if (!named) return in_it(path, named.error());
  const Result<OpenedTrace> trace = open_trace(*named, command.load);
  if (!trace) return in_it(*named, trace.error());
  const unsigned jobs = command.load.jobs == 0 ? core_count() : command.load.jobs;
  const SelfTraceMark mark("draw the picture");
  Result<DrawList> list = draw_picture(*trace, command.options, jobs);
  if (!list) return in_it(*named, list.error());
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
  options.of = picture_of(command.of).value_or(PictureOf::timeline);
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
