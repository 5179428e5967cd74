// Collects CPU profiles and stack samples while reading, and makes slices of them at the end.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/events/profile_samples.h"
#include "formats/google_json/events/stack_frames.h"
#include "ingest/build/profile/v8_profile.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::google_json {

// Section 6. One thread, in file order.
class SampleTracks {
 public:
  explicit SampleTracks(TimelineBuilder& out) : out_(&out) {}

  // For times that are told inside of args.
  void use_clock(const EventClock& clock) { clock_ = clock; }
  // The times of the samples of profiles are to be known after finish().
  void keep_times() { keeps_times_ = true; }
  std::vector<ProfileSamples> take_profiles() { return std::move(kept_); }
  bool had_profiles() const { return had_profiles_; }  // after finish()

  // V8: a Profile event and its ProfileChunk events, told apart by `key` (pid and id).
  void profile(const std::string& key, ThreadId thread, std::int64_t time_ns, RecordOffset record,
               std::string_view args);
  void profile_chunk(const std::string& key, ThreadId thread, std::int64_t time_ns,
                     RecordOffset record, std::string_view args);
  // A CpuProfile event: the whole profile in its args.
  void whole_profile(ThreadId thread, std::int64_t time_ns, RecordOffset record,
                     std::string_view args);

  // A sample that names its stack in stackFrames: an element of `samples`, or a P event with sf.
  void sample(ThreadId thread, std::int64_t time_ns, RecordOffset record, std::string stack_frame);

  void finish(const StackFrames& frames);

 private:
  struct Profile {
    explicit Profile(StringPool& names) : calls(names) {}

    ThreadId thread{};
    RecordOffset record = kNoRecord;
    std::int64_t next_ns = 0;  // time of the last sample so far
    std::int64_t end_ns = INT64_MIN;
    V8Profile calls;
    std::vector<ProfileSamples::Chunk> chunks;  // where times are kept
    bool lengths_differ = false;
  };
  struct FramedSamples {
    ThreadId thread{};
    RecordOffset record = kNoRecord;
    std::vector<std::pair<std::int64_t, std::string>> samples;
  };

  std::int64_t time_in(std::string_view value, std::int64_t otherwise) const;
  void keep_chunk(Profile& profile, RecordOffset record);
  void keep_profile(const Profile& profile);
  Profile& add_profile(ThreadId thread, std::int64_t time_ns, RecordOffset record);
  void add_samples(Profile& profile, std::string_view samples, std::string_view deltas);
  void finish_profile(Profile& profile);
  void finish_framed(const StackFrames& frames);
  StringId track_name(ThreadId thread, std::string_view name);

  TimelineBuilder* out_;
  std::deque<Profile> profiles_;
  bool had_profiles_ = false;
  std::unordered_map<std::string, Profile*> by_key_;
  std::vector<FramedSamples> framed_;
  std::unordered_map<std::uint32_t, std::size_t> framed_by_thread_;
  std::unordered_map<std::uint32_t, std::uint32_t> tracks_of_thread_;
  SampleBudget budget_;
  EventClock clock_;
  bool keeps_times_ = false;
  std::vector<ProfileSamples> kept_;
};

}  // namespace cinderscope::google_json
