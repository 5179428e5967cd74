// `cinderscope collect`: records what live agents send until a signal ends it.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "app/cli/cli.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

int run_collect(const CollectOptions& options) {
  const CollectWatcher watcher{.log = [](const std::string& line) {
    fmt::print(stderr, "{:%H:%M:%S} {}\n", fmt::localtime(std::time(nullptr)), line);
  }};
  const auto server = CollectServer::start(options, watcher);
  if (!server) {
    fmt::print(stderr, "{} {}\n", server.error().text, server.error().expected);
    return kExitCannotOpen;
  }
  (*server)->stop_on_signals();
  fmt::print("Listening on {}; recordings go to {}\n", (*server)->address(),
             utf8_of(options.rules.folder));
  if (!(*server)->is_loopback()) {
    fmt::print("Other machines can reach this address. Whoever does can write recordings here.\n");
  }
  std::fflush(stdout);
  (*server)->run();
  return kExitOk;
}

}  // namespace cinderscope
