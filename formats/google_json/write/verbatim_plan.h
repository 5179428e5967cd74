// What becomes of each event of a trace of which a part is copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/google_json/event_walker.h"
#include "formats/google_json/google_json_source.h"
#include "formats/google_json/write/profile_plan.h"
#include "ingest/part/part_reader.h"

namespace cinderscope::google_json {

// Immutable once made; any thread.
class VerbatimPlan {
 public:
  VerbatimPlan(PartReader& part, const GoogleJsonSource& source);
  // Cancelled, or children could not be read.
  const std::optional<Error>& error() const { return error_; }

  enum class Fate : std::uint8_t {
    left_out,
    copied,
    changed,    // other times, and a mark
    profile,    // samples of a CPU profile, those inside
    held,       // a counter's value from before the range, which may hold at its begin
    flow_alone  // a point of an arrow that has no other one
  };
  // Times to be written, on the timeline's clock.
  struct Change {
    RecordOffset record = 0;
    std::int64_t begin = 0, end = 0;
    std::int64_t whole_begin = 0, whole_end = 0;
    enum class Kind : std::uint8_t {
      drop,
      cut_end,
      keep,
      slice,
      unfinished,
      async_begin,
      async_end
    };
    Kind kind = Kind::drop;
  };
  struct Decision {
    Fate fate = Fate::left_out;
    const Change* change = nullptr;
    char phase = 0;
    const ProfilePlan::Chunk* chunk = nullptr;  // of a CPU profile
    bool ends_cut = false;                      // left out, since the slice that it ends is cut
    std::int64_t time = 0;                      // as it is in the trace
  };
  Decision decide(const RawEvent& event, const char* bytes, std::uint64_t offset) const;

  // Nothing of it is copied.
  bool skips(const TraceLoader::EventWindow& window) const;

  const ProfilePlan& profiles() const { return *profiles_; }
  // An element of the container's `samples`; without a time where it has none.
  bool keeps_sample(std::string_view sample, std::optional<std::int64_t> time) const;

  // As the events write it.
  std::string time_text(std::int64_t time) const;
  std::string length_text(std::int64_t length) const;

  // The range.
  std::int64_t to() const { return options_.to; }
  std::int64_t from() const { return options_.from; }
  const EventClock& clock() const { return clock_; }
  // What is taken off times of the timeline to write them.
  std::int64_t base() const { return options_.zero ? shift_ : clock_.begin; }
  bool moves_all() const { return options_.zero; }

 private:
  void plan_track(const PartTrack& track, const Track& of);
  void plan_edges(const SliceRow& row, bool async);
  void plan_slice(const Slice& slice, bool async);
  void decide_profile(const RawEvent& event, const char* bytes, const ProfilePlan::Chunk& chunk,
                      Decision& decision) const;
  Fate fate_of_slice(char phase, std::int64_t time, std::int64_t end, RecordOffset record) const;
  bool is_in(std::int64_t time) const { return time >= options_.from && time < options_.to; }
  bool is_kept(RecordOffset record) const;
  const Change* change_of(RecordOffset record) const;

  PartOptions options_;
  const TraceSource* source_;
  EventClock clock_;
  std::int64_t shift_ = 0;
  bool picks_ = false;                    // slices are kept one by one, by `kept_`
  std::vector<Change> changes_;           // by record
  std::vector<RecordOffset> kept_;        // sorted
  std::vector<std::int64_t> points_;      // times of points of arrows that are kept, sorted
  std::vector<std::int64_t> all_points_;  // of all arrows
  bool all_threads_ = true;
  std::unordered_set<std::string> threads_, processes_;  // that are written: "pid\ntid", "pid"
  std::unordered_map<std::string_view, std::string> thread_of_tid_;  // the first one: "pid\ntid"
  std::optional<ProfilePlan> profiles_;
  std::optional<Error> error_;
};

}  // namespace cinderscope::google_json
