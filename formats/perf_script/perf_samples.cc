#include "formats/perf_script/perf_samples.h"

#include <algorithm>
#include <array>

#include "ingest/base/decimal_time.h"
#include "ingest/base/saturating.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/profile/profile_diagnostics.h"
#include "ingest/build/profile/weight_layout.h"
#include "ingest/model/measure/weights.h"

namespace cinderscope::perf_script {
namespace {

constexpr std::int64_t kUsualWithoutAny = 1'000'000;  // 1 ms
constexpr std::uint64_t kLeastPeriod = 1000;
constexpr std::int64_t kGapDistances = 3;

std::string_view base_name(std::string_view event) {
  return event.substr(0, event.find(':'));
}

bool counts_cpu_time(std::string_view event) {
  const std::string_view name = base_name(event);
  return name == "cpu-clock" || name == "task-clock";
}

bool counts_cpu_work(std::string_view event) {
  const std::string_view name = base_name(event);
  return counts_cpu_time(event) || name == "cycles" || name == "cpu-cycles";
}

std::uint64_t sort_perf_samples(std::vector<PerfSample>& samples) {
  std::uint64_t earlier = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].time_ns < samples[i - 1].time_ns) ++earlier;
  }
  if (earlier > 0) std::ranges::stable_sort(samples, {}, &PerfSample::time_ns);
  return earlier;
}

}  // namespace

// What lengths stand for.
struct PerfSamples::Weighing {
  enum class By : std::uint8_t { time, samples, period };
  By by = By::time;
  std::int64_t usual_ns = 0;
};

std::uint32_t PerfSamples::event(std::string_view name, std::string_view modifiers) {
  if (!events_.empty() && name == last_name_ && modifiers == last_modifiers_) return last_event_;
  last_name_ = name;
  last_modifiers_ = modifiers;
  std::string whole(name);
  if (!modifiers.empty()) whole.append(1, ':').append(modifiers);
  const auto [at, fresh] =
      event_by_name_.try_emplace(whole, static_cast<std::uint32_t>(events_.size()));
  if (fresh) events_.push_back({.name = whole});
  last_event_ = at->second;
  return last_event_;
}

void PerfSamples::add(std::uint32_t event, ThreadId thread, const PerfSample& sample, bool timed) {
  EventSamples& of = timed ? events_[event].timed : events_[event].untimed;
  if (of.samples++ == 0) of.first_period = sample.period;
  if (sample.call != kNoCall) ++of.with_frames;
  if (sample.cpu != kNoCpu) ++of.with_cpu;
  ++(timed ? timed_count_ : untimed_count_);
  of.by_thread[index(thread)].push_back(sample);
}

int PerfSamples::main_event() const {
  int best = -1;
  std::uint64_t most = 0;
  for (const bool any : {false, true}) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const EventSamples& samples = samples_of(events_[i]);
      if (samples.samples == 0 || (!any && !counts_cpu_work(events_[i].name))) continue;
      if (best < 0 || samples.with_frames > most) {
        best = static_cast<int>(i);
        most = samples.with_frames;
      }
    }
    if (most > 0) break;
    if (!any) best = -1;
  }
  return best;
}

