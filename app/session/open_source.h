// Opens the source of a trace by its path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/session/opened_source.h"
#include "ingest/input/input.h"

namespace cinderscope {

// `path` is a file, "-" for standard input, or the folder of one trace. Loader thread: may wait for
// a pipe, and returns soon after `context` is cancelled. An Error, too, if the trace would not fit
// into memory, unless the context's options allow that.
Result<OpenedSource> open_source(const std::string& path, const LoadContext& context);

// An Error that says how much memory these files need together, if that is more than `free_bytes`;
// those of which it cannot be told before do not count. Quick unless files are large. Any thread.
std::optional<Error> too_large_together(std::span<const std::string> paths,
                                        std::uint64_t free_bytes);

// Waits until enough of a pipe has come to recognise its format; false once the load is cancelled.
// Input::head() waits as well but cannot be cancelled. Loader thread.
bool await_head(const Input& input, const LoadContext& context);

}  // namespace cinderscope
