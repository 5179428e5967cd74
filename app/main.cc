// Arguments, then either a sub-command or the window.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/help/completions.h"
#include "app/cli/options/common_options.h"
#include "app/cli/options/compare_options.h"
#include "app/cli/options/convert_options.h"
#include "app/cli/options/pack_options.h"
#include "app/cli/options/picture_options.h"
#include "app/cli/options/query_options.h"
#include "app/cli/standard_output.h"
#include "app/desktop/user_folders.h"
#include "app/recording/own_trace.h"
#include "app/recording/symbol_worker.h"
#include "app/version.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/time_zone.h"
#include "ingest/os/memory.h"
#include "ingest/os/write_signals.h"
#ifdef CINDERSCOPE_WINDOW
#include "app/desktop/system_fonts.h"
#include "app/picture/other_fonts.h"
#include "app/window/run_window.h"
#include "app/window/view_frames.h"
#endif

namespace {

using namespace cinderscope;

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

CLI::App* add_prepare_command(CLI::App& app, PrepareOptions& prepare) {
  CLI::App* command =
      app.add_subcommand("prepare", "write copies of traces with which they open at once")
          ->footer(
              "They lie in cinderscope/prepared in $XDG_CACHE_HOME, else in ~/.cache, and take at "
              "most\n10 GB and a tenth of the free disk: the least recently used go first. One "
              "whose trace has\nchanged is not used. Arguments of calls are still read from the "
              "trace.");
  command->add_option("files", prepare.paths, "traces");
  auto* list = command->add_flag("--list", prepare.list, "list the copies that there are");
  auto* check = command->add_flag("--check", prepare.check, "check them; damaged ones are removed");
  auto* remove = command->add_flag("--remove", prepare.remove,
                                   "remove those of these traces, or all that there are");
  list->excludes(check)->excludes(remove);
  check->excludes(remove);
  command->add_option("--jobs", prepare.load.jobs, "threads to load with (default: one per core)")
      ->check(CLI::Range(1u, 1024u));
  prepare.load.prepared_folder = prepared_folder(false);
  return command;
}

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

int open_window([[maybe_unused]] const std::vector<std::string>& files, [[maybe_unused]] bool merge,
                [[maybe_unused]] bool compare, [[maybe_unused]] const std::string& pair_by,
                [[maybe_unused]] const std::string& script, [[maybe_unused]] bool reuse,
                [[maybe_unused]] const LoadOptions& load, [[maybe_unused]] bool lazy_above_given,
                [[maybe_unused]] const std::vector<ShowWord>& show,
                [[maybe_unused]] bool new_window,
                [[maybe_unused]] const std::vector<std::string>& look_in,
                [[maybe_unused]] bool absolute) {
#ifdef CINDERSCOPE_WINDOW
  WindowOptions options;
  options.files = files;
  options.merge = merge;
  options.compare = compare;
  options.pair_by = pair_by;
  options.play_script = script;
  options.reuse = reuse;
  options.load = load;
  if (!script.empty() && !load.prepared_folder.empty()) {
    options.load.prepared_folder = prepared_folder(true);
  }
  options.show = show;
  options.new_window = new_window;
  options.look_in = look_in;
  options.absolute = absolute;
  if (lazy_above_given) options.lazy_above_bytes = load.lazy_above_bytes;
  return run_window(options);
#else
  std::fputs(
      "This build has no window; the sub-commands (--help lists them) need "
      "none.\n",
      stderr);
  return kExitCannotOpen;
#endif
}

int print_help_text(const CLI::App& app, const std::string& kind) {
  const HelpCommand program = help_tables(app);
  std::string text;
  if (kind == "bash") text = bash_completion(program);
  if (kind == "zsh") text = zsh_completion(program);
  if (kind == "fish") text = fish_completion(program);
  if (kind == "man") text = man_page(program, version());
  write_output(text);
  return kExitOk;
}

int run(int argc, char** argv) {
  CLI::App app{"Cinderscope opens call traces of any size: every thread is a zoomable flamegraph."};
  app.name("cinderscope");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);

