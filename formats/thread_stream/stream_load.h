// One stream of a thread stream file, a thread, while it is loaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/thread_stream/chunk_payload.h"
#include "formats/thread_stream/code_names.h"
#include "formats/thread_stream/oddities.h"
#include "formats/thread_stream/open_calls.h"
#include "formats/thread_stream/record_cursors.h"
#include "formats/thread_stream/tables.h"
#include "formats/thread_stream/tick_clock.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::thread_stream {

inline constexpr std::uint64_t kRawToPacked = 5;  // so much longer are records that are not packed

// What all streams share while they are read.
struct StreamSurroundings {
  const Input& input;
  const std::vector<Chunk>& chunks;
  const Tables& tables;
  const CodeNames& names;
  const TickClock& clock;
  const std::vector<StringId>& near_sites;  // by site id; kNoName: not described, or far
  TimelineBuilder& out;
};

struct StreamCounts {
  std::uint64_t records = 0, lost = 0, gaps = 0, args = 0, stacks = 0, frames = 0, clock_steps = 0;
};

// A function that was called by its address, or a managed method; named by what the file says.
struct CalledCode {
  std::uint64_t key = 0;     // as in open_calls.h
  std::uint64_t detail = 0;  // the snapshot it was looked up from; the class token
  StringId name = kEmptyString;
  bool known = false;
};

// Where the offset of a stream's counter changed: from this record on it is `offset`.
struct ClockStep {
  std::uint32_t chunk = 0;  // index
  std::uint64_t place = 0, offset = 0;
};

// Records of a chunk that go on in another one of the stream; indices.
struct ChunkLink {
  std::uint32_t from = 0, to = 0;
};

struct CounterValue {
  std::int64_t time_ns = 0;
  StringId name = kEmptyString;
  double value = 0;
};

// Of an asynchronous call, or of a flow.
struct IdEvent {
  std::uint64_t tick = 0, id = 0;
  std::int64_t time_ns = 0;
  std::uint64_t place = 0, odd_at = 0;  // of the record; for diagnostics
  StringId name = kEmptyString;
  ThreadId thread{};
  std::uint16_t kind = 0, aux = 0;
};

struct StreamGap {
  std::optional<std::int64_t> begin_ns;  // none: from the trace's begin
  std::int64_t end_ns = 0;
};

// Driven by one worker at a time; different streams by different workers at once.
class StreamLoad {
 public:
  StreamLoad(std::uint32_t number, const StreamSurroundings& around)
      : number_(number), around_(&around), clock_(around.clock) {}
  // Goes on with copies of all that the other has read, in other surroundings.
  StreamLoad(const StreamLoad& other, const StreamSurroundings& around);
  StreamLoad(StreamLoad&&) = default;
  StreamLoad& operator=(const StreamLoad&) = delete;

  // Indices of chunks in the order of their sequence.
  void take_chunks(std::vector<std::uint32_t> chunks);
  void attach(ThreadId thread, TrackWriter& writer) {
    thread_ = thread;
    writer_ = &writer;
  }

  // Reads about `share` bytes of work; ends early once cancelled.
  void decode(std::uint64_t share, const std::atomic<bool>& cancelled);
  bool done() const { return !in_chunk_ && next_ == chunks_.size(); }
  std::uint64_t left_work() const { return left_work_ + (in_chunk_ ? work_in_chunk() : 0); }

  // -- of a file that grows
  // Reads what is there to stay: up to a record behind which others are, and that no further table
  // changes; about `share` bytes of work. False once there is no more of that, or if something is
  // odd: see settles().
  bool settle(std::uint64_t share, const TickClock::Settled& clock,
              const std::atomic<bool>& cancelled);
  bool settles() const { return settles_; }
  // What was read before lies elsewhere by now, more has come; false if it is not the same.
  bool go_on(const StreamSurroundings& around, std::vector<std::uint32_t> chunks,
             const std::vector<std::uint32_t>& index_now);

  // Closes what is open and counts what is missing at the end. `most_tick`: the last sign of life
  // of any stream. Once all streams are done; in turn.
  void finish(std::uint64_t most_tick);

  // Whether a memory map of this tick would change names of what was read.
  bool renamed_by_map(std::uint64_t tick) const {
    return calls_unplaced_ || (!addresses_.empty() && tick <= last_);
  }

  std::uint32_t number() const { return number_; }
  ThreadId thread() const { return thread_; }
  bool used() const { return used_; }
  std::uint64_t first_chunk_at() const { return first_chunk_at_; }
  std::optional<std::uint64_t> last_tick() const {
    return has_time_ ? std::optional(last_) : std::nullopt;
  }
  std::uint64_t first_tick() const { return first_; }  // if it has a last one
  std::int64_t end_ns() const { return end_ns_; }      // after finish()

