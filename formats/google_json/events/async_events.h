// Collects the async events (b n e and the old S T p F) and pairs them into groups at the end.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/text/key_table.h"
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

  // A `b` that stays open lasts to the last event of its group, an `S` to `end_ns`.
  void finish(std::int64_t end_ns);

 private:
  struct Event {
    std::int64_t time_ns;
    RecordOffset record;
    std::uint32_t group;
    StringId name;
    StringId step;  // of a step: what it is called
    ProcessId process;
    char phase;
    bool has_args;
  };

  std::uint8_t cut_flags(const Event& begin, std::int64_t end_ns, bool ended) const;
  void pair_group(std::span<const Event> group, std::int64_t end_ns);

  TimelineBuilder* out_;
  KeyTable groups_;
  std::vector<Event> events_;
  std::unordered_map<RecordOffset, CutAsync> cuts_;  // by the record of the begin
  std::vector<std::uint32_t> depths_;  // of the begins of the group that is being paired
  std::vector<AsyncSlice> slices_;     // of that group
  std::vector<AsyncMark> steps_;       // of that group
};

}  // namespace cinderscope::google_json
