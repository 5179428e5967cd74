// Collects the points of flows, s t f by id and slices by bind_id, and chains them at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "ingest/timeline_builder.h"

namespace cinderscope::google_json {

// Section 4. One thread, in file order.
class FlowEvents {
 public:
  explicit FlowEvents(TimelineBuilder& out) : out_(&out) {}

  // An s, t or f event.
  void add(const SideEvent& event, StringId name, ThreadId thread, std::string_view pid,
           const GrowingText& text);
  // A slice with a bind_id and flow_out, flow_in or both.
  void add_bound(const SideEvent& event, StringId name, ThreadId thread, const GrowingText& text);

  // Chains that lack their begin or end are counted, not drawn.
  void finish();

 private:
  struct Point {
    std::int64_t time_ns;
    std::uint32_t flow;
    ThreadId thread;
    StringId name;
    FlowBinding binding;
    bool starts, ends;
  };
  struct Chains {
    std::unordered_map<std::string, std::uint32_t> flows;
    std::vector<Point> points;

    void add(std::string key, Point point);
  };

  void finish(Chains& chains, bool by_bind_id);

  TimelineBuilder* out_;
  Chains by_id_, by_bind_id_;
};

}  // namespace cinderscope::google_json