  StreamCounts counts;
  OddityCounts odd;
  std::vector<CounterValue> counters;
  std::vector<IdEvent> async_events, flow_events;
  std::vector<StreamGap> gaps;
  std::vector<CalledCode> called;
  std::vector<ClockStep> clock_steps;
  std::vector<ChunkLink> links;

 private:
  // Whom attachments belong to.
  enum class Owner : std::uint8_t { none, kept, dropped, left_out };

  StreamLoad(const StreamLoad&) = default;
  bool can_begin_next(const TickClock::Settled& clock) const;
  bool next_chunk_has_begun() const;
  std::uint64_t settled_end(const TickClock::Settled& clock) const;
  bool has_name(const Record& record) const;

  bool begin_chunk();
  void end_chunk();
  std::uint64_t work_in_chunk() const;
  void lose(std::uint64_t records, const Chunk& chunk);
  void close_all(std::int64_t time_ns);
  template <class Cursor>
  void run(Cursor& cursor, std::uint64_t stop);
  template <class Cursor>
  void other(const Record& record, const Cursor& behind);
  template <class Cursor>
  void attachment(const Record& record, const Cursor& behind);
  template <class Cursor>
  bool take_value(Cursor behind, std::uint64_t& value);
  template <class Cursor>
  bool has_data(Cursor behind) const;
  bool next_chunk_begins_with_data() const;
  template <class Cursor>
  static bool has_conts(Cursor behind, std::uint64_t bytes);
  template <class Cursor>
  static std::uint32_t class_behind(Cursor behind);

  bool keeps(const Record& record);
  std::int64_t time_of(std::uint64_t tick, std::uint64_t at);
  void exit(const Record& record, std::uint64_t key, bool with_key, bool with_data);
  bool unwind(std::uint64_t at, std::size_t above);
  void note_cut(const Record& argument);
  std::uint8_t take_cut(std::size_t depth, std::int64_t end_ns);
  void resume(const Record& record, std::uint64_t paused);
  StringId site_name(std::uint32_t site, std::uint64_t at);
  StringId far_site_name(std::uint32_t site, std::uint64_t at);
  StringId address_name(std::uint64_t address);
  StringId managed_name(std::uint16_t ordinal, std::uint32_t token, std::uint32_t class_token);
  std::uint32_t index_of(const Chunk& chunk) const {
    return static_cast<std::uint32_t>(&chunk - around_->chunks.data());
  }
  void note_offset(std::uint64_t place) {
    clock_steps.push_back({index_of(*chunk_), place, offset_});
  }
  std::uint64_t odd_at(std::uint64_t at) const { return odd_base_ + (odd_each_ ? at : 0); }

  std::uint32_t number_;
  const StreamSurroundings* around_;
  ClockInHand clock_;
  ThreadId thread_{};
  TrackWriter* writer_ = nullptr;
  std::vector<std::uint32_t> chunks_;
  std::size_t next_ = 0;         // of chunks_
  std::uint64_t left_work_ = 0;  // in chunks that were not begun
  bool used_ = false;
  std::uint64_t first_chunk_at_ = 0;
  std::uint32_t last_sequence_ = 0;
  std::uint64_t expected_ = 0;  // ordinal of the next chunk

  // Of the chunk that is read.
  bool in_chunk_ = false;
  const Chunk* chunk_ = nullptr;            // the last that was used
  std::size_t current_ = 0;                 // of chunks_
  std::shared_ptr<const Payload> payload_;  // shared with copies
  RawCursor raw_;
  PackedCursor packed_;
  bool checks_ticks_ = false;
  std::uint64_t found_ = 0;  // records in it
  std::uint64_t odd_base_ = 0;
  bool odd_each_ = false;  // the place of each record can be told

  bool settles_ = true;
  Owner owner_ = Owner::none;
  bool has_time_ = false;
  std::uint64_t offset_ = 0, first_ = 0, last_ = 0;  // of the counter; effective ticks
  std::int64_t last_ns_ = 0, end_ns_ = 0;
  OpenCalls open_;
  // Open calls of which only a part was written.
  struct CutCall {
    std::size_t depth = 0;  // from 1
    std::int64_t begin_ns = 0, whole_begin_ns = 0;
    std::optional<std::int64_t> whole_duration_ns;
  };
  std::vector<CutCall> cut_calls_;
  std::size_t snapshot_ = 0;
  std::uint64_t snapshot_end_ = 0;  // 0: none was looked up yet
  std::unordered_map<std::uint64_t, StringId> addresses_;
  bool calls_unplaced_ = false;  // some address lies in no file that is known
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, StringId>> methods_;
  struct FarSite {
    StringId name = kEmptyString;
    bool known = false;
  };
  std::unordered_map<std::uint32_t, FarSite> far_sites_;
};

}  // namespace cinderscope::thread_stream
