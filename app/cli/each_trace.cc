#include "app/cli/each_trace.h"

#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "app/output/exit_status.h"
#include "app/session/find_traces.h"
#include "app/session/open_trace.h"

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

}  // namespace cinderscope
