// The options of `cinderscope pack`.
#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace cinderscope {

CLI::App* add_pack_command(CLI::App& app, PackCommandOptions& pack);

}  // namespace cinderscope
