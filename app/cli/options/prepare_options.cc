#include "app/cli/options/prepare_options.h"

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/options/common_options.h"
#include "app/desktop/user_folders.h"

namespace cinderscope {

CLI::App* add_prepare_command(CLI::App& app, PrepareOptions& prepare) {
  CLI::App* command =
      app.add_subcommand("prepare", "write copies of traces with which they open at once")
          ->footer(
              "They lie in cinderscope/prepared in $XDG_CACHE_HOME, else in ~/.cache, and take at "
              "most\n10 GB and a tenth of the free disk (settings of the window: prepared-size, "
              "prepared-share):\nthe least recently used go first. One whose trace has changed is "
              "not used. Arguments of\ncalls are still read from the trace.");
  command->add_option("files", prepare.paths, "traces");
  auto* list = command->add_flag("--list", prepare.list, "list the copies that there are");
  auto* check = command->add_flag("--check", prepare.check, "check them; damaged ones are removed");
  auto* remove = command->add_flag("--remove", prepare.remove,
                                   "remove those of these traces, or all that there are");
  list->excludes(check)->excludes(remove);
  check->excludes(remove);
  command->add_option("--jobs", prepare.load.jobs, "threads to load with (default: one per core)")
      ->check(CLI::Range(1u, 1024u));
  prepare.load.prepared_folder = prepared_folder(false);
  return command;
}

}  // namespace cinderscope
