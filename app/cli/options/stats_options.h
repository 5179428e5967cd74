// The options of `cinderscope stats`.
#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace cinderscope {

// The sub-commands, which fill what they are given; it lives as long as they.
CLI::App* add_stats_command(CLI::App& app, StatsOptions& stats);

}  // namespace cinderscope
