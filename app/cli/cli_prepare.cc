// `cinderscope prepare`: writes copies of traces with which they open at once; lists, checks and
// removes those that there are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "app/cli/cli.h"
#include "app/cli/each_trace.h"
#include "app/cli/progress_line.h"
#include "app/desktop/user_folders.h"
#include "app/session/open_source.h"
#include "app/session/open_trace.h"
#include "app/session/prepared_copies.h"
#include "app/store/settings_store.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

Status prepare_one(const std::string& path, const PrepareOptions& options,
                   const CopyLimits& limits) {
  LoadContext context(options.load);
  const Result<OpenedSource> opened = open_source(path, context);
  if (!opened) return opened.error();
  if (!can_have_copy(*opened, options.load)) {
    return refused("No prepared copy can be made of this trace.");
  }
  Result<OpenedTrace> trace = [&] {
    const ProgressLine progress(context);
    return load_opened(path, *opened, context);
  }();
  if (!trace) return trace.error();
  if (trace->prepared) {
    fmt::print("{}: has a copy already\n", path);
    return ok();
  }
  CopyProgress written;
  const Status made = write_copy(*opened, trace->timeline, options.load, written, limits);
  if (!made) return made.error();
  fmt::print("{}: {}\n", path, size_text(written.done_bytes));
  return ok();
}

// In whole days, which are what matters.
std::string age_text(std::filesystem::file_time_type used) {
  using Days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;
  const auto age = std::filesystem::file_time_type::clock::now() - used;
  const std::int64_t days = std::max<std::int64_t>(0, std::chrono::floor<Days>(age).count());
  if (days == 0) return "today";
  return fmt::format("{} {} ago", days, days == 1 ? "day" : "days");
}

std::string name_of(const KnownCopy& copy) {
  return copy.trace.empty() ? utf8_of(copy.file.filename()) + " (damaged)" : copy.trace;
}

int list_copies(const std::string& folder) {
  std::uint64_t bytes = 0;
  const std::vector<KnownCopy> copies = known_copies(folder);
  for (const KnownCopy& copy : copies) {
    fmt::print("{:>10}  {:>12}  {}\n", size_text(copy.bytes), age_text(copy.used), name_of(copy));
    bytes += copy.bytes;
  }
  if (copies.size() > 1) fmt::print("{:>10}  in {} copies\n", size_text(bytes), copies.size());
  return kExitOk;
}

int check_copies(const PrepareOptions& options) {
  int status = kExitOk;
  const unsigned jobs = options.load.jobs == 0 ? core_count() : options.load.jobs;
  for (const KnownCopy& copy : known_copies(options.load.prepared_folder)) {
    if (check_copy(copy, jobs)) {
      fmt::print("{}: whole\n", name_of(copy));
      continue;
    }
    fmt::print("{}: damaged, {}\n", name_of(copy),
               remove_copy(copy) ? "removed" : "cannot be removed");
    status = kExitCannotOpen;
  }
  return status;
}

// Of those files, or all.
int remove_copies(const PrepareOptions& options) {
  std::vector<std::string> wanted;
  for (const std::string& path : options.paths) {
    std::error_code unknown;
    wanted.push_back(utf8_of(std::filesystem::absolute(path_of(path), unknown).lexically_normal()));
  }
  int status = kExitOk;
  std::vector<bool> found(wanted.size());
  for (const KnownCopy& copy : known_copies(options.load.prepared_folder)) {
    const auto which = std::ranges::find(wanted, copy.trace);
    if (!wanted.empty() && which == wanted.end()) continue;
    if (which != wanted.end()) found[static_cast<std::size_t>(which - wanted.begin())] = true;
    if (remove_copy(copy)) continue;
    fmt::print(stderr, "{}: the copy cannot be removed.\n", name_of(copy));
    status = kExitCannotOpen;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found[i]) continue;
    fmt::print(stderr, "{}: there is no prepared copy.\n", options.paths[i]);
    status = kExitCannotOpen;
  }
  return status;
}

}  // namespace

int run_prepare(const PrepareOptions& options) {
  if (options.load.prepared_folder.empty()) {
    fmt::print(stderr, "There is no folder for prepared copies: set XDG_CACHE_HOME or HOME.\n");
    return kExitCannotOpen;
  }
  if (options.list) return list_copies(options.load.prepared_folder);
  if (options.check) return check_copies(options);
  if (options.remove) return remove_copies(options);
  if (options.paths.empty()) {
    fmt::print(stderr, "prepare: traces are expected, or --list, --remove or --check.\n");
    return kExitUsage;
  }
  const StoredSettings stored = look_at_settings(user_folders(false));
  for (const std::string& problem : stored.problems) fmt::print(stderr, "{}\n", problem);
  const CopyLimits limits = copy_limits(stored.settings);
  int status = kExitOk;
  for (const std::string& path : options.paths) {
    if (const Status done = prepare_one(path, options, limits); !done) {
      fmt::print(stderr, "{}\n", message_of(path, done.error()));
      status = kExitCannotOpen;
    }
  }
  return status;
}

}  // namespace cinderscope
