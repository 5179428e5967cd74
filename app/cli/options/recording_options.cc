#include "app/cli/options/recording_options.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "app/cli/options/common_options.h"

namespace cinderscope {

CLI::App* add_record_command(CLI::App& app, RecordOptions& record, bool& no_window,
                             std::string& script) {
  CLI::App* command =
      app.add_subcommand("record",
                         "start a program that was built with the recorder, and show "
                         "what it records")
          ->footer(
              "    cinderscope record -o game.tsd -- ./game --level 3\n"
              "Further variables of the recorder (TSD_MODE, TSD_KEEP, ...) are taken as they are: "
              "see\ndocs/recording.md. The exit status is the program's own; 127: it cannot be "
              "started.");
  command->add_option("-o,--out", record.out,
                      "the file (default: PROGRAM.tsd here); one that exists is replaced");
  auto* only = command->add_flag("--no-window", no_window, "only record");
  command->add_option("--play", script, "drive the window by this script")->excludes(only);
  command->add_option("command", record.command, "the program and its arguments, after --")
      ->required();
  return command;
}

CLI::App* add_symbols_command(CLI::App& app, SymbolsOptions& symbols) {
  CLI::App* command =
      app.add_subcommand("symbols",
                         "name the native functions of a thread stream by the files "
                         "that were run")
          ->footer(
              "Names go beside the trace (run.tsdnames of run.tsd), where the viewer takes them "
              "from;\nwhat the names so far hold is carried over. A file is used only if its build "
              "id is the\nrecorded one; separate debug files are found by it or by the file's "
              "debug "
              "link.");
  command->add_option("file", symbols.path, "a trace")->required();
  auto* out = command->add_option("-o,--out", symbols.out,
                                  "write the names there instead; - is standard output");
  command->add_option("--into", symbols.into, "write a copy of the trace that holds the names")
      ->excludes(out);
  command->add_flag("--force", symbols.force, "replace a file that exists");
  command->add_option("--debug-dir", symbols.debug_folders,
                      "look for separate debug files here, too; may be repeated");
  command->add_option("--sysroot", symbols.sysroot,
                      "paths of the recorded program lie below this folder");
  command
      ->add_option("--module", symbols.modules,
                   "NAME=ELF: the file of a module, by its name or path; may be repeated")
      ->check([](const std::string& text) {
        const std::size_t at = text.find('=');
        return at == 0 || at == std::string::npos ? "NAME=ELF is expected" : "";
      });
  command->add_flag("--debuginfod", symbols.debuginfod,
                    "ask the servers of DEBUGINFOD_URLS for debug files");
  command->add_option("--ids", symbols.load.names.mapping_path,
                      "file with the names so far (default: the one beside the trace)");
  command->add_option("--jobs", symbols.load.jobs, "threads to work with (default: one per core)")
      ->check(CLI::Range(1u, 1024u));
  return command;
}

CLI::App* add_collect_command(CLI::App& app, CollectOptions& collect) {
  CLI::App* command =
      app.add_subcommand("collect", "take what live Qubership agents send, as dump folders")
          ->footer(
              "An agent sends to it with REMOTE_DUMP_HOST=127.0.0.1 and "
              "REMOTE_DUMP_PORT_PLAIN=1715.\n"
              "The folders open while they grow, and after the collector was killed.");
  qubership::CollectorRules& rules = collect.rules;
  rules.folder = "collected";
  command->add_option("--listen", collect.listen, "address and port; port 0: any that is free")
      ->capture_default_str();
  command->add_option("--out", rules.folder, "where recordings go: SERVER/YEAR/MONTH/DAY/START")
      ->capture_default_str();
  command->add_option("--refuse", rules.refused_namespaces,
                      "tell agents of this namespace to give up; may be repeated");
  command
      ->add_option_function<unsigned>(
          "--protocol",
          [&rules](unsigned version) {
            rules.protocol = version == 3 ? qubership::kProtocolV3 : qubership::kProtocolV2;
          },
          "answer to the handshake: 2 (words by position) or 3 (words with numbers)")
      ->check(CLI::IsMember({2u, 3u}))
      ->default_str("2");
  command->add_option("--most-connections", collect.most_connections, "agents at a time")
      ->check(CLI::Range(1u, 100'000u))
      ->capture_default_str();
  command
      ->add_option("--most-session-bytes", rules.most_session_bytes,
                   "an agent that sends more is refused; 0: no limit")
      ->capture_default_str();
  command->add_option("--most-bytes", rules.most_total_bytes, "the same of all agents together")
      ->capture_default_str();
  command
      ->add_option_function<unsigned>(
          "--idle", [&collect](unsigned seconds) { collect.idle = std::chrono::seconds(seconds); },
          "seconds after which a silent agent is let go")
      ->check(CLI::Range(1u, 86'400u))
      ->default_str("61");
  return command;
}

}  // namespace cinderscope
