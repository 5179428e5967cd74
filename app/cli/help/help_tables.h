// What --help says of the program and its sub-commands, as tables for completions and the man page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace cinderscope {

struct HelpOption {
  std::vector<std::string> names;    // "--names", "-o"; of what has no dash, its name: "file"
  std::string value;                 // what it takes: "TIME", "TEXT"; empty: nothing
  std::vector<std::string> choices;  // all that it takes, if they are few
  std::string help;
  bool positional = false, required = false;
  bool takes_path = false;
};

struct HelpCommand {
  std::string name, help, footer;
  std::vector<HelpOption> options;
  std::vector<HelpCommand> commands;  // hidden ones are left out
};

HelpCommand help_tables(const CLI::App& app);

}  // namespace cinderscope
