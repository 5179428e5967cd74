// Completions of the command line for shells, and the man page, from the tables of --help.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/help/help_tables.h"

namespace cinderscope {

std::string bash_completion(const HelpCommand& program);
std::string zsh_completion(const HelpCommand& program);
std::string fish_completion(const HelpCommand& program);

// In roff, for man(1). `version` stands in its foot.
std::string man_page(const HelpCommand& program, std::string_view version);

}  // namespace cinderscope
