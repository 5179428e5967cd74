// `cinderscope convert`: a trace, or a part of it, as a file of any format.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/options/convert_options.h"
#include "app/cli/progress_line.h"
#include "app/cli/say.h"
#include "app/cli/standard_output.h"
#include "app/convert/open_inputs.h"
#include "app/session/find_traces.h"
#include "app/session_file/session_inputs.h"
#include "app/session_file/session_path.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/cancel_signals.h"

namespace cinderscope {
namespace {

// The traces that the arguments stand for.
Result<std::vector<MergeFile>> inputs_of(const std::vector<std::string>& texts) {
  std::vector<MergeFile> files;
  for (const std::string& text : texts) {
    const MergeFile file = texts.size() == 1 ? MergeFile{text, {}} : merge_file_from(text);
    if (file.path == "-") {
      if (texts.size() > 1) {
        return refused("Standard input shares no timeline; save it to a file first.");
      }
      files.push_back(file);
      continue;
    }
    if (is_session_file(file.path)) {
      const Result<SessionInputs> session = session_inputs(file.path);
      if (!session) return session.error();
      const Result<std::vector<MergeFile>> inside = session->all_files();
      if (!inside) return inside.error();
      for (const MergeFile& each : *inside) {
        files.push_back({each.path, texts.size() == 1 ? each.offset : file.offset});
      }
      continue;
    }
    const Result<std::vector<std::string>> inside = traces_of(file.path);
    if (!inside) return inside.error();
    for (const std::string& path : *inside) files.push_back({path, file.offset});
  }
  return files;
}

Status write_report(const ConvertOptions& options, const Converted& converted) {
  JsonWriter json;
  converted.losses.write_json(json);
  const std::string text = json.str() + "\n";
  if (options.report == "-") {
    write_output(text);
    return ok();
  }
  return replace_file(path_of(options.report), text);
}

std::string out_name(const ConvertRequest& request) {
  if (request.out == "-") return "the output";
  const std::filesystem::path path = path_of(request.out);  // of a folder with or without a slash
  return utf8_of((path.has_filename() ? path : path.parent_path()).filename());
}

}  // namespace

int run_convert(ConvertOptions& options) {
  ConvertRequest& request = options.request;
  if (writes_tables(options)) {
    const Result<std::vector<MergeFile>> files = inputs_of(options.files);
    if (!files) return say(kExitCannotOpen, message_of(options.files.front(), files.error()));
    std::vector<std::string> paths;
    for (const MergeFile& file : *files) paths.push_back(file.path);
    return run_convert_tables(options, paths);
  }
  if (!options.tables.empty() || options.index) {
    return say(kExitUsage,
               "--table and --index are of a database (OUT.sqlite) or a folder (OUT/).");
  }
  if (const Status range = check_range({request.from, request.to}); !range) {
    return say(kExitUsage, range.error().text);
  }
  if (const Status chosen = choose_writer(request, options.format, options.packing); !chosen) {
    return say(kExitUsage, chosen.error().text);
  }
  if (request.out == "-" && request.split_bytes > 0) {
    return say(kExitUsage, "--split needs a file to number.");
  }
  if (request.out == "-" && options.report == "-") {
    return say(kExitUsage, "The trace and the report cannot both go to standard output.");
  }
  const Result<std::vector<MergeFile>> files = inputs_of(options.files);
  if (!files) return say(kExitCannotOpen, message_of(options.files.front(), files.error()));
  if (files->size() > 1 && !request.writer->takes_merged()) {
    return say(kExitUsage, fmt::format("{} takes one trace.", request.writer->description()));
  }
  // Before a long load: what is found wrong behind it could be told now.
  std::vector<std::string> inputs = paths_read(*files, nullptr);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  for (const std::string& path : {request.split_bytes == 0 ? request.out : std::string("-"),
                                  options.report.empty() ? std::string("-") : options.report}) {
    const Status may = check_output(path_of(path), request.force, inputs);
    if (!may) return say(kExitCannotOpen, may.error().text);
  }
  options.load.for_writing = request.writer->copies_parts();
  LoadContext context(options.load);
  ProgressLine progress(context);
  const std::string name = files->size() == 1 ? files->front().path : merged_title(*files);
  const Result<OpenedTrace> trace = open_inputs(*files, context);
  if (!trace) progress.end();
  if (!trace) return say(kExitCannotOpen, message_of(name, trace.error()));

  progress.now_writing();
  const CancelSignals signals(context.cancel_flag());
  const Result<Converted> converted = convert(input_of(*trace, *files), request, context);
  progress.end();
  if (!converted) return say(kExitCannotOpen, converted.error().text);
  if (!converted->wrong_form.empty()) return say(kExitUsage, converted->wrong_form);
  if (!options.report.empty()) {
    if (const Status reported = write_report(options, *converted); !reported) {
      return say(kExitCannotOpen, reported.error().text);
    }
  }
  if (converted->refused) {
    return say(kExitFailed,
               "Nothing was written. " + converted->losses.sentence(out_name(request)));
  }
  tell(converted->losses.sentence(out_name(request)));
  for (const std::string& remark : converted->losses.remarks()) tell(remark);
  return kExitOk;
}

}  // namespace cinderscope
