#include "app/session/open_source.h"

#include <chrono>
#include <thread>
#include <utility>

#include "app/session/load_estimate.h"
#include "formats/all_formats.h"
#include "ingest/os/memory.h"

namespace cinderscope {

bool await_head(const Input& input, const LoadContext& context) {
  constexpr std::size_t kHeadBytes = 4096;
  while (!input.complete() && input.wait_for(0) < kHeadBytes) {
    if (context.cancelled()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return !context.cancelled();
}

Result<OpenedSource> open_source(const std::string& path, const LoadContext& context) {
  const double disk_share = context.options().beyond_memory ? 1 : kUsualDiskShare;
  Result<Input> input =
      path == "-" ? Input::from_stdin(disk_share) : Input::from_path(path, disk_share);
  if (!input) return input.error();
  if (!await_head(*input, context)) {
    return Error{.code = ErrorCode::cancelled, .text = "Loading was stopped."};
  }
  const Result<const Format*> format = detect(all_formats(), *input);
  if (!format) return format.error();
  Result<std::unique_ptr<TraceSource>> source = (*format)->open(std::move(*input));
  if (!source) return source.error();
  if (auto error =
          too_large(**format, (*source)->input(), context.options(), free_memory_bytes())) {
    return *error;
  }
  return OpenedSource{std::move(*source), *format};
}

}  // namespace cinderscope
