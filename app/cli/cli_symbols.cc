// `cinderscope symbols`: names of native functions, written beside the trace or into a copy.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "app/cli/cli.h"
#include "app/cli/standard_output.h"
#include "app/output/symbol_text.h"
#include "app/recording/symbol_worker.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "ingest/format/capabilities.h"

namespace cinderscope {
namespace {

SymbolRequest request_of(const SymbolsOptions& options) {
  SymbolRequest request{.names_path = options.out,
                        .copy_path = options.into,
                        .debug_folders = options.debug_folders,
                        .root = options.sysroot,
                        .debuginfod = options.debuginfod,
                        .replace = options.force};
  while (request.root.ends_with('/')) request.root.pop_back();
  for (const std::string& text : options.modules) {
    const std::size_t at = text.find('=');
    request.module_files.emplace_back(text.substr(0, at), text.substr(at + 1));
  }
  if (options.out == "-" || options.into == "-") request.sink = write_output;
  return request;
}

Result<SymbolReport> look_up(const SymbolsOptions& options, LoadContext& context) {
  const Result<OpenedSource> opened = open_source(options.path, context);
  if (!opened) return opened.error();
  const NativeSymbols* symbols = opened->source->native_symbols();
  if (symbols == nullptr) {
    return Error{
        ErrorCode::cannot_read, "Traces of this format know no native functions by address.", {}};
  }
  if (!symbols->can_read()) {
    return Error{ErrorCode::cannot_read,
                 "This program was built without libdw, which reads the symbols.",
                 "Install libdw-dev and build it again."};
  }
  return symbols->write(request_of(options), context);
}

}  // namespace

int run_symbols(const SymbolsOptions& options) {
  LoadContext context(options.load);
  const Result<SymbolReport> report = look_up(options, context);
  if (!report) {
    fmt::print(stderr, "{}\n", message_of(options.path, report.error()));
    return kExitCannotOpen;
  }
  const bool to_output = options.out == "-" || options.into == "-";
  std::FILE* to = to_output ? stderr : stdout;
  for (const std::string& line : symbol_lines(*report)) fmt::print(to, "{}\n", line);
  fmt::print(to, "{}\n", symbol_summary(*report));
  const bool nothing_to_name = report->modules.empty() && report->outside == 0;
  return report->written.empty() && !nothing_to_name ? kExitCannotOpen : kExitOk;
}

int run_symbol_worker() {
  answer_as_symbol_worker([](std::string_view answer) { write_output(answer); });
  return kExitOk;
}

}  // namespace cinderscope
