#include "render/text/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "render/text/size_text.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

void add_count(std::vector<ReportFact>& facts, std::string_view key, std::uint64_t count) {
  if (count > 0) facts.push_back({std::string(key), count_text(count)});
}

// Slices of threads; of a trace of asynchronous operations alone these.
std::string slices_text(const Timeline& timeline) {
  const bool async = timeline.slice_count == 0 && timeline.async_slice_count > 0;
  const std::uint64_t slices = async ? timeline.async_slice_count : timeline.slice_count;
  if (slices == 0) return "no slices";
  return count_text(slices) + (async ? " async" : "") + (slices == 1 ? " slice" : " slices");
}

// Begin and end may differ by more than int64 holds.
std::string span_text(std::int64_t begin_ns, std::int64_t end_ns, TimeAxis axis) {
  std::int64_t length_ns = 0;
  if (__builtin_sub_overflow(end_ns, begin_ns, &length_ns)) length_ns = INT64_MAX;
  return exact_length_text(length_ns, axis);
}

// Below a thousand both would be the same.
std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return size_text(bytes);
  return fmt::format("{}  ({} bytes)", size_text(bytes), count_text(bytes));
}

}  // namespace

std::string damage_sentence(const Timeline& timeline, bool several_files) {
  // What is lost weighs more than what is damaged, then what there is most of.
  const Diagnostic* worst = nullptr;
  std::size_t kinds = 0, ends = 0;
  bool is_cut = false;
  for (const auto& [code, diagnostic] : timeline.diagnostics.by_code()) {
    if (diagnostic.severity < Severity::damage) continue;
    ++kinds;
    if (diagnostic.ends_early) ++ends;
    is_cut = is_cut || (diagnostic.ends_early && (code.starts_with(diagnostic::kTruncated.code) ||
                                                  code.starts_with(diagnostic::kFileShrank.code)));
    const auto weight = [](const Diagnostic& of) { return std::pair(of.severity, of.count); };
    if (worst == nullptr || weight(diagnostic) > weight(*worst)) worst = &diagnostic;
  }
  if (worst == nullptr) return {};
  std::string text;
  const std::string_view are = slices_text(timeline).starts_with("1 ") ? "is" : "are";
  if (ends > 0 && several_files) {
    text = fmt::format("A file of this trace {}: {} {} shown.",
                       is_cut ? "ends early" : "cannot be read to its end", slices_text(timeline),
                       are);
  } else if (ends > 0) {
    text = fmt::format("{}: {} before {} {} shown.",
                       is_cut ? "The file ends early" : "The file cannot be read to its end",
                       slices_text(timeline), is_cut ? "the cut" : "the damage", are);
  } else {
    text = worst->text;
    if (worst->count > 1) text += fmt::format(" ({} times)", count_text(worst->count));
  }
  const std::size_t others = kinds - std::max<std::size_t>(ends, 1);
  if (others > 0) {
    text += fmt::format(" And {} more {} of damage.", count_text(others),
                        others == 1 ? "kind" : "kinds");
  }
  return text;
}

std::string read_sentence(const Timeline& timeline, ReadState read, bool several_files) {
  const std::uint64_t slices =
      timeline.slice_count > 0 ? timeline.slice_count : timeline.async_slice_count;
  std::string damage = damage_sentence(timeline, several_files);
  if (read == ReadState::loading) return "Loading: " + slices_text(timeline) + " so far.";
  if (read == ReadState::stopped) {
    return "Loading was stopped; " + slices_text(timeline) + " had been read by then.";
  }
  if (!damage.empty()) return damage;
  if (slices == 0) {
    return timeline.empty() ? "The whole file was read; there are no events in it."
                            : "The whole file was read; there are no slices in it.";
  }
  if (slices == 1) {
    return timeline.slice_count == 1 ? "The one slice was read." : "The one async slice was read.";
  }
  if (has_calls_on_disk(timeline)) {
    return fmt::format(
        "{} outer slices were read; what lies inside longer ones is read when it is looked at.",
        count_text(slices));
  }
  return "All " + slices_text(timeline) + " were read.";
}

std::string report_sentence(const Timeline& timeline, ReadState read, bool several_files) {
  const std::string text = read_sentence(timeline, read, several_files);
  std::uint64_t notes = 0;
  std::size_t kinds = 0;
  for (const auto& [code, diagnostic] : timeline.diagnostics.by_code()) {
    if (diagnostic.severity >= Severity::damage) continue;
    notes += diagnostic.count;
    ++kinds;
  }
  if (notes > 0) {
    return text + fmt::format(" {} {} ({} {}).", count_text(notes), notes == 1 ? "note" : "notes",
                              count_text(kinds), kinds == 1 ? "kind" : "kinds");
  }
  const bool is_whole =
      read == ReadState::whole && timeline.diagnostics.total(Severity::damage) == 0;
  return is_whole ? text + " No problems." : text;
}

std::vector<ReportFact> report_facts(const LoadReport& report) {
  const Timeline& timeline = report.timeline;
  std::vector<ReportFact> facts;
  if (!report.format.empty()) facts.push_back({"Format", report.format});
  if (report.files.empty()) {
    if (!report.path.empty()) facts.push_back({"File", report.path});
  } else {
    facts.push_back({"Files", count_text(report.files.size())});
    for (std::size_t i = 0; i < report.files.size(); ++i) {
      const ReportedFile& file = report.files[i];
      facts.push_back({fmt::format("File {}", i + 1),
                       file.path + (file.problem.empty() ? "" : "  (left out)")});
    }
  }
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
  // What is open while a trace loads may still end.
  if (report.read != ReadState::loading) {
    add_count(facts, "Unfinished", timeline.unfinished_count);
  }
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
  add_count(facts, "Async steps", timeline.async_step_count);
  if (timeline.lifetime_count > 0) {
    facts.push_back(
        {"Lifetimes", fmt::format("{}  (seen {} times)", count_text(timeline.lifetime_count),
                                  count_text(timeline.lifetime_mark_count))});
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
