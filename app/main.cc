// Arguments, then either a sub-command or the window.
#include <CLI/CLI.hpp>
#include <algorithm>
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
#include "app/cli/options/prepare_options.h"
#include "app/cli/options/query_options.h"
#include "app/cli/options/recording_options.h"
#include "app/cli/options/stats_options.h"
#include "app/cli/standard_output.h"
#include "app/desktop/desktop_commands.h"
#include "app/desktop/user_folders.h"
#include "app/recording/own_trace.h"
#include "app/recording/symbol_worker.h"
#include "app/version.h"
#include "ingest/base/self_trace.h"
#include "ingest/base/time_zone.h"
#include "ingest/os/memory.h"
#include "ingest/os/program_start.h"
#include "ingest/os/write_signals.h"
#ifdef CINDERSCOPE_WINDOW
#include "app/desktop/system_fonts.h"
#include "app/picture/other_fonts.h"
#include "app/window/run_window.h"
#include "app/window/view_frames.h"
#endif

namespace {

using namespace cinderscope;

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

int run_desktop_command(const DesktopCommand& command) {
  const Result<std::string> done = command.run();
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().text.c_str());
    return kExitCannotOpen;
  }
  write_output(*done + "\n");
  return kExitOk;
}

int run(std::vector<std::string> arguments) {
  CLI::App app{"Cinderscope opens call traces of any size: every thread is a zoomable flamegraph."};
  app.name("cinderscope");
  app.allow_windows_style_options(false);  // "/" begins a path
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

  std::vector<std::pair<CLI::App*, DesktopCommand>> of_desktop;
  for (const DesktopCommand& command : desktop_commands()) {
    of_desktop.emplace_back(app.add_subcommand(command.name, command.help), command);
  }

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
    // Its name is known, and the last one is to come first.
    arguments.erase(arguments.begin(), arguments.begin() + (arguments.empty() ? 0 : 1));
    std::ranges::reverse(arguments);
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, complaint;
    const int status = app.exit(error, help, complaint);
    write_output(help.str());
    std::fputs(complaint.str().c_str(), stderr);
    return status == 0 ? kExitOk : kExitUsage;
  }
  if (*worker_command) return run_symbol_worker();
  if (*help_command) return print_help_text(app, help_kind);
  for (const auto& [command, what] : of_desktop) {
    if (*command) return run_desktop_command(what);
  }
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
  cinderscope::open_console();
  cinderscope::keep_large_blocks_apart();
  cinderscope::take_write_signals_as_errors();
  try {
    return cinderscope::status_after_output(run(cinderscope::program_arguments(argc, argv)));
  } catch (const std::exception& error) {
    return cinderscope::status_after(error);
  }
}
