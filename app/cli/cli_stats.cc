// `cinderscope stats`: calls added up by name, as text, CSV or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/each_trace.h"
#include "app/cli/standard_output.h"
#include "app/output/statistics_json.h"
#include "app/output/weights_json.h"
#include "app/session/open_trace.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/parallel.h"
#include "ingest/base/utf8.h"
#include "ingest/model/measure/sample_runs.h"
#include "ingest/model/measure/timeline_weights.h"
#include "ingest/totals/slice_statistics.h"
#include "render/tables/statistics_table.h"
#include "render/tables/taken_table.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLeastWidth = 6, kPercentWidth = 9;

struct Measured {
  SliceStatistics statistics;
  std::shared_ptr<const ValueTable> table;
  std::vector<std::uint32_t> rows;  // of the table, in the order wanted
};

void write_json(JsonWriter& out, const OpenedTrace& trace, const Measured& measured,
                bool with_path) {
  const SliceStatistics& statistics = measured.statistics;
  out.begin_object();
  if (with_path) out.field("path", trace.path);
  out.field("format", trace.format->name());
  out.field("axis", trace.timeline.axis == TimeAxis::nanoseconds ? "ns" : "events");
  write_weights(out, trace.timeline);
  out.field("begin", statistics.begin_ns).field("end", statistics.end_ns);
  out.field("slices", word_of(statistics.query.scope.slices));
  out.field("calls", statistics.call_count).field("tracks", statistics.track_count);
  out.field("distinct_names", statistics.names.size());
  out.key("names").begin_array();
  for (const std::uint32_t row : measured.rows) {
    write_row(out, *measured.table, row);
  }
  out.end_array().end_object();
}

std::string number_text(const ValueColumn& column, std::uint32_t row) {
  return column.head.kind == CellKind::percent ? fmt::format("{:.2f} %", percent_in(column, row))
                                               : fmt::to_string(column.numbers[row]);
}

// Laid out as in `info`: numbers right-aligned, the name last, line breaks in it replaced.
void print_text(const OpenedTrace& trace, const Measured& measured) {
  const SliceStatistics& statistics = measured.statistics;
  const std::string_view unit = trace.timeline.axis.word();
  const bool runs =
      counts_runs(trace.timeline) || statistics.query.scope.slices == SlicesOf::samples;
  fmt::print("{}: {} {} of {} names on {} {}\n", trace.path, statistics.call_count,
             runs ? "runs" : "calls", statistics.names.size(), statistics.track_count,
             statistics.track_count == 1 ? "track" : "tracks");
  fmt::print("  from {} to {}, {} {}\n\n", statistics.begin_ns, statistics.end_ns,
             statistics.length_ns(), unit);
  struct Shown {
    const ValueColumn* column;
    std::size_t width;
  };
  std::vector<Shown> shown;
  const ValueColumn* name = nullptr;
  for (const ValueColumn& column : measured.table->columns) {
    if (column.head.hidden) continue;
    if (column.head.kind == CellKind::text) {
      name = &column;
      continue;
    }
    std::size_t width = column.head.kind == CellKind::percent ? kPercentWidth : kLeastWidth;
    width = std::max(width, column.head.key.size());
    for (const std::uint32_t row : measured.rows) {
      width = std::max(width, number_text(column, row).size());
    }
    shown.push_back({&column, width});
  }
  for (const auto& [column, width] : shown) fmt::print("{:>{}}  ", column->head.key, width);
  fmt::print("{}\n", name->head.key);
  for (const std::uint32_t row : measured.rows) {
    std::string line;
    for (const auto& [column, width] : shown) {
      fmt::format_to(std::back_inserter(line), "{:>{}}  ", number_text(*column, row), width);
    }
    std::string text = valid_utf8(text_in(*measured.table, *name, row));
    std::ranges::replace_if(
        text, [](char c) { return c >= 0 && c < ' '; }, ' ');
    line += text;
    if (const std::uint64_t unfinished = statistics.names[row].unfinished_count; unfinished > 0) {
      fmt::format_to(std::back_inserter(line), "  ({} unfinished)", unfinished);
    }
    if (const std::uint64_t cut = statistics.names[row].cut_count; cut > 0) {
      fmt::format_to(std::back_inserter(line), "  ({} cut)", cut);
    }
    line += '\n';
    write_output(line);
  }
}

Result<Measured> measure(const OpenedTrace& trace, StatisticsQuery query, const TableOrder& order,
                         const StatsOptions& options) {
  if (!options.threads.empty()) {
    Result<std::vector<TrackId>> tracks = tracks_meant(trace.timeline, options.threads);
    if (!tracks) return tracks.error();
    query.scope.tracks = std::move(*tracks);
  }
  query.scope.slices =
      options.slices ? *options.slices : slices_worth_measuring(trace.timeline, query.scope);
  const unsigned jobs = options.load.jobs == 0 ? core_count() : options.load.jobs;
  Measured measured{.statistics = slice_statistics(*slice_set_of(trace.timeline), query, jobs,
                                                   nullptr, {}, trace.totals.get())};
  measured.table =
      statistics_table(measured.statistics, trace.timeline.strings, counts_runs(trace.timeline));
  measured.rows = rows_in_order(*measured.table, order, {});
  if (options.names != 0 && measured.rows.size() > options.names) {
    measured.rows.resize(options.names);
  }
  return measured;
}

void print(const OpenedTrace& trace, const Measured& measured, const StatsOptions& options) {
  if (!options.csv) return print_text(trace, measured);
  const TableForm form{.text = TableText::csv, .spreadsheet = options.spreadsheet};
  write_table(taken_table("statistics", measured.table, measured.rows, form.text), form,
              write_output);
}

}  // namespace

int run_stats(const StatsOptions& options) {
  const auto column = statistics_column(options.sort);
  if (!column) {
    fmt::print(stderr, "There is no column \"{}\" to sort by.\n", options.sort);
    return kExitUsage;
  }
  const bool is_text = statistics_columns()[*column].head.kind == CellKind::text;
  const TableOrder order{.column = *column, .descending = !is_text};
  StatisticsQuery query{.whole_calls = options.whole};
  if (const Status checked = check_range(options.range); !checked) {
    fmt::print(stderr, "{}\n", checked.error().text);
    return kExitUsage;
  }
  // Weighed by their number, names come by it.
  const TableOrder by_count{.column = *statistics_column("count"), .descending = true};
  JsonWriter json;
  bool in_folder = false, is_first = true;
  const int status = for_each_trace(options.path, [&](const NamedTrace& named) -> Status {
    const Result<OpenedTrace> trace = open_trace(named.path, options.load);
    if (!trace) return trace.error();
    const Result<TypedRange> range =
        range_in(time_context(trace->timeline), options.range.from, options.range.to);
    if (!range) return range.error();
    query.scope.begin_ns = range->begin_ns;
    query.scope.end_ns = range->end_ns;
    const bool by_calls =
        options.sort == "total" && counts_calls(trace->timeline, options.load.weight);
    const Result<Measured> measured = measure(*trace, query, by_calls ? by_count : order, options);
    if (!measured) return measured.error();
    if (options.json) {
      if (named.in_folder && is_first) json.begin_object().key("traces").begin_array();
      write_json(json, *trace, *measured, named.in_folder);
    } else {
      if (!is_first) fmt::print("\n");
      print(*trace, *measured, options);
    }
    in_folder = named.in_folder;
    is_first = false;
    return ok();
  });
  if (status != kExitOk || !options.json) return status;
  if (in_folder) json.end_array().end_object();
  fmt::print("{}\n", json.str());
  return status;
}

}  // namespace cinderscope
