#include "formats/perfetto/events/flow_chains.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ingest/base/diagnostic_kinds.h"

namespace cinderscope::perfetto {
namespace {

class FlowChains {
 public:
  FlowChains(const EventSink& sink, TimelineBuilder& out) : sink_(sink), out_(out) {}

  // All of one id, by time.
  void take(std::span<const FlowEvent> events) {
    switch (events.front().kind) {
      case FlowEvent::Kind::ids:
        return take_ids(events);
      case FlowEvent::Kind::legacy:
        return take_legacy(events, false);
      case FlowEvent::Kind::bound:
        return take_legacy(events, true);
    }
  }
  std::uint64_t incomplete() const { return incomplete_; }

 private:
  void add_point(const FlowEvent& event) {
    FlowEnd end{.time_ns = event.time_ns};
    sink_.flow_owner(event.lane, end.owner);
    if (event.at == FlowEvent::At::end) end.binding = FlowBinding::ending;
    if (event.at == FlowEvent::At::next) end.binding = FlowBinding::next;
    points_.push_back(end);
  }
  // A slice that is bound to itself is a chain, too.
  void end_chain(StringId name, bool bound) {
    if (points_.size() > (bound ? 0u : 1u)) out_.flow(name, bound, points_);
    points_.clear();
  }

  void take_ids(std::span<const FlowEvent> events) {
    for (const FlowEvent& event : events) {
      if (event.at == FlowEvent::At::end && sink_.is_stray(event.record)) continue;
      if (event.ends && points_.empty()) continue;
      add_point(event);
      if (event.ends) end_chain(kEmptyString, false);
    }
    end_chain(kEmptyString, false);
  }

  void take_legacy(std::span<const FlowEvent> events, bool bound) {
    bool starts = false, ends = false;
    for (const FlowEvent& event : events) {
      add_point(event);
      starts = starts || event.starts;
      ends = ends || event.ends;
    }
    if (!starts || !ends) {
      ++incomplete_;
      points_.clear();
    }
    end_chain(events.front().name, bound);
  }

  const EventSink& sink_;
  TimelineBuilder& out_;
  std::vector<FlowEnd> points_;
  std::uint64_t incomplete_ = 0;
};

}  // namespace

void chain_flows(EventSink& sink, TimelineBuilder& out) {
  std::vector<FlowEvent>& events = sink.flows();
  FlowChains chains(sink, out);
  // Ids are sorted alone, as events are some times as long; those of one id are few.
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  std::vector<FlowEvent> of_id;
  for (const FlowEvent::Kind kind :
       {FlowEvent::Kind::ids, FlowEvent::Kind::legacy, FlowEvent::Kind::bound}) {
    order.clear();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].kind == kind) order.emplace_back(events[i].id, i);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t first = 0; first < order.size();) {
      of_id.clear();
      const std::uint64_t id = order[first].first;
      for (; first < order.size() && order[first].first == id; ++first) {
        of_id.push_back(events[order[first].second]);
      }
      std::sort(of_id.begin(), of_id.end(), [](const FlowEvent& a, const FlowEvent& b) {
        if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
        return a.record != b.record ? a.record < b.record : a.ends < b.ends;
      });
      chains.take(of_id);
    }
  }
  out.diagnostics().count(diagnostic::kIncompleteFlow, kNoOffset, {}, chains.incomplete());
  events = {};
}

}  // namespace cinderscope::perfetto
