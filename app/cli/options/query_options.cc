#include "app/cli/options/query_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>

#include "app/cli/options/common_options.h"

namespace cinderscope {
namespace {

constexpr const char* kQueryFooter =
    "    cinderscope query trace.json 'SELECT name, count(*), sum(dur) FROM slice GROUP BY name'\n"
    "    cinderscope query trace.json 'SELECT * FROM help'          what there is to ask\n"
    "Times are integers in the axis' unit. Several statements give several answers. Exit status:\n"
    "0 (also without rows), 1 a file cannot be opened or the query failed or ran into a limit,\n"
    "2 wrong usage, 3 --fail-if-rows and there are some.\n";

}  // namespace

CLI::App* add_query_command(CLI::App& app, QueryOptions& query) {
  CLI::App* command =
      app.add_subcommand("query", "ask traces by SQL")->footer(std::string(kQueryFooter) + kTimes);
  command
      ->add_option("files", query.files,
                   "traces, folders or sessions; then the SQL, unless -f or --query says it")
      ->required()
      ->type_name("FILE... SQL");
  auto* file = command->add_option("-f,--file", query.sql_file,
                                   "read the SQL from a file; - is "
                                   "standard input");
  command->add_option("--query", query.saved, "a saved query")->type_name("NAME")->excludes(file);
  add_read(*command, "--format", std::string(kQueryForms) + " (a terminal: table, else csv)",
           "FORM", [&query](const std::string& text) -> Status {
             query.form = query_form_of(text);
             if (!query.form)
               return refused("one of these is expected: " + std::string(kQueryForms));
             return ok();
           });
  command->add_flag("--raw", query.raw, "times as integers in table and Markdown, too");
  add_read(*command, "--param", "the value of :NAME; may be repeated", "NAME=VALUE",
           [&query](const std::string& text) -> Status {
             const std::size_t sign = text.find('=');
             if (sign == 0 || sign == std::string::npos) return refused("NAME=VALUE is expected");
             query.parameters.emplace_back(text.substr(0, sign), text.substr(sign + 1));
             return ok();
           });
  add_time(*command, "--from", query.range.from, "what range_begin() gives; nothing is left out");
  add_time(*command, "--to", query.range.to, "what range_end() gives");
  command->add_option("--rows", query.rows, "rows of each statement at most");
  command->add_flag("--explain", query.explain, "say how it would be answered and what it costs");
  command->add_flag("--plain", query.plain,
                    "let SQLite test, sort and group all rows itself, to compare");
  add_read(*command, "--time-limit", "stop after this time, as in 30s", "DURATION",
           [&query](const std::string& text) -> Status {
             const Result<std::int64_t> limit = typed_duration(text);
             if (!limit) return limit.error();
             constexpr std::int64_t kNsInMs = 1'000'000;
             query.limits.time_ms = std::max<std::int64_t>(1, *limit / kNsInMs);
             return ok();
           });
  add_read(*command, "--sort-memory",
           "for sorting and temporary tables (default: 1GiB, or a "
           "quarter of what is free)",
           "SIZE", [&query](const std::string& text) -> Status {
             const auto bytes = bytes_of_size(text);
             if (!bytes) return refused("a size is expected, as in 100MB");
             query.limits.sort_memory_bytes = *bytes;
             return ok();
           });
  command->add_flag("--fail-if-rows", query.fail_if_rows, "exit status 3 if there is any row");
  query.load.lazy_above_bytes = UINT64_MAX;  // what is not read is not found
  add_load_options(*command, query.load);
  return command;
}

}  // namespace cinderscope
