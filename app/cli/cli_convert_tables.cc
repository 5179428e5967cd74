// `cinderscope convert -o OUT.sqlite` and `-o OUT/ --format csv`: all tables of traces.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/cli.h"
#include "app/cli/options/convert_options.h"
#include "app/cli/progress_line.h"
#include "app/cli/say.h"
#include "app/cli/standard_output.h"
#include "app/convert/tables/table_database.h"
#include "app/convert/tables/table_folder.h"
#include "app/session/open_source.h"
#include "ingest/base/ascii.h"
#include "ingest/base/grouped_text.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/cancel_signals.h"

namespace cinderscope {
namespace {

bool is_database(const ConvertOptions& options) {
  return options.format == "sqlite" ||
         (options.format.empty() && ascii_lower(options.request.out).ends_with(".sqlite"));
}

bool is_folder(const ConvertOptions& options) {
  std::error_code unknown;
  const std::string& out = options.request.out;
  const bool is_text = options.format == "csv" || options.format == "jsonl";
  return is_text && (out.ends_with('/') || std::filesystem::is_directory(path_of(out), unknown));
}

// Of a part there would be no whole table.
bool asks_for_part(const ConvertRequest& request) {
  return request.from || request.to || !request.threads.empty() || request.min_duration != 0 ||
         request.depth != 0 || request.zero || request.only_names || !request.rename.empty() ||
         request.anonymous || request.split_bytes != 0 || request.rewrite || request.strict;
}

Status write_report(const std::string& path, const WrittenTables& written) {
  JsonWriter json;
  json.begin_object().key("written").begin_object();
  for (const auto& [table, rows] : written.rows) json.field(table, rows);
  json.end_object().key("lost").begin_array().end_array().end_object();
  const std::string text = json.str() + "\n";
  if (path == "-") {
    write_output(text);
    return ok();
  }
  return replace_file(path_of(path), text);
}

void add(WrittenTables& sum, const WrittenTables& more) {
  sum.slices += more.slices;
  for (const auto& [table, rows] : more.rows) sum.rows[table] += rows;
  sum.remark = more.remark;
}

}  // namespace

bool writes_tables(const ConvertOptions& options) {
  return is_database(options) || is_folder(options);
}

int run_convert_tables(const ConvertOptions& options, const std::vector<std::string>& traces) {
  const ConvertRequest& request = options.request;
  if (asks_for_part(request)) {
    return say(kExitUsage, "Tables are written as a whole: --table and --no-args leave some out.");
  }
  const bool to_folder = !is_database(options);
  if (!to_folder && options.packing) return say(kExitUsage, "A database is not packed.");
  if (!to_folder && request.out == "-") return say(kExitUsage, "A database needs a file.");
  TableRequest wanted{.out = request.out,
                      .text = options.format == "jsonl" ? TableText::json_lines : TableText::csv,
                      .packing = options.packing.value_or(OutputPacking::none),
                      .tables = options.tables,
                      .args = request.args,
                      .force = request.force,
                      .index = options.index};
  while (wanted.out.size() > 1 && wanted.out.ends_with('/')) wanted.out.pop_back();
  if (!to_folder) {
    const Status may = check_output(path_of(wanted.out), request.force, traces);
    if (!may) return say(kExitCannotOpen, may.error().text);
  }

  LoadOptions load = options.load;
  load.lazy_above_bytes = UINT64_MAX;  // tables hold all calls
  std::vector<OpenedTrace> opened;
  WrittenTables sum;
  for (const std::string& path : traces) {
    LoadContext context(load);
    ProgressLine progress(context);
    Result<OpenedSource> source = open_source(path, context);
    Result<OpenedTrace> trace =
        source ? load_opened(path, std::move(*source), context) : source.error();
    if (!trace) {
      progress.end();
      return say(kExitCannotOpen, message_of(path, trace.error()));
    }
    if (!to_folder) {
      progress.end();
      opened.push_back(std::move(*trace));
      continue;
    }
    progress.now_writing();
    const CancelSignals signals(context.cancel_flag());
    const Result<WrittenTables> written =
        add_to_folder(*trace, wanted, context.jobs(), context.cancel_flag());
    progress.end();
    if (!written) return say(kExitCannotOpen, written.error().text);
    add(sum, *written);
  }
  if (!to_folder) {
    LoadContext context(load);
    const CancelSignals signals(context.cancel_flag());
    const Result<WrittenTables> written = write_database(opened, wanted, context.cancel_flag());
    if (!written) return say(kExitCannotOpen, written.error().text);
    sum = *written;
  }
  if (!options.report.empty()) {
    if (const Status reported = write_report(options.report, sum); !reported) {
      return say(kExitCannotOpen, reported.error().text);
    }
  }
  fmt::print(stderr, "{} slices written, {} tables of {} {}.\n", grouped(sum.slices),
             sum.rows.size(), traces.size(), traces.size() == 1 ? "trace" : "traces");
  if (!sum.remark.empty()) fmt::print(stderr, "{}\n", sum.remark);
  return kExitOk;
}

}  // namespace cinderscope
