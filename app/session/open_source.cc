#include "app/session/open_source.h"

#include <utility>

#include "app/session/load_estimate.h"
#include "app/session/open_trace.h"
#include "ingest/os/memory.h"

namespace cinderscope {

Result<OpenedSource> open_source(const std::string& path, const LoadContext& control) {
  Result<Input> input = input_named(path);
  if (!input) return input.error();
  if (!await_head(*input, control)) {
    return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  }
  Result<RecognisedTrace> recognised = recognise(std::move(*input));
  if (!recognised) return recognised.error();
  if (auto error = too_large(*recognised->format, recognised->source->input(), control.options(),
                             free_memory_bytes())) {
    return *error;
  }
  return OpenedSource{std::move(recognised->source), recognised->format};
}

}  // namespace cinderscope
