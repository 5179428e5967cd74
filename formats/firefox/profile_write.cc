// The other half of ProfileLoad: what was read becomes slices, instants, tracks and counters.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "formats/firefox/profile_load.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/json_walk.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/profile/profile_diagnostics.h"

namespace cinderscope::firefox {
namespace {

constexpr DiagnosticKind kBadSampleStack{
    "bad_index", Severity::damage, "Samples name stacks that are not there; they were left out."};
constexpr DiagnosticKind kStrayMarkerEnd{
    "stray_async_end", Severity::odd,
    "The end of a marker has no begin; it is drawn from its thread's begin."};

// Each sample where all before it come to; returns the end.
std::int64_t add_up(std::vector<CallSample>& samples, const std::vector<std::int64_t>& weights) {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].time_ns = at;
    const std::int64_t weight = i < weights.size() ? std::max<std::int64_t>(weights[i], 0) : 1;
    at = std::min(saturating_sum(at, weight), kMaxTimeNs);
  }
  return at;
}

// A sample that tells how long it lasted holds no longer.
std::vector<CallSample> with_gaps(const std::vector<CallSample>& samples,
                                  const std::vector<std::int64_t>& lasts_ns) {
  std::vector<CallSample> out;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    out.push_back(samples[i]);
    if (i >= lasts_ns.size() || lasts_ns[i] <= 0) continue;
    const std::int64_t end_ns =
        std::min(saturating_sum(samples[i].time_ns, lasts_ns[i]), kMaxTimeNs);
    if (i + 1 == samples.size() || end_ns < samples[i + 1].time_ns) {
      out.push_back({end_ns, kNoCall});
    }
  }
  return out;
}

}  // namespace

void ProfileLoad::write(const std::vector<Weight>& weights, std::size_t chosen) {
  const CallTree tree = calls_->take_tree(kept_calls_);
  out_->set_legend(calls_->legend());
  SampleBudget budget;
  const bool timed = chosen == 0;
  if (!timed) out_->count_events_by_thread({weights[chosen].unit, 1});
  if (timed && is_size_) out_->use_axis({"bytes", 1});
  if (sample_count_ > 0) {
    out_->use_weights(weights, chosen);
  }
  for (ReadThread& thread : threads_) {
    // Weights of samples that count samples are those; others are a weight of their own.
    const bool weighed = chosen == 2 || weight_type_ == "samples";
    std::int64_t end = thread.samples_end_ns;
    if (!timed) {
      end = add_up(thread.samples, weighed ? thread.weights : std::vector<std::int64_t>());
    } else if (weight_type_ == "tracing-ms" && !thread.weights.empty()) {
      thread.samples = with_gaps(thread.samples, thread.weights);
    }
    unsorted_ += sort_samples(thread.samples);
    if (!thread.samples.empty()) {
      write_samples(tree, thread.samples, end, 0, out_->slices(thread.id), budget,
                    out_->diagnostics());
    }
    release(thread.samples);
    release(thread.weights);
    if (timed) write_markers(thread);
  }
  calls_->forget_texts();
  if (timed) {
    for (auto& [process, pauses] : pauses_) out_->pauses(ProcessId{process}, std::move(pauses));
  }
  Diagnostics& diagnostics = out_->diagnostics();
  diagnostics.count(profile_diagnostic::kUnequalLists, kNoOffset, {}, left_over_);
  diagnostics.count(profile_diagnostic::kMissingSampleTime, kNoOffset, {}, without_time_);
  diagnostics.count(profile_diagnostic::kUnsortedSamples, kNoOffset, {}, unsorted_);
  diagnostics.count(kBadSampleStack, kNoOffset, {}, bad_stacks_);
  diagnostics.count(kStrayMarkerEnd, kNoOffset, {}, stray_ends_);
}

