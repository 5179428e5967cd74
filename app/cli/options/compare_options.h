// The options of `cinderscope compare`.
#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace cinderscope {

CLI::App* add_compare_command(CLI::App& app, CompareOptions& compare);

}  // namespace cinderscope
