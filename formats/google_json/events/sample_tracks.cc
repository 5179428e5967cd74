#include "formats/google_json/events/sample_tracks.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/google_json/events/operation_id.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/build/profile/v8_nodes.h"

namespace cinderscope::google_json {
namespace {

// Microseconds as raw JSON -> nanoseconds; `otherwise` where there is no number.
std::int64_t ns_from_raw(std::string_view value, std::int64_t otherwise) {
  const auto time =
      time_from_decimal(json::is_string(value) ? json::text_of(value) : std::string(value));
  return time ? time->ns : otherwise;
}

std::int64_t clamped_sum(std::int64_t a, std::int64_t b) {  // both within +-2^62
  return std::clamp(a + b, -kMaxTimeNs, kMaxTimeNs);
}

}  // namespace

// A raw time on the timeline's clock.
std::int64_t SampleTracks::time_in(std::string_view value, std::int64_t otherwise) const {
  const auto time =
      time_from_decimal(json::is_string(value) ? json::text_of(value) : std::string(value));
  return time ? clock_.time(time->ns) : otherwise;
}

SampleTracks::Profile& SampleTracks::add_profile(ThreadId thread, std::int64_t time_ns,
                                                 RecordOffset record) {
  Profile& profile = profiles_.emplace_back(*out_->strings());
  profile.thread = thread;
  profile.record = record;
  profile.next_ns = time_ns;
  return profile;
}

void SampleTracks::profile(const std::string& key, ThreadId thread, std::int64_t time_ns,
                           RecordOffset record, std::string_view args) {
  const std::string_view data = json::member(args, "data");
  by_key_[key] = &add_profile(thread, time_in(json::member(data, "startTime"), time_ns), record);
}

void SampleTracks::profile_chunk(const std::string& key, ThreadId thread, std::int64_t time_ns,
                                 RecordOffset record, std::string_view args) {
  Profile*& profile = by_key_[key];
  if (profile == nullptr) {  // its Profile event was not recorded
    profile = &add_profile(thread, time_ns, record);
  }
  keep_chunk(*profile, record);
  const std::string_view data = json::member(args, "data");
  const std::string_view cpu_profile = json::member(data, "cpuProfile");
  add_v8_nodes(profile->calls, json::member(cpu_profile, "nodes"));
  std::string_view deltas = json::member(data, "timeDeltas");
  if (deltas.empty()) deltas = json::member(cpu_profile, "timeDeltas");
  add_samples(*profile, json::member(cpu_profile, "samples"), deltas);
  profile->end_ns = time_in(json::member(data, "endTime"), profile->end_ns);
}

void SampleTracks::whole_profile(ThreadId thread, std::int64_t time_ns, RecordOffset record,
                                 std::string_view args) {
  const std::string_view cpu_profile = json::member(json::member(args, "data"), "cpuProfile");
  if (cpu_profile.empty()) return;
  Profile& profile =
      add_profile(thread, time_in(json::member(cpu_profile, "startTime"), time_ns), record);
  keep_chunk(profile, record);
  add_v8_nodes(profile.calls, json::member(cpu_profile, "nodes"));
  add_samples(profile, json::member(cpu_profile, "samples"),
              json::member(cpu_profile, "timeDeltas"));
  profile.end_ns = time_in(json::member(cpu_profile, "endTime"), profile.end_ns);
}

void SampleTracks::add_samples(Profile& profile, std::string_view samples,
                               std::string_view deltas) {
  json::MemberReader sample(samples);
  json::MemberReader delta(deltas);
  while (sample.next()) {
    if (!delta.next()) {
      profile.lengths_differ = true;
      return;
    }
    profile.next_ns = clamped_sum(profile.next_ns, clock_.duration(ns_from_raw(delta.value(), 0)));
    profile.calls.add_sample(profile.next_ns, id_text(sample.value()));
  }
  profile.lengths_differ = profile.lengths_differ || delta.next();
}

void SampleTracks::keep_chunk(Profile& profile, RecordOffset record) {
  if (keeps_times_)
    profile.chunks.push_back({record, profile.calls.sample_count(), profile.next_ns});
}

void SampleTracks::keep_profile(const Profile& profile) {
  ProfileSamples& kept = kept_.emplace_back();
  kept.thread = profile.thread;
  kept.record = profile.record;
  kept.end_ns = profile.end_ns;
  kept.chunks = profile.chunks;
  using Runs = ProfileSamples::Runs;
  for (std::size_t i = 0; i < profile.calls.sample_count(); ++i) {
    const V8Profile::Runs runs = profile.calls.runs(i);
    kept.times_ns.push_back(profile.calls.sample_time_ns(i));
    kept.runs.push_back(runs == V8Profile::Runs::unknown     ? Runs::unknown
                        : runs == V8Profile::Runs::collector ? Runs::collector
                                                             : Runs::call);
  }
}

void SampleTracks::sample(ThreadId thread, std::int64_t time_ns, RecordOffset record,
                          std::string stack_frame) {
  const auto [at, fresh] = framed_by_thread_.try_emplace(index(thread), framed_.size());
  if (fresh) framed_.push_back({thread, record, {}});
  framed_[at->second].samples.emplace_back(time_ns, std::move(stack_frame));
}

// A second profile of a thread may run at the same time as the first, so each has its own track.
StringId SampleTracks::track_name(ThreadId thread, std::string_view name) {
  const std::uint32_t number = ++tracks_of_thread_[index(thread)];
  return out_->intern(number == 1 ? std::string(name) : fmt::format("{} {}", name, number));
}

void SampleTracks::finish(const StackFrames& frames) {
  for (Profile& profile : profiles_) finish_profile(profile);
  finish_framed(frames);
  had_profiles_ = !profiles_.empty();
  profiles_.clear();
  framed_.clear();
}

void SampleTracks::finish_profile(Profile& profile) {
  if (keeps_times_) keep_profile(profile);
  Diagnostics& diagnostics = out_->diagnostics();
  const auto place = static_cast<std::int64_t>(profile.record);
  out_->count_samples(profile.calls.sample_count());
  V8Profile::Calls made = profile.calls.finish(diagnostics, place);
  if (profile.lengths_differ) diagnostics.count(diagnostic::kBadProfile, place);
  if (made.samples.empty()) return;
  made.tree.records = CallTree::Records::none;  // these are no events
  write_samples(made.tree, made.samples, profile.end_ns, profile.record,
                out_->sample_slices(profile.thread, track_name(profile.thread, "CPU profile")),
                budget_, diagnostics);
}

void SampleTracks::finish_framed(const StackFrames& frames) {
  if (framed_.empty()) return;
  CallTree tree;
  std::uint64_t missing = 0;
  for (const StackFrame& frame : frames.frames()) {
    tree.name.push_back(out_->intern(frame.name));
    const std::int64_t parent = frame.parent.empty() ? -1 : frames.find(frame.parent);
    if (parent < 0 && !frame.parent.empty()) ++missing;
    tree.parent.push_back(parent < 0 ? kNoCall : static_cast<std::uint32_t>(parent));
  }
  Diagnostics& diagnostics = out_->diagnostics();
  diagnostics.count(diagnostic::kMissingParentFrame, kNoOffset, {}, missing);
  diagnostics.count(diagnostic::kStackCycle, kNoOffset, {}, tree.cut_cycles());
  tree.find_depths();
  for (FramedSamples& framed : framed_) {
    std::vector<CallSample> samples;
    samples.reserve(framed.samples.size());
    for (const auto& [time_ns, id] : framed.samples) {
      const std::int64_t call = frames.find(id);
      if (call < 0) {
        diagnostics.count(diagnostic::kUnknownCall, static_cast<std::int64_t>(framed.record));
      } else {
        samples.push_back({time_ns, static_cast<std::uint32_t>(call)});
      }
    }
    out_->count_samples(framed.samples.size());
    if (samples.empty()) continue;
    write_samples(tree, samples, INT64_MIN, framed.record,
                  out_->sample_slices(framed.thread, track_name(framed.thread, "samples")), budget_,
                  diagnostics);
  }
}

}  // namespace cinderscope::google_json
