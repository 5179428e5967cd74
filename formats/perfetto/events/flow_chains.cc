#include "formats/perfetto/events/flow_chains.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ingest/base/diagnostic_kinds.h"
#include "ingest/base/large_pages.h"

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
    FlowEnd end{.owner = owner_of(event.lane), .time_ns = event.time_ns};
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

  // Lanes are few, and looked for once.
  FlowOwner owner_of(std::uint32_t lane) {
    if (lane >= owners_.size()) owners_.resize(std::max<std::size_t>(lane + 1, 2 * owners_.size()));
    KnownOwner& known = owners_[lane];
    if (!known.is_known) {
      known.is_known = true;
      sink_.flow_owner(lane, known.owner);
    }
    return known.owner;
  }

  struct KnownOwner {
    FlowOwner owner;
    bool is_known = false;
  };

  const EventSink& sink_;
  TimelineBuilder& out_;
  std::vector<KnownOwner> owners_;  // by lane
  std::vector<FlowEnd> points_;
  std::uint64_t incomplete_ = 0;
};

// By id, then by time. A type, so that sorting calls it without a pointer.
struct FlowEventOrder {
  bool operator()(const FlowEvent& a, const FlowEvent& b) const {
    if (a.id != b.id) return a.id < b.id;
    if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
    return a.record != b.record ? a.record < b.record : a.ends < b.ends;
  }
};

// Those of one kind, in their order. Ids are random numbers, or count up: parts of their range hold
// a few events each, which are moved once and then compared with each other alone.
class SortedFlowEvents {
 public:
  SortedFlowEvents(std::span<const std::vector<FlowEvent>> rounds, FlowEvent::Kind kind) {
    std::size_t count = 0;
    std::uint64_t most = 0;
    each(rounds, kind, [&](const FlowEvent& event) {
      least_ = std::min(least_, event.id);
      most = std::max(most, event.id);
      ++count;
    });
    if (count == 0) return;
    const auto part_bits = static_cast<int>(std::bit_width(count / kEventsInPart | 1));
    shift_ = std::max(0, static_cast<int>(std::bit_width(most - least_)) - part_bits);
    std::vector<std::size_t> end_of_part(((most - least_) >> shift_) + 1, 0);
    each(rounds, kind, [&](const FlowEvent& event) { ++end_of_part[part_of(event)]; });
    std::size_t next = 0;
    for (std::size_t& end : end_of_part) next += std::exchange(end, next);
    events_.resize(count);
    each(rounds, kind,
         [&](const FlowEvent& event) { events_[end_of_part[part_of(event)]++] = event; });
    auto begin = events_.begin();
    for (const std::size_t end_index : end_of_part) {
      const auto end = events_.begin() + static_cast<std::ptrdiff_t>(end_index);
      // Mostly one id alone, whose events come by time.
      if (!std::is_sorted(begin, end, FlowEventOrder())) std::sort(begin, end, FlowEventOrder());
      begin = end;
    }
  }

  std::span<const FlowEvent> all() const { return events_; }

 private:
  static constexpr std::size_t kEventsInPart = 4;

  template <class Take>
  static void each(std::span<const std::vector<FlowEvent>> rounds, FlowEvent::Kind kind,
                   Take take) {
    for (const std::vector<FlowEvent>& round : rounds) {
      for (const FlowEvent& event : round) {
        if (event.kind == kind) take(event);
      }
    }
  }
  std::size_t part_of(const FlowEvent& event) const {
    return static_cast<std::size_t>((event.id - least_) >> shift_);
  }

  std::uint64_t least_ = UINT64_MAX;
  int shift_ = 0;
  LargePageVector<FlowEvent> events_;
};

}  // namespace

void chain_flows(EventSink& sink, TimelineBuilder& out) {
  const std::vector<std::vector<FlowEvent>> rounds = sink.take_flows();
  FlowChains chains(sink, out);
  for (const FlowEvent::Kind kind :
       {FlowEvent::Kind::ids, FlowEvent::Kind::legacy, FlowEvent::Kind::bound}) {
    const SortedFlowEvents sorted(rounds, kind);
    std::span<const FlowEvent> left = sorted.all();
    while (!left.empty()) {
      std::size_t of_id = 1;
      while (of_id < left.size() && left[of_id].id == left.front().id) ++of_id;
      chains.take(left.first(of_id));
      left = left.subspan(of_id);
    }
  }
  out.diagnostics().count(diagnostic::kIncompleteFlow, kNoOffset, {}, chains.incomplete());
}

}  // namespace cinderscope::perfetto
