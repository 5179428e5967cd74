#include "app/cli/options/stats_options.h"

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/options/common_options.h"

namespace cinderscope {

CLI::App* add_stats_command(CLI::App& app, StatsOptions& stats) {
  CLI::App* command =
      app.add_subcommand("stats",
                         "add up calls by name: count, total, self, mean, median, p90, p99, min, "
                         "max, share")
          ->footer(
              "Times are whole numbers in the axis' unit, ns or events, absolute as in the file.\n"
              "total counts time inside recursive calls once; an unfinished call lasts to its\n"
              "thread's end. mean is rounded to the nearest whole number. median, p90 and p99 are\n"
              "durations of actual calls (nearest rank). share is total in percent of the range, "
              "or\n"
              "of the time from the first call to the last; with several threads it may exceed "
              "100.\n"
              "CSV and JSON also tell how many calls are unfinished, and info_total: what `info`\n"
              "calls total, which adds up the durations of all finished calls.\n" +
              std::string(kTimes));
  command->add_option("file", stats.path, "a trace, a folder, or - for standard input")->required();
  add_time(*command, "--from", stats.range.from, "begin of the range to measure");
  add_time(*command, "--to", stats.range.to, "its end, which is no longer part of it");
  add_threads(*command, stats.threads, "only this thread; may be repeated");
  command
      ->add_option_function<std::string>(
          "--slices", [&stats](const std::string& word) { stats.slices = slices_of_word(word); },
          "what is measured: calls, samples or both; calls by default, samples where there are "
          "no calls")
      ->check(CLI::IsMember({"calls", "samples", "both"}));
  command->add_flag("--whole", stats.whole,
                    "count calls that overlap the range with all of their time");
  auto* csv = command->add_flag("--csv", stats.csv, "as CSV");
  command->add_flag("--json", stats.json, "as JSON")->excludes(csv);
  command
      ->add_flag("--spreadsheet", stats.spreadsheet,
                 "in the CSV ' stands before names that a spreadsheet would take for a formula")
      ->needs(csv);
  command->add_option("--names", stats.names, "how many names; 0 for all")->capture_default_str();
  command->add_option("--sort", stats.sort, "column to sort by, largest first (names from A)")
      ->check(CLI::IsMember({"name", "count", "total", "self", "mean", "median", "p90", "p99",
                             "min", "max", "share"}))
      ->capture_default_str();
  add_load_options(*command, stats.load);
  return command;
}

}  // namespace cinderscope
