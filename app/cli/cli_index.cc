// `cinderscope index`: writes the index file of a trace anew.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/cli.h"
#include "app/session/open_trace.h"

namespace cinderscope {

int run_index(const IndexOptions& options) {
  Result<RecognisedTrace> recognised = recognise_path(options.path);
  if (!recognised) {
    fmt::print(stderr, "{}\n", message_of(options.path, recognised.error()));
    return kExitCannotOpen;
  }
  LoadContext control(options.load);
  const Result<std::string> written = recognised->source->write_index(control);
  if (!written) {
    fmt::print(stderr, "{}\n", message_of(options.path, written.error()));
    return kExitCannotOpen;
  }
  fmt::print("{}\n", *written);
  return kExitOk;
}

}  // namespace cinderscope
