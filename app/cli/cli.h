// The sub-commands, which need no window. Each returns the exit status.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/bench/frame_bench.h"
#include "app/collector/collect_server.h"
#include "app/compare/side_text.h"
#include "app/output/exit_status.h"
#include "app/pack/pack.h"
#include "app/picture/picture_options.h"
#include "ingest/compare/comparison.h"
#include "ingest/compare/conditions.h"
#include "ingest/format/load_context.h"
#include "ingest/model/scope.h"
#include "ingest/model/typed_time.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {

struct InfoOptions {
  std::string path;
  bool json = false;
  std::uint64_t names = 50;  // how many are listed, by count; 0 for all
  LoadOptions load;
};
int run_info(const InfoOptions& options);

// --from and --to.
struct RangeOptions {
  std::optional<TypedTime> from, to;
};
// An Error where no trace has such a range: its end is before its begin.
Status check_range(const RangeOptions& range);

struct TreeOptions {
  std::string path;
  std::uint32_t depth = 0;  // deepest level printed; 0 for all
  std::string thread;       // only threads of this id or name; empty for all
  RangeOptions range;       // only calls in it
  bool verbose = false;     // with positions in the source code, where the format knows them
  bool tidy = false;  // without calls that compilers and tools added, where the format knows them
  LoadOptions load;
};
int run_tree(const TreeOptions& options);

struct IndexOptions {
  std::string path;
  LoadOptions load;
};
int run_index(const IndexOptions& options);

struct PrepareOptions {
  std::vector<std::string> paths;
  bool list = false, check = false, remove = false;  // at most one of them
  LoadOptions load;
};
int run_prepare(const PrepareOptions& options);

struct SymbolsOptions {
  std::string path;
  std::string out, into;  // "-" for standard output; both empty: beside the trace
  std::vector<std::string> debug_folders, modules;  // modules: NAME=ELF
  std::string sysroot;
  bool debuginfod = false, force = false;
  LoadOptions load;
};
int run_symbols(const SymbolsOptions& options);
// The helper that run_symbols() starts for each file with symbols.
int run_symbol_worker();

struct RecordOptions {
  std::vector<std::string> command;  // the program and its arguments
  std::string out;                   // empty: named after the program, in the folder of now
  std::function<void(const std::string& path)> show;  // until the user has seen enough; may be null
};
// The program's own exit status; 127 if it cannot be started.
int run_record(const RecordOptions& options);

struct StatsOptions {
  std::string path;
  RangeOptions range;
  std::vector<TypedThread> threads;  // empty: all
  std::optional<SlicesOf> slices;    // none: calls, or samples where there are no calls
  bool whole = false;                // calls at the range's edges count in full
  bool csv = false, json = false;    // neither: text
  bool spreadsheet = false;          // no text of the CSV becomes a formula
  std::uint64_t names = 0;           // how many are listed; 0 for all
  std::string sort = "total";
  LoadOptions load;
};
int run_stats(const StatsOptions& options);

struct CompareOptions {
  std::vector<std::string> sides;  // two SIDEs; one with save_side
  std::vector<std::string> a, b;   // runs one by one
  std::optional<Measure> measure;  // none: self, or calls where durations do not compare
  ComparisonOptions numbers;       // all but the measure
  std::string min;                 // a DURATION, calls, or a share in percent; empty: default
  NameRules rules;
  ComparedPart part;                  // of both sides, unless a SIDE has its own
  std::vector<Condition> conditions;  // --fail-if
  enum class Form : std::uint8_t { text, json, csv, markdown, tree };
  Form form = Form::text;
  bool spreadsheet = false;   // no text of the CSV becomes a formula
  std::vector<Verdict> only;  // empty: all, in text all but small
  bool with_small = false;    // "all" was among them
  RowSort sort = RowSort::difference;
  std::optional<std::uint64_t> names;  // rows; 0: all; none: 40 in text, else all
  std::string save_side, out;          // paths; out "-" or empty: standard output
  bool force = false;                  // replace files
  LoadOptions load;
};
int run_compare(const CompareOptions& options);

struct PictureCommand {
  std::vector<std::string> files;
  std::string of, out;  // of: empty: a timeline, or what a session shows; out: "-" is stdout
  std::optional<PictureFormat> format;
  PictureOptions options;
  bool force = false;
  LoadOptions load;
};
int run_picture(PictureCommand command);
struct SessionCommandOptions {
  std::string path;
  std::vector<std::string> look_in;  // folders
  bool json = false;
};
int run_session(const SessionCommandOptions& options);

struct PackCommandOptions {
  std::vector<std::string> files, look_in;
  PackRequest request;
};
int run_pack(PackCommandOptions options);

// Runs until a signal (SIGINT, SIGTERM) ends the process.
int run_collect(const CollectOptions& options);

inline const std::vector<std::string> kBenchParts = {
    "frames", "lanes", "questions", "compare", "cancel", "stages", "reopen", "packed", "on_disk"};
struct BenchOptions {
  std::string path;
  unsigned runs = 3;              // loads; medians are printed
  std::vector<std::string> only;  // of kBenchParts; empty: all
  // Of so many timelines below each other; made after the loads, which need no fonts.
  std::function<DrawFrame(std::size_t)> view = [](std::size_t) { return layout_only(); };
  LoadOptions load;
};
int run_bench(const BenchOptions& options);

}  // namespace cinderscope
