// `cinderscope pack`: a session and its traces in one file.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/progress_line.h"
#include "app/cli/say.h"
#include "app/session/open_trace.h"
#include "app/store/state_files.h"
#include "ingest/os/cancel_signals.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

void say_all(const std::vector<std::string>& notes) {
  for (std::string note : notes) {
    for (char& c : note) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';  // a terminal would obey
    }
    fmt::print(stderr, "{}\n", note);
  }
}

}  // namespace

int run_pack(PackCommandOptions options) {
  PackRequest& request = options.request;
  if (const Status range = check_range({request.from, request.to}); !range) {
    return say(kExitUsage, range.error().text);
  }
  if (request.from || request.to) {
    if (request.part != PackPart::whole) {
      return say(kExitUsage, "--part says which part already: give it or --from and --to.");
    }
    request.part = PackPart::range;
  }
  if (request.out == "-") return say(kExitUsage, "A pack cannot go to standard output.");
  std::vector<std::string> notes;
  Result<PackInput> input = pack_input(options.files, options.look_in, notes);
  if (!input) return say(kExitCannotOpen, input.error().text);
  say_all(notes);
  if (request.strict && !notes.empty()) return say(kExitFailed, "Nothing was written.");
  request.input = std::move(*input);
  for (SessionTrace& trace : request.input.session.traces) {
    const std::string& ids = request.load.names.mapping_path;
    if (trace.ids.empty() && !ids.empty()) trace.ids = absolute_path(ids);
    if (trace.keep.is_all()) trace.keep = request.load.keep;
  }

  PackControl control;
  ProgressLine progress([&control]() -> std::string {
    const std::uint64_t total = control.total_bytes;
    if (total == 0) return "reading";
    return fmt::format("packing {} of {}", size_text(control.done_bytes), size_text(total));
  });
  const CancelSignals signals(control.cancelled);
  const Result<Packed> packed = pack(request, control);
  progress.end();
  if (!packed) return say(kExitCannotOpen, packed.error().text);
  say_all(packed->notes);
  if (packed->refused) return say(kExitFailed, "Nothing was written.");
  return say(kExitOk, packed_text(*packed));
}

}  // namespace cinderscope
