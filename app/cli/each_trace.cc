#include "app/cli/each_trace.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "app/output/exit_status.h"
#include "app/session/find_traces.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope {

int for_each_trace(const std::string& path,
                   const std::function<Status(const NamedTrace&)>& report) {
  std::string left_out;
  const Result<std::vector<std::string>> paths = traces_of(path, &left_out);
  if (!paths) {
    fmt::print(stderr, "{}\n", message_of(path, paths.error()));
    return kExitCannotOpen;
  }
  if (!left_out.empty()) fmt::print(stderr, "{}\n", left_out);
  const bool in_folder = paths->size() > 1 || paths->front() != path;
  int status = kExitCannotOpen;
  for (const std::string& each : *paths) {
    const Status reported = report({each, in_folder});
    if (reported) {
      status = kExitOk;
    } else {
      fmt::print(stderr, "{}\n", message_of(each, reported.error()));
    }
  }
  return status;
}

namespace {

// Of a file on disk: as many seconds of one core as a start of the others would not pay for.
constexpr std::uint64_t kSmallBytes = 16u << 20;

bool is_small_file(const std::string& path) {
  const std::optional<FileStatus> status = path == "-" ? std::nullopt : file_status(path_of(path));
  return status && status->kind == FileKind::regular && status->size_bytes <= kSmallBytes;
}

}  // namespace

int open_traces(const std::vector<std::string>& paths, const LoadOptions& options,
                const std::function<void(OpenedTrace)>& take) {
  const unsigned jobs = options.jobs == 0 ? core_count() : options.jobs;
  for (const std::string& path : paths) {
    std::vector<std::string> found;
    const int status = for_each_trace(path, [&found](const NamedTrace& named) -> Status {
      found.push_back(named.path);
      return ok();
    });
    if (status != kExitOk) return status;
    LoadOptions alone = options;
    alone.jobs = 1;
    bool any = false;
    const auto take_result = [&](const std::string& each, Result<OpenedTrace> trace) {
      if (trace) {
        any = true;
        return take(std::move(*trace));
      }
      fmt::print(stderr, "{}\n", message_of(each, trace.error()));
    };
    for (std::size_t begin = 0; begin < found.size();) {
      std::size_t end = begin;
      while (end < found.size() && is_small_file(found[end])) ++end;
      if (end - begin < 2) {
        take_result(found[begin], open_trace(found[begin], options));
        ++begin;
        continue;
      }
      std::vector<std::optional<Result<OpenedTrace>>> opened(end - begin);
      parallel_for(opened.size(), jobs,
                   [&](std::size_t i) { opened[i].emplace(open_trace(found[begin + i], alone)); });
      for (auto& each : opened) take_result(found[begin++], std::move(*each));
    }
    if (!any) return kExitCannotOpen;
  }
  return kExitOk;
}

}  // namespace cinderscope
