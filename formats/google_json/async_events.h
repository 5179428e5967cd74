// Collects the async events (b n e and the old S T p F) and pairs them into groups at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "ingest/timeline_builder.h"

namespace cinderscope::google_json {

// How an event names the operation it belongs to (section 3: id, id2, scope), as text that is equal
// for equal operations. id2.local holds for one process only.
struct OperationId {
  std::string text;
  bool global = false;  // id2.global: the process does not matter
};
OperationId operation_id(const SideEvent& event, const GrowingText& text, std::string_view pid);

// One thread, in file order.
class AsyncEvents {
 public:
  explicit AsyncEvents(TimelineBuilder& out) : out_(&out) {}

  void add(const SideEvent& event, StringId name, ProcessId process, std::string_view pid,
           const GrowingText& text);

  // A `b` that stays open lasts to the last event of its group, an `S` to `end_ns`.
  void finish(std::int64_t end_ns);

 private:
  struct Event {
    std::int64_t time_ns;
    Record record;
    std::uint32_t group;
    std::uint32_t depth;  // set while pairing
    StringId name;
    ProcessId process;
    char phase;
    bool has_args;
  };

  void pair_group(std::size_t first, std::size_t last, std::int64_t end_ns);

  TimelineBuilder* out_;
  std::unordered_map<std::string, std::uint32_t> groups_;
  std::vector<Event> events_;
};

}  // namespace cinderscope::google_json
