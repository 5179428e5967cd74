// Arguments, then either a sub-command or the window.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/cli.h"
#ifdef CINDERSCOPE_WINDOW
#include "app/window/run_window.h"
#include "app/window/view_frames.h"
#endif

namespace {

using namespace cinderscope;

void add_load_options(CLI::App& command, LoadOptions& load) {
  command.add_option("--jobs", load.jobs, "threads to load with (default: one per core)")
      ->check(CLI::Range(1u, 1024u));
  command
      .add_option("--lazy-above", load.lazy_above_bytes,
                  "bytes of data above which inner calls stay on disk, where a format can")
      ->capture_default_str();
}

int open_window([[maybe_unused]] const std::vector<std::string>& files,
                [[maybe_unused]] const std::string& script,
                [[maybe_unused]] const LoadOptions& load) {
#ifdef CINDERSCOPE_WINDOW
  WindowOptions options;
  options.files = files;
  options.play_script = script;
  options.jobs = load.jobs;
  return run_window(options);
#else
  std::fputs("This build has no window; the sub-commands info, tree and bench need none.\n",
             stderr);
  return kExitCannotOpen;
#endif
}

int run(int argc, char** argv) {
  CLI::App app{"Cinderscope opens call traces of any size: every thread is a zoomable flamegraph."};
  app.name("cinderscope");
  app.set_version_flag("--version", "cinderscope " CINDERSCOPE_VERSION);
  app.require_subcommand(0, 1);

  std::vector<std::string> files;
  std::string script;
  LoadOptions load;
  app.add_option("files", files, "traces or folders to open; - is standard input");
  app.add_option("--play", script, "drive the window by this script, one step a line");
  add_load_options(app, load);

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
  tree_command->add_option("--from", tree.begin, "only what happens from here on (axis units)");
  tree_command->add_option("--to", tree.end, "only what happens before this");
  tree_command->add_flag("--verbose", tree.verbose, "with places in the source, where known");
  add_load_options(*tree_command, tree.load);

  IndexOptions index;
  CLI::App* index_command =
      app.add_subcommand("index", "write the index beside a trace that has one (Lincheck)");
  index_command->add_option("file", index.path, "a trace")->required();
  add_load_options(*index_command, index.load);

  BenchOptions bench;
  CLI::App* bench_command = app.add_subcommand("bench", "measure loading and drawing, as JSON");
  bench_command->add_option("file", bench.path, "a trace")->required();
  bench_command->add_option("--runs", bench.runs, "loads; medians are printed")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  add_load_options(*bench_command, bench.load);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  if (*info_command) return run_info(info);
  if (*tree_command) return run_tree(tree);
  if (*index_command) return run_index(index);
  if (*bench_command) {
#ifdef CINDERSCOPE_WINDOW
    bench.draw_frame = whole_view();
#endif
    return run_bench(bench);
  }
  return open_window(files, script, load);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cinderscope: %s\n", error.what());
    return kExitCannotOpen;
  }
}
