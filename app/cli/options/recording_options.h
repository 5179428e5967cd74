// The options of `cinderscope record`, `symbols` and `collect`.
#pragma once

#include <string>

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace cinderscope {

// The sub-commands, which fill what they are given; it lives as long as they.
CLI::App* add_record_command(CLI::App& app, RecordOptions& record, bool& no_window,
                             std::string& script);
CLI::App* add_symbols_command(CLI::App& app, SymbolsOptions& symbols);
CLI::App* add_collect_command(CLI::App& app, CollectOptions& collect);

}  // namespace cinderscope
