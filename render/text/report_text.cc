#include "render/text/report_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/text/size_text.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

void add_count(std::vector<ReportFact>& facts, std::string_view key, std::uint64_t count) {
  if (count > 0) facts.push_back({std::string(key), count_text(count)});
}

// Begin and end may differ by more than int64 holds.
std::string span_text(std::int64_t begin_ns, std::int64_t end_ns, TimeAxis axis) {
  std::int64_t length_ns = 0;
  if (__builtin_sub_overflow(end_ns, begin_ns, &length_ns)) length_ns = INT64_MAX;
  return exact_text(length_ns, axis);
}

// Below a thousand both would be the same.
std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return size_text(bytes);
  return fmt::format("{}  ({} bytes)", size_text(bytes), count_text(bytes));
}

}  // namespace

std::string report_sentence(const Timeline& timeline, ReadState read) {
  const std::uint64_t slices = timeline.slice_count;
  std::string text;
  const std::string counted = count_text(slices) + (slices == 1 ? " slice" : " slices");
  if (read == ReadState::loading) {
    text = "Loading: " + counted + " so far.";
  } else if (read == ReadState::stopped) {
    text = "Loading was stopped; " + counted + " had been read by then.";
  } else if (slices == 0) {
    text = "The whole file was read; there are no slices in it.";
  } else if (slices == 1) {
    text = "The one slice was read.";
  } else if (has_calls_on_disk(timeline)) {
    text = fmt::format(
        "{} outer slices were read; what lies inside longer ones is read when it is looked at.",
        count_text(slices));
  } else {
    text = fmt::format("All {} slices were read.", count_text(slices));
  }
  const std::uint64_t odd = timeline.diagnostics.total();
  if (odd == 0) return text + " No problems.";
  if (odd == 1) return text + " 1 note.";
  const std::size_t kinds = timeline.diagnostics.by_code().size();
  return text + fmt::format(" {} notes ({} {}).", count_text(odd), count_text(kinds),
                            kinds == 1 ? "kind" : "kinds");
}

std::vector<ReportFact> report_facts(const LoadReport& report) {
  const Timeline& timeline = report.timeline;
  std::vector<ReportFact> facts;
  if (!report.format.empty()) facts.push_back({"Format", report.format});
  if (!report.path.empty()) facts.push_back({"File", report.path});
  if (report.stored_bytes > 0) {
    facts.push_back({"Size", bytes_text(report.stored_bytes)});
  }
  if (report.inflated_bytes > 0 && report.inflated_bytes != report.stored_bytes) {
    facts.push_back({"Inflated", bytes_text(report.inflated_bytes)});
  }
  if (report.load_seconds > 0) {
    const double seconds = std::min(report.load_seconds, 1e9);
    const auto bytes = static_cast<double>(std::max(report.inflated_bytes, report.stored_bytes));
    facts.push_back({"Loaded in", fmt::format("{}  ({})", duration_text(seconds * 1e9),
                                              rate_text(bytes / seconds))});
  }
  std::uint64_t counters = 0, series = 0, values = 0;
  for (const Track& track : timeline.tracks) {
    if (track.kind != TrackKind::counter) continue;
    ++counters;
    series += track.series.size();
    for (const CounterSeries& one : track.series) values += one.time_ns.size();
  }
  const auto threads = std::count_if(timeline.threads.begin(), timeline.threads.end(),
                                     [](const Thread& thread) { return thread.track != kNoTrack; });
  add_count(facts, "Threads", static_cast<std::uint64_t>(threads));
  add_count(facts, "Slices", timeline.slice_count);
  add_count(facts, "Unfinished", timeline.unfinished_count);
  add_count(facts, "Overlapping", timeline.overlapping_count);
  add_count(facts, "Instants", timeline.instant_count);
  if (counters > 0) {
    facts.push_back({"Counters", fmt::format("{}  ({} series, {} values)", count_text(counters),
                                             count_text(series), count_text(values))});
  }
  if (timeline.async_slice_count > 0) {
    facts.push_back(
        {"Async slices", fmt::format("{}  ({} {})", count_text(timeline.async_slice_count),
                                     count_text(timeline.async_group_count),
                                     timeline.async_group_count == 1 ? "group" : "groups")});
  }
  add_count(facts, "Flows", timeline.flow_count + timeline.bind_flow_count);
  add_count(facts, "Samples", timeline.sample_count);
  if (!timeline.empty()) {
    facts.push_back({"Begins at", exact_text(timeline.begin_ns, timeline.axis)});
    facts.push_back({"Ends at", exact_text(timeline.end_ns, timeline.axis)});
    facts.push_back({"Time span", span_text(timeline.begin_ns, timeline.end_ns, timeline.axis)});
  }
  return facts;
}

std::string kind_text(std::string_view code) {
  std::string text(code);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace cinderscope
