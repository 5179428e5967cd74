// The options of `cinderscope query`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "app/output/query_output.h"

namespace CLI {
class App;
}

namespace cinderscope {

struct QueryOptions {
  std::vector<std::string> files;  // the last one is the statement unless one of these is given
  std::string sql_file, saved;     // -f PATH or -; the name of a saved query
  std::optional<QueryForm> form;   // none: a table on a terminal, else CSV
  std::vector<std::pair<std::string, std::string>> parameters;
  RangeOptions range;  // what range_begin() and range_end() give
  QueryLimits limits;
  std::uint64_t rows = 0;  // of each statement; 0: all
  bool raw = false, explain = false, plain = false, fail_if_rows = false;
  LoadOptions load;
};

CLI::App* add_query_command(CLI::App& app, QueryOptions& query);
int run_query(QueryOptions options);  // the exit status

}  // namespace cinderscope