  std::vector<std::string> files;
  std::string script;
  bool merge = false;
  LoadOptions load;
  app.add_option("files", files, "traces or folders to open; - is standard input");
  app.add_option("--play", script,
                 "drive the window by this script, one step a line; settings are then kept only "
                 "where XDG_CONFIG_HOME and XDG_STATE_HOME say");
  bool reuse = false;
  app.add_flag("--reuse", reuse,
               "open the files in a window that is there already, if there is one");
  app.add_flag(
      "--merge", merge,
      "put all files on one timeline; FILE@+12ms moves a file, FILE@start aligns its start");
  bool compare_in_window = false;
  app.add_flag("--compare", compare_in_window,
               "show A and B side by side; each a file, folder, PATH@TIME..TIME or PATH#THREAD");
  std::string pair_by;
  app.add_option("--pair-by", pair_by,
                 "with --compare: pairs are calls whose argument KEY has the same value")
      ->needs("--compare")
      ->type_name("KEY");
  add_load_options(app, load);
  std::vector<ShowWord> show;
  add_show_options(app, show);
  bool new_window = false;
  app.add_flag("--new-window", new_window, "open a window of its own, whatever the settings say");
  std::vector<std::string> look_in;
  app.add_option("--look-in", look_in,
                 "look for the traces of a session in this folder, too; may be repeated")
      ->expected(-1)
      ->allow_extra_args(false)
      ->type_name("DIR");

  bool absolute = false;
  app.add_flag("--absolute", absolute, "save sessions with absolute paths of their traces");

  InfoOptions info;
  CLI::App* info_command = app.add_subcommand("info", "print the facts of a trace");
  info_command->add_option("file", info.path, "a trace, a folder, or - for standard input")
      ->required();
  info_command->add_flag("--json", info.json, "as one JSON object");
  info_command->add_option("--names", info.names, "how many names, by count; 0 for all")
      ->capture_default_str();
  add_load_options(*info_command, info.load);

  TreeOptions tree;
  CLI::App* tree_command = app.add_subcommand("tree", "print the calls of each thread as text");
  tree_command->add_option("file", tree.path, "a trace, a folder, or - for standard input")
      ->required();
  tree_command->add_option("--depth", tree.depth, "deepest level to print; 0 for all");
  tree_command->add_option("--thread", tree.thread, "only threads of this id or name");
  add_time(*tree_command, "--from", tree.range.from, "only what happens from here on");
  add_time(*tree_command, "--to", tree.range.to, "only what happens before this");
  tree_command->footer(kTimes);
  tree_command->add_flag("--verbose", tree.verbose, "with places in the source, where known");
  tree_command->add_flag("--tidy", tree.tidy,
                         "without what compilers and tools put into it, where the format can tell");
  add_load_options(*tree_command, tree.load);

  IndexOptions index;
  CLI::App* index_command =
      app.add_subcommand("index", "write the index beside a trace whose format has one");
  index_command->add_option("file", index.path, "a trace")->required();
  add_load_options(*index_command, index.load);

  PrepareOptions prepare;
  CLI::App* prepare_command = add_prepare_command(app, prepare);