void ProfileLoad::write_markers(ReadThread& thread) {
  std::unordered_map<std::int64_t, StringId> names;
  const auto name_of = [&](std::int64_t number) {
    const auto [at, fresh] = names.try_emplace(number, kEmptyString);
    if (fresh) {
      at->second = calls_->interned(calls_->texts().number_of_raw(thread.tables->raw(number)));
    }
    return at->second;
  };
  const auto keep = [&](std::int64_t name, std::string_view data, std::string_view end_data,
                        std::int64_t duration_ns) {
    kept_markers_.push_back({name, data, end_data, duration_ns, thread.tables.get()});
    return FirefoxSource::kFirstMarker + kept_markers_.size() - 1;
  };
  for (const MarkerInstant& instant : thread.markers.instants) {
    out_->instant(thread.id, instant.time_ns, name_of(instant.name),
                  keep(instant.name, instant.data, {}, -1));
  }
  std::map<std::uint32_t, std::vector<AsyncSlice>> by_name;
  for (const MarkerSlice& marker : thread.markers.slices) {
    const std::int64_t begin_ns = marker.has_begin ? marker.begin_ns : thread.begin_ns;
    const std::int64_t end_ns = marker.has_end ? marker.end_ns : thread.end_ns;
    if (end_ns < begin_ns) out_->diagnostics().count(diagnostic::kNegativeDuration);
    const StringId name = name_of(marker.name);
    const std::int64_t duration_ns =
        std::max<std::int64_t>(saturating_difference(end_ns, begin_ns), 0);
    by_name[index(name)].push_back(
        {.slice = {.begin_ns = begin_ns,
                   .duration_ns = duration_ns,
                   .name = name,
                   .record = keep(marker.name, marker.data, marker.end_data, duration_ns),
                   .flags = marker.has_end ? std::uint8_t{0} : std::uint8_t{kUnfinished}}});
  }
  const ProcessId process = out_->thread_facts(thread.id).process;
  for (const auto& [name, slices] : by_name) {
    const std::string_view marker = out_->strings()->text(StringId{name});
    const std::string track = thread.track_prefix + std::string(marker.substr(0, kMostTrackBytes));
    out_->async_group(out_->async_track(process, out_->intern(track)), slices);
  }
  release(thread.markers);
}

void ProfileLoad::read_counters(std::string_view counters, const ProfileFacts& facts, bool is_gecko,
                                ProcessId process) {
  for (const std::string_view one : read_values(counters)) {
    const Members counter(one);
    ProcessId of = process;
    if (!is_gecko) {
      const std::int64_t place = read_number(counter.get("mainThreadIndex"));
      const std::string pid = json::text_of(counter.get("pid"));
      const bool there = place >= 0 && static_cast<std::uint64_t>(place) < thread_by_place_.size();
      of = there ? out_->thread_facts(thread_by_place_[static_cast<std::size_t>(place)]).process
                 : out_->process(pid.empty() ? "-" : pid);
    }
    std::vector<std::string_view> groups;
    if (const std::string_view samples = counter.get("samples"); !samples.empty()) {
      groups.push_back(samples);
    } else {
      const std::string_view all = counter.any({"sampleGroups", "sample_groups"});
      const std::vector<std::string_view> list =
          json::is_array(all) ? read_values(all) : std::vector<std::string_view>{all};
      for (const std::string_view group : list) groups.push_back(Members(group).get("samples"));
    }
    const Members display(counter.get("display"));
    const std::string graph = json::text_of(display.get("graphType"));
    const bool adds_up = graph.empty() ? json::text_of(counter.get("category")) == "Memory"
                                       : graph == "line-accumulated";
    std::string name = json::text_of(counter.get("name"));
    if (name.empty()) name = json::text_of(counter.get("category"));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      read_counter_group(of, name, i, groups[i], facts, is_gecko, adds_up);
    }
  }
}

// Values are changes since the one before, of which the first one means nothing.
void ProfileLoad::read_counter_group(ProcessId process, const std::string& name, std::size_t number,
                                     std::string_view group, const ProfileFacts& facts,
                                     bool is_gecko, bool adds_up) {
  std::vector<std::int64_t> times;
  std::vector<double> values;
  const auto value_of = [](std::string_view raw) { return json::number_of(raw).value_or(0); };
  if (is_gecko) {
    each_row(group, {"time", "count"}, [&](std::span<const std::string_view> row) {
      const std::int64_t time = read_number(row[0], 6);
      times.push_back(time == kNoValue ? time : saturating_sum(time, facts.time_offset_ns));
      values.push_back(value_of(row[1]));
    });
  } else {
    const Members table(group);
    times = read_times(table, facts.time_power);
    for (const std::string_view raw : read_values(table.get("count"))) {
      values.push_back(value_of(raw));
    }
    const std::size_t rows = row_count(table, {times.size(), values.size()}, left_over_);
    times.resize(rows);
    values.resize(rows);
  }
  if (times.empty()) return;
  counter_count_ += times.size();
  if (!by_time_) return;
  const CounterId counter = out_->counter(process, out_->intern(name));
  std::string series = adds_up ? "sum" : "value";
  const std::size_t twin = ++series_of_counter_[static_cast<std::uint32_t>(counter)];
  if (twin > 1 || number > 0) series += fmt::format(" {}", twin);
  const StringId series_name = out_->intern(series);
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] == kNoValue) {
      ++without_time_;
      continue;
    }
    const double change = i == 0 ? 0 : values[i];
    sum += change;
    out_->counter_value(counter, series_name, times[i], adds_up ? sum : change);
  }
}

std::vector<std::pair<std::string, std::string>> ProfileLoad::details() const {
  return {{"kind", is_gecko_ ? "\"gecko\"" : "\"processed\""},
          {"version", json::is_number(version_) ? version_ : "0"},
          {"product", json_quoted(product_)},
          {"markers", fmt::format("{}", marker_count_)},
          {"allocations", fmt::format("{}", allocations_)}};
}

}  // namespace cinderscope::firefox
