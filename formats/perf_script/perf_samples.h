// Samples of a text of `perf script` by event and thread, and the slices that they make.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/build/sample_stacks.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::perf_script {

inline constexpr std::uint32_t kNoCpu = 0xffffffffu;

struct PerfSample {
  std::int64_t time_ns = 0;
  std::uint64_t period = 0;
  std::uint32_t call = kNoCall, cpu = kNoCpu;
};

// The samples of one event, with or without times.
struct EventSamples {
  std::uint64_t samples = 0, with_frames = 0, with_cpu = 0;
  std::uint64_t first_period = 0;
  std::map<std::uint32_t, std::vector<PerfSample>> by_thread;  // ThreadId
};

struct PerfEvent {
  std::string name;
  EventSamples timed, untimed;
};

class PerfSamples {
 public:
  // By its name, modifiers joined by a colon.
  std::uint32_t event(std::string_view name, std::string_view modifiers);
  void add(std::uint32_t event, ThreadId thread, const PerfSample& sample, bool timed);

  const std::vector<PerfEvent>& events() const { return events_; }
  // Those that count: where some have times, those without do not.
  const EventSamples& samples_of(const PerfEvent& event) const {
    return timed_count_ > 0 ? event.timed : event.untimed;
  }
  std::uint64_t sample_count() const { return timed_count_ > 0 ? timed_count_ : untimed_count_; }
  bool has_times() const { return timed_count_ > 0; }
  // -1: there is none.
  int main_event() const;
  // How far samples of the main event usually are from each other on a CPU, or thread.
  std::int64_t usual_distance_ns() const;

  // Slices of the main event are the threads' own, those of others lie on tracks below. Without
  // any time lengths are numbers of samples. The samples are spent.
  void write(const CallTree& tree, const std::string& wanted_weight, TimelineBuilder& out);

 private:
  struct Weighing;
  void write_track(const CallTree& tree, std::vector<PerfSample>& samples, const Weighing& how,
                   TrackWriter& track, TimelineBuilder& out);

  std::vector<PerfEvent> events_;
  std::unordered_map<std::string, std::uint32_t> event_by_name_;
  std::string last_name_, last_modifiers_;
  std::uint32_t last_event_ = 0;
  std::uint64_t timed_count_ = 0, untimed_count_ = 0;
  SampleBudget budget_;
};

}  // namespace cinderscope::perf_script
