// `cinderscope index`: writes the index file of a trace anew.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/cli.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "ingest/format/capabilities.h"

namespace cinderscope {

int run_index(const IndexOptions& options) {
  LoadContext context(options.load);
  const Result<OpenedSource> opened = open_source(options.path, context);
  if (!opened) {
    fmt::print(stderr, "{}\n", message_of(options.path, opened.error()));
    return kExitCannotOpen;
  }
  const IndexFile* index = opened->source->index_file();
  const Result<std::string> written =
      index != nullptr ? index->write(context)
                       : Error{ErrorCode::cannot_read, "Traces of this format have no index."};
  if (!written) {
    fmt::print(stderr, "{}\n", message_of(options.path, written.error()));
    return kExitCannotOpen;
  }
  fmt::print("{}\n", *written);
  return kExitOk;
}

}  // namespace cinderscope
