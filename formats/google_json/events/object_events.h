// Collects the events of objects (N O D) and makes lifetimes of them at the end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/text/key_table.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::google_json {

// One thread, in file order.
class ObjectEvents {
 public:
  explicit ObjectEvents(TimelineBuilder& out) : out_(&out) {}

  // Events of equal key are of one object, or of several that had the same id one after the other.
  void add(const KeyedEvent& event, std::string_view key, StringId type, ProcessId process);

  // No event comes any more: frees what only add() needs.
  void close() { objects_ = {}; }
  // After close(). A lifetime for each object, on a track of its type; its snapshots are marks.
  // What is not deleted lasts to `end_ns`, what is not created begins where it is first seen.
  void finish(std::int64_t end_ns, unsigned jobs);  // so many threads sort

 private:
  struct Event {
    std::int64_t time_ns;
    RecordOffset record;
    std::uint32_t object;
    StringId type;
    ProcessId process;
    char phase;
    bool has_args;
  };
  struct Lifetime;

  void add_object(std::span<const Event> events, std::int64_t end_ns);
  void add_lifetime(Lifetime& lifetime, std::int64_t end_ns, std::uint8_t flags);

  TimelineBuilder* out_;
  KeyTable objects_;
  std::vector<std::string> ids_;  // by object, as they are shown
  std::vector<Event> events_;
};

}  // namespace cinderscope::google_json
