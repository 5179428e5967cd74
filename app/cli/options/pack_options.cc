#include "app/cli/options/pack_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/options/common_options.h"

namespace cinderscope {
namespace {

constexpr const char* kPackFooter =
    "    cinderscope pack night.cinder -o night.cinderpack\n"
    "    cinderscope pack a.json b.spall -o both.cinderpack --from +1.2s --to +1.5s\n"
    "The pack is a ZIP archive with the session and its traces; it opens like a trace. What is\n"
    "left out is said on standard error. Exit status: 0 written, 1 cannot be read or written,\n"
    "2 wrong usage, 3 --strict, and something would be left out: nothing is written.\n";

}  // namespace

CLI::App* add_pack_command(CLI::App& app, PackCommandOptions& pack) {
  CLI::App* command = app.add_subcommand("pack", "write a session and its traces into one file")
                          ->footer(std::string(kPackFooter) + kTimes);
  PackRequest& request = pack.request;
  command->add_option("files", pack.files, "a session, or traces")->required();
  command->add_option("-o,--out", request.out, "the file to write, NAME.cinderpack")->required();
  add_time(*command, "--from", request.from, "begin of the range that is packed of each trace");
  add_time(*command, "--to", request.to, "its end, which is no longer part of it");
  command
      ->add_option_function<std::string>(
          "--part",
          [&request](const std::string& word) {
            request.part = word == "view"       ? PackPart::view
                           : word == "selected" ? PackPart::selected
                                                : PackPart::whole;
          },
          "of each trace what its tab shows, or the range that is selected in it")
      ->check(CLI::IsMember({"whole", "view", "selected"}))
      ->default_str("whole");
  add_threads(*command, request.threads, "only this thread; may be repeated");
  command->add_flag("--anonymous", request.anonymous,
                    "names become n1, n2, ...; no arguments, no notes");
  command->add_flag_callback(
      "--no-compress", [&request] { request.compress = false; }, "leave traces as they are");
  command->add_flag("--strict", request.strict, "write nothing if anything would be left out");
  command->add_flag("--force", request.force, "replace a file that exists");
  command->add_option("--look-in", pack.look_in, "look for traces of the session here, too")
      ->expected(-1)
      ->allow_extra_args(false)
      ->type_name("DIR");
  add_load_options(*command, request.load);
  return command;
}

}  // namespace cinderscope
