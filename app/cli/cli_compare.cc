// `cinderscope compare`: two sides name by name, as text, JSON, CSV, Markdown or chains of calls.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/say.h"
#include "app/cli/standard_output.h"
#include "app/compare/comparison_output.h"
#include "app/compare/side_file.h"
#include "app/compare/side_loader.h"
#include "ingest/base/number_text.h"
#include "ingest/base/path_text.h"
#include "ingest/base/time_units.h"
#include "ingest/compare/compared_tree.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/file.h"

namespace cinderscope {

namespace {

using Form = CompareOptions::Form;

constexpr std::uint64_t kNamesInText = 40;

bool exists(const std::string& path) {
  return path == "-" || file_status(path_of(path)).has_value();
}

// What a side is, or a sentence that says what is wrong.
Result<SideText> side_of(const CompareOptions& options, Side side) {
  const std::vector<std::string>& files = side == side_a ? options.a : options.b;
  if (!files.empty()) return SideText{files, options.part};
  const std::size_t place = options.a.empty() && side == side_b ? 1 : 0;
  if (place >= options.sides.size()) {
    return refused("Give two sides, as in: cinderscope compare before.json after.json");
  }
  Result<SideText> read = parse_side(options.sides[place], exists);
  if (!read) return read;
  const bool has_part = read->part.from || read->part.to || !read->part.threads.empty();
  if (has_part && is_saved_side(read->paths.front())) {
    return refused(fmt::format("{}: a saved side has no calls of which a part could be taken.",
                               read->paths.front()));
  }
  ComparedPart part = options.part;
  if (read->part.from || read->part.to) {
    part.from = read->part.from;
    part.to = read->part.to;
  }
  if (!read->part.threads.empty()) part.threads = read->part.threads;
  read->part = std::move(part);
  return read;
}

Status check_part(const ComparedPart& part) {
  return check_range({part.from, part.to});
}

// --min, in the unit of values.
Result<std::optional<double>> minimum_of(const CompareOptions& options, Measure measure) {
  std::string_view text = options.min;
  if (text.empty()) return std::optional<double>();
  const bool of_shares = options.numbers.scale == Scale::share;
  if (of_shares && text.ends_with('%')) text.remove_suffix(1);
  const auto number = parse_number<double>(text);
  if (number && *number >= 0) return std::optional<double>(of_shares ? *number / 100 : *number);
  const Result<Nanoseconds> length = nanoseconds_from(text);
  if (length && length->floor_ns >= 0 && is_duration(measure) && !of_shares) {
    return std::optional<double>(static_cast<double>(length->floor_ns));
  }
  return refused(fmt::format("--min: \"{}\" is no {}.", text,
                             of_shares              ? "share such as 0.1%"
                             : is_duration(measure) ? "length of time such as 1ms"
                                                    : "number of calls"));
}

// Where facts go: standard output, or a file that appears once it is whole.
class ComparisonStream {
 public:
  Status open(const CompareOptions& options) {
    if (options.out.empty() || options.out == "-") return ok();
    if (!options.force && exists(options.out)) {
      return refused(fmt::format("{} exists; --force replaces it.", options.out));
    }
    Result<AtomicFile> made = AtomicFile::create(path_of(options.out));
    if (!made) return made.error();
    file_.emplace(std::move(*made));
    return ok();
  }
  bool write(std::string_view text) {
    if (!file_) return write_output(text);
    file_->append(text);
    return file_->ok();
  }
  Status finish() { return file_ ? file_->commit() : ok(); }

