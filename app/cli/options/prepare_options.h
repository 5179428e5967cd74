// The options of `cinderscope prepare`.
#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace cinderscope {

// The sub-commands, which fill what they are given; it lives as long as they.
CLI::App* add_prepare_command(CLI::App& app, PrepareOptions& prepare);

}  // namespace cinderscope