std::int64_t PerfSamples::usual_distance_ns() const {
  const int number = main_event();
  if (number < 0) return 0;
  const PerfEvent& main = events_[static_cast<std::size_t>(number)];
  const EventSamples& event = main.timed;
  if (event.samples == 0) return 0;
  const bool by_cpu = event.with_cpu == event.samples;
  std::map<std::uint32_t, std::vector<std::int64_t>> times;
  for (const auto& [thread, samples] : event.by_thread) {
    for (const PerfSample& sample : samples) {
      times[by_cpu ? sample.cpu : thread].push_back(sample.time_ns);
    }
  }
  std::vector<std::int64_t> distances;
  for (auto& [who, list] : times) {
    std::ranges::sort(list);
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (list[i] > list[i - 1]) distances.push_back(list[i] - list[i - 1]);
    }
  }
  if (distances.empty()) {
    const bool told = counts_cpu_time(main.name) && event.first_period >= kLeastPeriod;
    return told ? std::min(static_cast<std::int64_t>(event.first_period), kMaxTimeNs)
                : kUsualWithoutAny;
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>((distances.size() - 1) / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

void PerfSamples::write_track(const CallTree& tree, std::vector<PerfSample>& samples,
                              const Weighing& how, TrackWriter& track, TimelineBuilder& out) {
  out.diagnostics().count(profile_diagnostic::kUnsortedSamples, kNoOffset, {},
                          sort_perf_samples(samples));
  std::vector<CallSample> placed;
  placed.reserve(samples.size());
  std::int64_t at = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (how.by != Weighing::By::time) {
      placed.push_back({at, samples[i].call});
      const std::uint64_t weight = how.by == Weighing::By::samples ? 1 : samples[i].period;
      at = std::min(saturating_sum(at, static_cast<std::int64_t>(std::min<std::uint64_t>(
                                           weight, static_cast<std::uint64_t>(kMaxTimeNs)))),
                    kMaxTimeNs);
      continue;
    }
    placed.push_back({samples[i].time_ns, samples[i].call});
    at = std::min(saturating_sum(samples[i].time_ns, how.usual_ns), kMaxTimeNs);
    if (i + 1 == samples.size()) continue;
    // What is silent for longer did not run.
    const std::int64_t distance = saturating_difference(samples[i + 1].time_ns, samples[i].time_ns);
    if (distance / kGapDistances > how.usual_ns ||
        (distance / kGapDistances == how.usual_ns && distance % kGapDistances > 0)) {
      placed.push_back({at, kNoCall});
    }
  }
  release(samples);
  write_samples(tree, placed, at, 0, track, budget_, out.diagnostics());
}

void PerfSamples::write(const CallTree& tree, const std::string& wanted_weight,
                        TimelineBuilder& out) {
  const int main = main_event();
  if (timed_count_ == 0 && untimed_count_ > 0) {
    out.count_events_by_thread({"samples", 1});
    out.use_weights({{"samples", "samples"}}, 0);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (const auto& [thread, samples] : events_[i].untimed.by_thread) {
        CallWeights weights;
        for (const PerfSample& sample : samples) {
          if (sample.call != kNoCall) weights.add(sample.call, 1);
        }
        weights.sum_up(tree.parent);
        TrackWriter& track = static_cast<int>(i) == main
                                 ? out.slices(ThreadId{thread})
                                 : out.sample_slices(ThreadId{thread}, out.intern(events_[i].name));
        lay_out_weights(tree, weights, *out.strings(), track, out.diagnostics());
      }
    }
    return;
  }
  out.diagnostics().count(profile_diagnostic::kMissingSampleTime, kNoOffset, {}, untimed_count_);
  std::vector<Weight> weights = {{"time", "nanoseconds"}, {"samples", "samples"}};
  const bool has_periods = std::ranges::any_of(
      events_, [](const PerfEvent& event) { return event.timed.first_period > 0; });
  if (has_periods) weights.push_back({"period", "event count"});
  const std::size_t chosen = find_weight(weights, wanted_weight).value_or(0);
  constexpr std::array kBy = {Weighing::By::time, Weighing::By::samples, Weighing::By::period};
  const Weighing how{.by = kBy[chosen], .usual_ns = usual_distance_ns()};
  if (timed_count_ > 0) {
    if (chosen > 0) out.count_events_by_thread({weights[chosen].unit, 1});
    out.use_weights(std::move(weights), chosen);
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    for (auto& [thread, samples] : events_[i].timed.by_thread) {
      const bool with_frames = std::ranges::any_of(
          samples, [](const PerfSample& sample) { return sample.call != kNoCall; });
      if (!with_frames) continue;
      TrackWriter& track = static_cast<int>(i) == main
                               ? out.slices(ThreadId{thread})
                               : out.sample_slices(ThreadId{thread}, out.intern(events_[i].name));
      write_track(tree, samples, how, track, out);
    }
  }
}

}  // namespace cinderscope::perf_script