 private:
  std::optional<AtomicFile> file_;
};

int save(const CompareOptions& options, const SideRuns& side) {
  if (!options.force && exists(options.save_side)) {
    return say(kExitCannotOpen, fmt::format("{} exists; --force replaces it.", options.save_side));
  }
  if (const Status saved = replace_file(path_of(options.save_side), saved_side(side)); !saved) {
    return say(kExitCannotOpen, fmt::format("{}: {}", options.save_side, saved.error().text));
  }
  return kExitOk;
}

constexpr const char* kCallsMeasure = "--weight calls compares counts: it has no other measure.";

// What lengths stand for.
std::string_view weight_word(const ComparedSides& sides) {
  const auto& of_a = sides.runs[side_a];
  if (of_a.empty() || of_a.front().run->weight.empty()) return "time";
  return of_a.front().run->weight;
}

// The rows that are listed, in their order.
std::vector<std::uint32_t> listed_rows(const CompareOptions& options, const ComparedSides& sides,
                                       const Comparison& comparison) {
  constexpr std::uint32_t kAll = (1u << kVerdicts) - 1;
  const bool for_people = options.form == Form::text || options.form == Form::markdown;
  std::uint32_t wanted = 0;
  for (const Verdict verdict : options.only) wanted |= 1u << static_cast<unsigned>(verdict);
  if (options.with_small || (options.only.empty() && !for_people)) wanted = kAll;
  std::vector<std::uint32_t> rows = rows_in_order(sides, comparison, options.sort, wanted);
  const std::uint64_t most = options.names.value_or(options.form == Form::text ? kNamesInText : 0);
  if (most != 0 && rows.size() > most) rows.resize(most);
  return rows;
}

void write_tree(const SideLoader& loader, const ComparedSides& sides, CallWeight by,
                ComparisonStream& out) {
  const std::atomic<bool> cancelled{false};
  const ComparedTree tree = merged_trees(
      *loader.tree(side_a), *loader.tree(side_b),
      {static_cast<double>(sides.run_count(side_a)), static_cast<double>(sides.run_count(side_b))},
      sides.names, cancelled);
  const std::uint64_t deeper = write_collapsed(
      tree, sides.labels, by, [&out](std::string_view line) { return out.write(line); });
  if (deeper > 0) {
    say(0,
        fmt::format("{} chains are longer than 1000 calls; their ends are part of these.", deeper));
  }
  if (tree.left_out > 0) {
    tell(fmt::format("{} calls in further chains are part of their callers.", tree.left_out));
  }
}

int print(const CompareOptions& options, const SideLoader& loader, const ComparedSides& sides,
          const Comparison& comparison, std::span<const FailedCondition> failed) {
  const bool by_calls = sides.counts_calls(options.load.weight);
  ComparisonStream out;
  if (const Status opened = out.open(options); !opened) {
    return say(kExitCannotOpen, opened.error().text);
  }
  const std::vector<std::uint32_t> rows = listed_rows(options, sides, comparison);
  const ComparisonOutput of{sides, comparison, options.rules,
                            rows,  failed,     by_calls ? "calls" : weight_word(sides)};
  switch (options.form) {
    case Form::text:
      out.write(comparison_text(of));
      break;
    case Form::csv:
      out.write(comparison_table(of, {.text = TableText::csv, .spreadsheet = options.spreadsheet}));
      break;
    case Form::markdown:
      out.write(comparison_markdown(of));
      break;
    case Form::tree:
      write_tree(loader, sides, by_calls ? CallWeight::calls : CallWeight::time, out);
      break;
    case Form::json: {
      JsonWriter json;
      write_comparison(json, of);
      out.write(json.str());
      out.write("\n");
      break;
    }
  }
  if (const Status written = out.finish(); !written) {
    return say(kExitCannotOpen, fmt::format("{}: {}", options.out, written.error().text));
  }
  return kExitOk;
}

int compare_loaded(const CompareOptions& options, SideLoader& loader) {
  const Result<ComparedSides> sides = loader.compare();
  if (!sides) return say(kExitUsage, sides.error().text);
  loader.drop_slices();
  ComparisonOptions numbers = options.numbers;
  const bool by_calls = sides->counts_calls(options.load.weight);
  if (by_calls && options.measure && *options.measure != Measure::count) {
    return say(kExitUsage, kCallsMeasure);
  }
  numbers.measure =
      options.measure.value_or(by_calls || sides->axes_differ() ? Measure::count : Measure::self);
  const Result<std::optional<double>> min = minimum_of(options, numbers.measure);
  if (!min) return say(kExitUsage, min.error().text);
  numbers.min = *min;
  if (numbers.scale == Scale::per && !find_name(*sides, numbers.per)) {
    return say(kExitNoSuchName, fmt::format("No side has a call of \"{}\".", numbers.per));
  }
  const Result<Comparison> comparison = compare_sides(*sides, numbers);
  if (!comparison) return say(kExitUsage, comparison.error().text);
  const Result<ConditionOutcome> outcome =
      check_conditions(*sides, *comparison, options.conditions);
  if (!outcome) return say(kExitUsage, outcome.error().text);
  if (options.form == Form::tree && (!loader.tree(side_a) || !loader.tree(side_b))) {
    return say(kExitUsage, "--tree needs traces: a saved side has numbers only.");
  }
  if (const int status = print(options, loader, *sides, *comparison, outcome->failed);
      status != kExitOk) {
    return status;
  }
  for (const FailedCondition& failed : outcome->failed) {
    tell(failed_sentence(*sides, *comparison, failed));
  }
  for (const std::string& name : outcome->missing) {
    tell(fmt::format("No side has a call of \"{}\".", name));
  }
  if (!outcome->missing.empty()) return kExitNoSuchName;
  return outcome->failed.empty() ? kExitOk : kExitFailed;
}

Status check_usage(const CompareOptions& options) {
  const std::size_t given =
      options.sides.size() + (options.a.empty() ? 0 : 1) + (options.b.empty() ? 0 : 1);
  if (given > 2) return refused("Give two sides: as SIDEs, or by --a and --b.");
  if (given == 2) return ok();
  if (given == 1 && !options.save_side.empty()) return ok();
  return refused("Give two sides, as in: cinderscope compare before.json after.json");
}

}  // namespace

int run_compare(const CompareOptions& options) {
  if (const Status usage = check_usage(options); !usage) {
    return say(kExitUsage, usage.error().text);
  }
  if (const auto renamer = Renamer::of(options.rules.renames); !renamer) {
    return say(kExitUsage, renamer.error().text);
  }
  const bool only_one = options.sides.size() + options.a.size() + options.b.size() == 1 ||
                        (options.sides.empty() && (options.a.empty() || options.b.empty()));
  std::vector<Side> given = {side_a, side_b};
  if (only_one) given = {options.b.empty() ? side_a : side_b};
  OfSides<SideText> texts;
  for (const Side side : given) {
    Result<SideText> text = side_of(options, side);
    if (!text) return say(kExitUsage, text.error().text);
    if (const Status fits = check_part(text->part); !fits) {
      return say(kExitUsage, fits.error().text);
    }
    texts[side] = std::move(*text);
  }
  SideLoader loader(
      {.load = options.load, .rules = options.rules, .with_trees = options.form == Form::tree});
  for (const Side side : given) {
    for (const std::string& path : texts[side].paths) {
      if (const Status added = loader.add(side, path, texts[side].part); !added) {
        return say(kExitUsage, added.error().text);
      }
    }
    for (const LeftOutRun& left : loader.runs()[side].left_out) tell(left.error);
    if (loader.runs()[side].runs.empty()) return kExitCannotOpen;
  }
  if (!options.save_side.empty()) {
    const int status = save(options, loader.runs()[given.back()]);
    if (status != kExitOk || only_one) return status;
  }
  return compare_loaded(options, loader);
}

}  // namespace cinderscope
