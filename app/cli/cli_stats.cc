// `cinderscope stats`: calls added up by name, as text, CSV or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "app/cli/cli.h"
#include "app/cli/statistics_json.h"
#include "app/session/find_traces.h"
#include "app/session/open_trace.h"
#include "ingest/base/json_writer.h"
#include "ingest/base/parallel.h"
#include "ingest/totals/slice_statistics.h"
#include "render/layout/track_list.h"
#include "render/tables/statistics_table.h"

namespace cinderscope {

namespace {

// "7", "main" or "12/7" (pid and tid) mean threads; a name that no thread has means async and
// sample tracks.
bool is_meant(const Timeline& timeline, const Track& track, const std::string& text,
              bool of_threads) {
  if ((track.kind == TrackKind::thread) != of_threads || track.kind == TrackKind::counter) {
    return false;
  }
  if (!of_threads) return timeline.text(track.name) == text;
  const Thread& thread = timeline.threads[index(track.thread)];
  const std::string_view tid = timeline.text(thread.tid);
  if (tid == text || timeline.text(thread.name) == text) return true;
  const std::string_view pid = timeline.text(timeline.processes[index(thread.process)].pid);
  return text.size() == pid.size() + 1 + tid.size() && text.starts_with(pid) &&
         text[pid.size()] == '/' && text.ends_with(tid);
}

// Keeps only the tracks of `thread` in the set; false if there are none.
bool keep_meant(const Timeline& timeline, const std::string& thread, SliceSet& set) {
  for (const bool of_threads : {true, false}) {
    std::vector<TrackSlices> meant;
    for (const TrackSlices& slices : set.tracks) {
      const Track& track = timeline.tracks[index(slices.track)];
      if (is_meant(timeline, track, thread, of_threads)) meant.push_back(slices);
    }
    if (meant.empty()) continue;
    set.tracks = std::move(meant);
    return true;
  }
  return false;
}

struct Measured {
  SliceStatistics statistics;
  std::vector<std::uint32_t> rows;
};

void write_json(JsonWriter& out, const OpenedTrace& trace, const Measured& measured,
                bool with_path) {
  const StringPool& names = *trace.timeline.strings;
  const SliceStatistics& statistics = measured.statistics;
  out.begin_object();
  if (with_path) out.field("path", trace.path);
  out.field("format", trace.format->name());
  out.field("axis", trace.timeline.axis == TimeAxis::nanoseconds ? "ns" : "events");
  out.field("begin", statistics.begin_ns).field("end", statistics.end_ns);
  out.field("calls", statistics.call_count).field("tracks", statistics.track_count);
  out.field("distinct_names", statistics.names.size());
  out.key("names").begin_array();
  for (const std::uint32_t row : measured.rows) {
    write_statistics_row(out, statistics, statistics.names[row], names);
  }
  out.end_array().end_object();
}

// Laid out as in `info`: numbers right-aligned, the name last, line breaks in it replaced.
void print_text(const OpenedTrace& trace, const Measured& measured) {
  const SliceStatistics& statistics = measured.statistics;
  const char* unit = trace.timeline.axis == TimeAxis::nanoseconds ? "ns" : "events";
  fmt::print("{}: {} calls of {} names on {} {}\n", trace.path, statistics.call_count,
             statistics.names.size(), statistics.track_count,
             statistics.track_count == 1 ? "track" : "tracks");
  fmt::print("  from {} to {}, {} {}\n\n", statistics.begin_ns, statistics.end_ns,
             statistics.length_ns(), unit);
  std::array<std::size_t, kStatisticsColumns> widths{};
  for (std::size_t c = 1; c + 1 < kStatisticsColumns; ++c) {
    const auto column = static_cast<StatisticsColumn>(c);
    widths[c] = std::max<std::size_t>(key_of(column).size(), 6);
    for (const std::uint32_t row : measured.rows) {
      widths[c] =
          std::max(widths[c],
                   fmt::formatted_size("{}", number_in(statistics, statistics.names[row], column)));
    }
  }
  std::string line;
  for (std::size_t c = 1; c + 1 < kStatisticsColumns; ++c) {
    fmt::format_to(std::back_inserter(line), "{:>{}}  ", key_of(static_cast<StatisticsColumn>(c)),
                   widths[c]);
  }
  fmt::print("{}{:>9}  name\n", line, "share");
  for (const std::uint32_t row : measured.rows) {
    const NameStatistics& name = statistics.names[row];
    line.clear();
    for (std::size_t c = 1; c + 1 < kStatisticsColumns; ++c) {
      fmt::format_to(std::back_inserter(line), "{:>{}}  ",
                     number_in(statistics, name, static_cast<StatisticsColumn>(c)), widths[c]);
    }
    std::string text = name_text(*trace.timeline.strings, name.name);
    std::ranges::replace_if(
        text, [](char c) { return c >= 0 && c < ' '; }, ' ');
    fmt::format_to(std::back_inserter(line), "{:>7.2f} %  {}", share_percent(statistics, name),
                   text);
    if (name.unfinished_count > 0) {
      fmt::format_to(std::back_inserter(line), "  ({} unfinished)", name.unfinished_count);
    }
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
}

}  // namespace

int run_stats(const StatsOptions& options) {
  const auto column = statistics_column(options.sort);
  if (!column) {
    fmt::print(stderr, "There is no column \"{}\" to sort by.\n", options.sort);
    return kExitUsage;
  }
  StatisticsQuery query{.whole_calls = options.whole};
  query.scope.begin_ns = options.from.value_or(INT64_MIN);
  query.scope.end_ns = options.to.value_or(INT64_MAX);
  if (query.scope.begin_ns >= query.scope.end_ns) {
    fmt::print(stderr, "The range ends at {}, which is not after its begin, {}.\n",
               query.scope.end_ns, query.scope.begin_ns);
    return kExitUsage;
  }
  std::string left_out;
  const Result<std::vector<std::string>> paths = traces_of(options.path, &left_out);
  if (!paths) {
    fmt::print(stderr, "{}\n", message_of(options.path, paths.error()));
    return kExitCannotOpen;
  }
  if (!left_out.empty()) fmt::print(stderr, "{}\n", left_out);
  const bool several = paths->size() > 1 || paths->front() != options.path;
  JsonWriter json;
  if (several) json.begin_object().key("traces").begin_array();
  std::size_t measured_traces = 0;
  for (const std::string& path : *paths) {
    const Result<OpenedTrace> trace = open_trace(path, options.load);
    if (!trace) {
      fmt::print(stderr, "{}\n", message_of(path, trace.error()));
      continue;
    }
    SliceSet set = *slice_set_of(trace->timeline);
    if (!options.thread.empty()) {
      if (!keep_meant(trace->timeline, options.thread, set)) {
        fmt::print(stderr, "{}: There is no thread \"{}\".\n", path, options.thread);
        continue;
      }
      query.all_kinds = true;
    }
    const unsigned jobs = options.load.jobs == 0 ? core_count() : options.load.jobs;
    Measured measured{slice_statistics(set, query, jobs), {}};
    StatisticsOrder order{.column = *column, .descending = *column != StatisticsColumn::name};
    measured.rows = rows_in_order(measured.statistics, *trace->timeline.strings, order);
    if (options.names != 0 && measured.rows.size() > options.names) {
      measured.rows.resize(options.names);
    }
    if (options.json) {
      write_json(json, *trace, measured, several);
    } else if (options.csv) {
      // Each trace has its own table.
      if (measured_traces > 0) fmt::print("\r\n");
      const std::string text =
          table_text(measured.statistics, *trace->timeline.strings, measured.rows, TableText::csv);
      std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
      if (measured_traces > 0) fmt::print("\n");
      print_text(*trace, measured);
    }
    ++measured_traces;
  }
  if (measured_traces == 0) return kExitCannotOpen;
  if (options.json) {
    if (several) json.end_array().end_object();
    fmt::print("{}\n", json.str());
  }
  return kExitOk;
}

}  // namespace cinderscope
