// Where a panel's table is saved to.
#pragma once

#include <string>
#include <string_view>

#include "app/commands/arguments.h"
#include "ingest/base/result.h"

namespace cinderscope {

struct Tab;

// The path that is offered: beside the trace, "trace.json.statistics.csv".
std::string table_path_beside(const Tab& tab, std::string_view what);

// Of "PATH [force]": an Error where a file is there that nobody said to replace.
Status may_write(const CommandArguments& arguments);

}  // namespace cinderscope
