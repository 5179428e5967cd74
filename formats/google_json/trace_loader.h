// Loads a whole trace: walks its container, parses the events in parallel, fills the builder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/google_json/event_sink.h"
#include "formats/google_json/events/stack_frames.h"
#include "formats/google_json/window_parser.h"
#include "ingest/base/result.h"
#include "ingest/format/load_context.h"

namespace cinderscope::google_json {

// Section 1: an array of events, an object whose traceEvents is one, or events one after the other.
// Loader thread; used for one load.
class TraceLoader {
 public:
  // `frames` is filled with the trace's stackFrames. All must outlive the loader.
  TraceLoader(const Input& input, TimelineBuilder& out, LoadContext& context, StackFrames& frames);

  // A list of events in the trace.
  struct EventArray {
    std::uint64_t begin = 0;  // of its first element, or of blanks before it
    bool bracketed = true;    // false: ends with the input
    std::uint64_t end = 0;
    WindowEnd stop = WindowEnd::input_end;
  };

  // Neighbouring events, and what is known of them without reading them again.
  struct EventWindow {
    std::uint64_t begin = 0, end = 0;
    std::int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;  // begins and ends, as the trace counts
    bool has_counters = false;
    bool has_others = false;  // that matter whatever their time: metadata, samples
  };

  // An Error if the input is no trace at all, or after a cancel.
  Status load();
  // Instead of load() where the builder replays: only the events of the arrays that a load found.
  Status replay(std::vector<EventArray> arrays, const EventClock& clock);

  // After load(): samples of CPU profiles, where the trace is to be written, and the container's
  // lists of samples.
  std::vector<ProfileSamples> take_profiles() { return sink_.take_profiles(); }
  bool has_profiles() const { return sink_.has_profiles(); }
  std::vector<TextRange> sample_lists() const;

  // After load().
  const PhaseCounts& phase_counts() const { return sink_.phase_counts(); }
  const std::vector<EventArray>& arrays() const { return arrays_; }
  // Those of all arrays, one behind the other.
  const std::vector<EventWindow>& windows() const { return windows_; }
  const EventClock& clock() const { return sink_.clock(); }

 private:
  struct Member {
    std::string key;
    TextRange value;
    std::string text;  // of a short one before the events: the file need not be read again for it
  };

  Status load_array(std::uint64_t begin);
  Status load_object(std::uint64_t begin);
  Status load_lines(std::uint64_t begin);
  Result<std::uint64_t> load_events(std::uint64_t begin, bool bracketed);
  Status run_windows(EventArray& array);
  void note_window(const EventBatch& batch);
  void keep_text(Member& member) const;
  void use_note(std::string_view other_data);
  void read_member(const Member& member);
  void count_cut(bool in_object);
  void count_trailing_text(std::uint64_t end);
  Error no_trace(bool cut) const;
  Status finish();

  const Input* input_;
  TimelineBuilder* out_;
  LoadContext* context_;
  StackFrames* frames_;
  GrowingText text_;
  EventSink sink_;
  std::vector<std::unique_ptr<WindowParser>> parsers_;  // one per job, and one for second tries
  std::vector<EventArray> arrays_;
  std::vector<EventWindow> windows_;
  std::vector<Member> members_;
};

}  // namespace cinderscope::google_json
