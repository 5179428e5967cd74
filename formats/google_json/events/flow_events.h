// Collects the points of flows, s t f by id and slices by bind_id, and chains them at the end.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/text/key_table.h"
#include "ingest/build/passing_memory.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::google_json {

// Section 4. One thread, in file order.
class FlowEvents {
 public:
  explicit FlowEvents(TimelineBuilder& out) : out_(&out) {}

  // An s, t or f event.
  void add(const KeyedEvent& event, std::string_view key, StringId name, ThreadId thread) {
    by_id_.add(event, key, name, index(name), thread);
  }
  // A slice with a bind_id and flow_out, flow_in or both.
  void add_bound(const KeyedEvent& event, std::string_view key, StringId name, ThreadId thread) {
    by_bind_id_.add(event, key, name, 0, thread);
  }

  // No event comes any more: frees what only adding needs.
  void close() { by_id_.flows = by_bind_id_.flows = {}; }
  // After close(). Chains that lack their begin or end are counted, not drawn.
  // `jobs` threads sort.
  void finish(unsigned jobs);

 private:
  struct Point {
    std::int64_t time_ns;
    std::uint32_t flow;
    ThreadId thread;
    StringId name;
    std::uint32_t starts : 1, ends : 1, binding : 2, order : 28;  // of those of equal time
  };
  static_assert(sizeof(Point) == 24);
  struct Chains {
    KeyTable flows;
    PieceList<Point> points;

    // `part` of the key, beside its text.
    void add(const KeyedEvent& event, std::string_view key, StringId name, std::uint32_t part,
             ThreadId thread);
  };

  void finish(Chains& chains, bool by_bind_id, unsigned jobs);

  TimelineBuilder* out_;
  Chains by_id_, by_bind_id_;
};

}  // namespace cinderscope::google_json