  SymbolsOptions symbols;
  CLI::App* symbols_command = add_symbols_command(app, symbols);
  CLI::App* worker_command = app.add_subcommand(symbol_worker_name())->group("");
  // For who packages the program; hidden.
  std::string help_kind;
  CLI::App* help_command = app.add_subcommand("help-text")->group("");
  help_command->add_option("kind", help_kind)
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}));

  RecordOptions record;
  bool no_window = false;
  CLI::App* record_command = add_record_command(app, record, no_window, script);

  StatsOptions stats;
  CLI::App* stats_command = add_stats_command(app, stats);

  CompareOptions compare;
  CLI::App* compare_command = add_compare_command(app, compare);

  ConvertOptions convert;
  CLI::App* convert_command = add_convert_command(app, convert);
  PictureCommand picture;
  CLI::App* picture_command = add_picture_command(app, picture);
  QueryOptions query;
  CLI::App* query_command = add_query_command(app, query);
  SessionCommandOptions session;
  CLI::App* session_command =
      app.add_subcommand("session", "print what is in a session and whether its traces are found")
          ->footer("Exit status: 0 all are there, 1 it cannot be read, 3 some are missing.");
  session_command->add_option("file", session.path, "a session, NAME.cinder, or a pack")
      ->required();
  session_command->add_flag("--json", session.json, "as one JSON object");
  session_command->add_option("--look-in", session.look_in, "look for traces in this folder, too")
      ->expected(-1)
      ->allow_extra_args(false)
      ->type_name("DIR");

  PackCommandOptions pack;
  CLI::App* pack_command = add_pack_command(app, pack);

  CollectOptions collect;
  CLI::App* collect_command = add_collect_command(app, collect);

  BenchOptions bench;
  CLI::App* bench_command = app.add_subcommand("bench", "measure loading and drawing, as JSON");
  bench_command->add_option("file", bench.path, "a trace")->required();
  bench_command->add_option("--only", bench.only, "parts beside loading, all if not given")
      ->delimiter(',')
      ->check(CLI::IsMember(kBenchParts));
  bench_command->add_option("--runs", bench.runs, "loads; medians are printed")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  add_load_options(*bench_command, bench.load);
  bench.load.prepared_folder.clear();

  std::string zone;
  const auto offer_zone = [&zone](CLI::App& command) {
    command.add_option("--zone", zone, "for times of day: local, UTC or a name as Europe/Berlin")
        ->type_name("ZONE");
  };
  for (CLI::App* command : {&app, stats_command, tree_command, compare_command, convert_command,
                            picture_command, pack_command, query_command}) {
    offer_zone(*command);
  }

  std::string self_trace;
  const auto offer_self_trace = [&self_trace](CLI::App& command) {
    command.add_option("--self-trace", self_trace,
                       "record what the program itself does, as a trace, in this file: a thread "
                       "stream if its name ends in .tsd, else JSON");
  };
  offer_self_trace(app);
  for (CLI::App* command : app.get_subcommands({})) offer_self_trace(*command);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, complaint;
    const int status = app.exit(error, help, complaint);
    write_output(help.str());
    std::fputs(complaint.str().c_str(), stderr);
    return status == 0 ? kExitOk : kExitUsage;
  }
  if (*worker_command) return run_symbol_worker();
  if (*help_command) return print_help_text(app, help_kind);
  // What is printed does not depend on the machine's zone; the window is its user's.
  const bool in_window = app.get_subcommands().empty() || (*record_command && !no_window);
  if (zone.empty()) zone = in_window ? "local" : "UTC";
  if (*stats_command || *tree_command || *compare_command || *convert_command || *picture_command ||
      *pack_command || *query_command || in_window) {
    if (const Status known = use_time_zone(zone); !known) {
      std::fprintf(stderr, "%s\n", known.error().text.c_str());
      return kExitUsage;
    }
  }
#ifdef CINDERSCOPE_WINDOW
  use_other_fonts([](const std::set<char32_t>& characters) {
    std::vector<OtherFont> fonts;
    for (SystemFont& font : system_fonts_with(characters)) {
      fonts.push_back({std::move(font.path), font.face, std::move(font.characters)});
    }
    return fonts;
  });
#endif
  self_trace_thread("main");
  const Result<OwnTrace> recording = OwnTrace::start(self_trace);
  if (!recording) {
    std::fprintf(stderr, "%s\n", recording.error().text.c_str());
    return kExitUsage;
  }
  if (*info_command) return run_info(info);
  if (*tree_command) return run_tree(tree);
  if (*index_command) return run_index(index);
  if (*prepare_command) return run_prepare(prepare);
  if (*symbols_command) return run_symbols(symbols);
  if (*stats_command) return run_stats(stats);
  if (*record_command) {
#ifdef CINDERSCOPE_WINDOW
    if (!no_window) {
      record.show = [&script](const std::string& path) {
        run_window({.files = {path}, .play_script = script});
      };
    }
#endif
    return run_record(record);
  }
  if (*compare_command) return run_compare(compare);
  if (*convert_command) return run_convert(convert);
  if (*picture_command) return run_picture(picture);
  if (*query_command) return run_query(std::move(query));
  if (*session_command) return run_session(session);
  if (*pack_command) return run_pack(std::move(pack));
  if (*collect_command) return run_collect(collect);
  if (*bench_command) {
#ifdef CINDERSCOPE_WINDOW
    bench.view = whole_view;
#endif
    return run_bench(bench);
  }
  return open_window(files, merge, compare_in_window, pair_by, script, reuse, load,
                     app.count("--lazy-above") > 0, show, new_window, look_in, absolute);
}

}  // namespace

int main(int argc, char** argv) {
  cinderscope::keep_large_blocks_apart();
  cinderscope::take_write_signals_as_errors();
  try {
    return cinderscope::status_after_output(run(argc, argv));
  } catch (const std::exception& error) {
    return cinderscope::status_after(error);
  }
}
