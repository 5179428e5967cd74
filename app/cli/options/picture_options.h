// The options of `cinderscope picture`.
#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace cinderscope {

CLI::App* add_picture_command(CLI::App& app, PictureCommand& picture);

}  // namespace cinderscope
