// Feeds the traces and the calls of a recording to the timeline.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/qubership/call_list.h"
#include "formats/qubership/recording.h"
#include "formats/qubership/trace_reader.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::qubership {

// Events further apart than this are not looked through when a call is described.
inline constexpr std::uint64_t kMostScannedBytes = 4u << 20;

std::int64_t ns_of_ms(std::int64_t ms);  // stops at +-2^62 ns

inline constexpr std::uint64_t kMostNameUnits = 1024;  // of UTF-16: longer names are cut

// Loader thread. Order of use: trace() for each file in order, then finish().
class TraceLoad {
 public:
  // Words must be read and calls sorted. `process` owns all threads.
  TraceLoad(Recording& recording, CallList& calls, TimelineBuilder& out, ProcessId process);
  // Goes on with copies of all that the other works with.
  TraceLoad(const TraceLoad& other, Recording& recording, CallList& calls, TimelineBuilder& out);

  // More words were read. False if what was read before would have other names by now.
  bool take_words();
  // `go_on` is asked now and then, between two blocks; false if it said no.
  bool trace(const StreamFile& file, ReadOn& from, AtEnd end, const GoOn& go_on);
  // Names threads, closes what is open, adds the calls on tracks of their own.
  void finish();

 private:
  struct Call {
    RecordOffset record = 0;
    RecordOffset late_tag = 0;  // the first tag behind the last child
  };
  struct ThreadState {
    ThreadId id{};
    TrackWriter* slices = nullptr;
    TrackWriter* calls = nullptr;
    std::vector<Call> open;  // outermost first
    std::int64_t last_ns = INT64_MIN;
    std::uint32_t last_block = kNoBlock;
    RecordOffset name_tag = kNoRecord;  // the newest one that says its name
    std::string name;
  };
  // Odd events of one file, reported together.
  struct OddEvents {
    std::uint64_t count = 0, first_at = 0;
    void note(std::uint64_t at) {
      if (count++ == 0) first_at = at;
    }
  };
  // Ids of the parameters that mean something here.
  struct ParameterIds {
    using Id = std::optional<std::uint32_t>;
    Id thread, title, web_method, web_url, web_query, web_host, web_address;
  };
  ParameterIds parameter_ids() const;

  std::uint32_t thread_number(std::int64_t id);
  std::uint32_t thread_named(const std::string& name);
  StringId method_name(std::uint32_t id);
  std::string shown_name(std::uint32_t id) const;  // of a method
  void begin_file(const StreamFile& file);
  void read_block(const StreamFile& file, std::uint64_t at, BlockReader& events);
  void take(const StreamFile& file, const TraceEvent& event, ThreadState& thread);
  void lose_track();  // events are missing: all that is open ends here
  void set_name(ThreadState& thread, std::string name);
  std::string name_in_tag(RecordOffset place) const;
  void add_calls();
  void add_call(const CallRecord& record, ThreadState& thread, RecordOffset place);

  Recording& recording_;
  CallList& calls_;
  TimelineBuilder& out_;
  ProcessId process_;
  std::deque<ThreadState> threads_;
  std::unordered_map<std::int64_t, std::uint32_t> number_of_id_;
  std::unordered_map<std::string, std::uint32_t> number_of_name_;
  std::vector<StringId> method_names_;  // by id, kNoName until it was asked for
  std::unordered_map<std::uint32_t, StringId> other_names_;
  ParameterIds ids_;
  std::vector<std::uint32_t> followed_;  // threads whose blocks hang together so far
  std::uint32_t last_file_ = 0;          // index of the trace file before
  bool any_file_ = false, was_cut_ = false;
  std::int64_t last_ns_ = INT64_MIN;  // of all threads
  OddEvents stray_exits_, stray_tags_, early_, clamped_;
};

}  // namespace cinderscope::qubership
