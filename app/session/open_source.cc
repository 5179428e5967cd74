#include "app/session/open_source.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "app/session/load_estimate.h"
#include "formats/all_formats.h"
#include "ingest/base/path_text.h"
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
      path == "-" ? Input::from_stdin(disk_share) : Input::from_path(path_of(path), disk_share);
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

std::optional<Error> too_large_together(std::span<const std::string> paths,
                                        std::uint64_t free_bytes) {
  std::uint64_t needed_bytes = 0;
  for (const std::string& path : paths) {
    if (path == "-") continue;
    const Result<Input> input = Input::from_path(path_of(path), kUsualDiskShare);
    if (!input || !may_need(*input, free_bytes / paths.size())) continue;
    const Result<const Format*> format = detect(all_formats(), *input);
    if (!format) continue;
    needed_bytes += estimated_bytes(**format, *input).value_or(0);
  }
  if (needed_bytes <= free_bytes) return std::nullopt;
  const auto gb = [](std::uint64_t of) { return static_cast<double>(of) / 1e9; };
  return Error{.code = ErrorCode::too_large,
               .text = fmt::format(
                   "These traces need about {:.1f} GB of memory together; {:.1f} GB are free.",
                   gb(needed_bytes), gb(free_bytes)),
               .expected = {}};
}

}  // namespace cinderscope
