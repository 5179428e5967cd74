// Collects the async events (b n e and the old S T p F) and pairs them into groups at the end.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/text/key_table.h"
#include "ingest/build/open_slices.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::google_json {

// One thread, in file order.
class AsyncEvents {
 public:
  explicit AsyncEvents(TimelineBuilder& out) : out_(&out) {}

  // Events of equal key are one group; in the old phases the name counts, too. `step` is what T and
  // p are called in their args.
  void add(const KeyedEvent& event, std::string_view key, StringId name, StringId step,
           ProcessId process);

  // Of the begin at `record`: it is part of a slice that lasted so long.
  void add_cut(const CutAsync& cut) { cuts_.emplace(cut.record, cut); }

  // No event comes any more: frees what only add() needs.
  void close() { groups_ = {}; }
  // After close(). A `b` that stays open lasts to the last event of its group, an `S` to `end_ns`.
  // `jobs` threads sort.
  void finish(std::int64_t end_ns, unsigned jobs);

 private:
  // A trace may have millions of them, and all are kept until the end of the file.
  struct Event {
    static constexpr unsigned kRecordBits = 55;  // a file of 36 PB

    std::int64_t time_ns;
    RecordOffset phase_byte : 8;  // before the record, so that neighbours differ little
    RecordOffset has_args : 1;
    RecordOffset record : kRecordBits;
    std::uint32_t group;
    StringId name;

    char phase() const { return static_cast<char>(phase_byte); }
  };
  static_assert(sizeof(Event) == 24);

  // Of an event whose step is not called as the event is, or whose process is not that of the first
  // event of its group.
  struct Beside {
    RecordOffset record;
    StringId step;
    ProcessId process;
  };

  const Beside* beside(const Event& event) const;
  std::uint8_t cut_flags(const Event& begin, std::int64_t end_ns, bool ended) const;
  AsyncTrackId track_of(std::span<const Event> group) const;
  void announce(std::span<const Event> group);
  void pair_group(std::span<const Event> group, std::int64_t end_ns);

  TimelineBuilder* out_;
  KeyTable groups_;
  PieceList<Event> events_;
  std::vector<ProcessId> processes_;                 // of each group's first event
  PieceList<Beside> waiting_beside_;                 // as they came
  std::vector<Beside> beside_;                       // the same in finish(): by record
  std::unordered_map<RecordOffset, CutAsync> cuts_;  // by the record of the begin
  // Of the group that is being paired; kept, since there may be a million of one event each.
  OpenSlices open_;                    // their records are indices into the group
  std::vector<std::uint32_t> depths_;  // of the begins
};

}  // namespace cinderscope::google_json
