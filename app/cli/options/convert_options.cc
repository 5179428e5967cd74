#include "app/cli/options/convert_options.h"

#include <CLI/CLI.hpp>
#include <cmath>

#include "app/cli/options/common_options.h"

namespace cinderscope {
namespace {

constexpr const char* kConvertFooter =
    "    cinderscope convert big.json --from +1.2s --to +1.5s -o part.json.gz\n"
    "    cinderscope convert trace.spall -o trace.json\n"
    "    cinderscope convert a.json b.spall@+12ms -o both.json\n"
    "    cinderscope convert *.json.gz -o tables/ --format csv --compress zst\n"
    "Several files come on one timeline, as with --merge; OUT.sqlite and a folder of tables keep\n"
    "them apart. What a format has no place for is said\n"
    "on standard error and in --report. Exit status: 0 written, 1 cannot be opened or written,\n"
    "2 wrong usage, 3 --strict, and something would be lost: nothing is written.\n";

Status read_match(const std::string& text, std::optional<TextMatch>& match) {
  Result<TextMatch> read = TextMatch::matching(text, false);
  if (!read) return read.error();
  match = std::move(*read);
  return ok();
}

}  // namespace

CLI::App* add_convert_command(CLI::App& app, ConvertOptions& convert) {
  CLI::App* command =
      app.add_subcommand("convert", "write a trace, or a part of it, as a file of any format")
          ->footer(std::string(kConvertFooter) + kTimes);
  ConvertRequest& request = convert.request;
  command
      ->add_option("files", convert.files,
                   "traces; - is standard input; FILE@+12ms moves one of several")
      ->required();
  command->add_option("-o,--out", request.out, "the file to write; - is standard output")
      ->required();
  command->add_option("--format", convert.format, "what to write, where the ending does not tell");
  command
      ->add_option_function<std::string>(
          "--compress",
          [&convert](const std::string& word) {
            convert.packing = word == "gz" ? OutputPacking::gzip : OutputPacking::zstd;
          },
          "pack the output")
      ->check(CLI::IsMember({"gz", "zst"}));
  add_time(*command, "--from", request.from, "begin of the range to write");
  add_time(*command, "--to", request.to, "its end, which is no longer part of it");
  add_threads(*command, request.threads,
              "only this thread: TID, PID/TID, PID/, NAME, /REGEX/; may be repeated");
  command
      ->add_option_function<std::string>(
          "--edges",
          [&request](const std::string& word) {
            request.edges = word == "cut"     ? RangeEdges::cut
                            : word == "whole" ? RangeEdges::whole
                                              : RangeEdges::drop;
          },
          "calls at the range's edges: cut them, write them whole, or drop them")
      ->check(CLI::IsMember({"cut", "whole", "drop"}))
      ->default_str("cut");
  add_read(*command, "--min-duration", "only calls that last so long", "DURATION",
           [&request](const std::string& text) -> Status {
             const Result<std::int64_t> length = typed_duration(text);
             if (!length) return length.error();
             request.min_duration = *length;
             return ok();
           });
  command->add_option("--depth", request.depth, "deepest level to write; 0 for all");
  add_read(*command, "--only-names", "only calls of these names; callers get the others' time",
           "REGEX",
           [&request](const std::string& text) { return read_match(text, request.only_names); });
  command->add_flag("--zero", request.zero, "times from the begin of what is written");
  command->add_flag_callback(
      "--no-args", [&request] { request.args = false; }, "no arguments");
  add_read(*command, "--rename", "change names; \\1 is a group; may be repeated", "REGEX=TEXT",
           [&request](const std::string& text) { return request.rename.add(text); });
  command->add_flag("--anonymous", request.anonymous,
                    "names become n1, n2, ...; no arguments; the list goes to OUT.names.tsv");
  add_read(*command, "--keep-names", "names that --anonymous leaves as they are", "REGEX",
           [&request](const std::string& text) { return read_match(text, request.keep_names); });
  command->add_flag_callback(
      "--no-list", [&request] { request.list_names = false; },
      "no list of the names that --anonymous replaced");
  add_read(*command, "--split", "several files of about this size: OUT.001.json, ...", "SIZE",
           [&request](const std::string& text) -> Status {
             const auto bytes = bytes_of_size(text);
             if (!bytes) return refused("a size is expected, as in 100MB");
             request.split_bytes = *bytes;
             return ok();
           });
  command->add_flag("--rewrite", request.rewrite,
                    "write Google JSON anew instead of copying its events");
  command->add_option("--table", convert.tables,
                      "only this table of a database or a folder; may be repeated");
  command->add_flag("--index", convert.index,
                    "a database with indices above 20 million slices, too");
  command->add_flag("--strict", request.strict, "write nothing if anything would be lost");
  command->add_option("--report", convert.report,
                      "what was written and lost, as JSON; - is standard output");
  command->add_flag("--force", request.force, "replace files that exist");
  add_load_options(*command, convert.load);
  return command;
}

}  // namespace cinderscope
