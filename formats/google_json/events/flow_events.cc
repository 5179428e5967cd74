#include "formats/google_json/events/flow_events.h"

#include <algorithm>

namespace cinderscope::google_json {

void FlowEvents::Chains::add(const KeyedEvent& event, std::string_view key, StringId name,
                             std::uint32_t part, ThreadId thread) {
  points.push_back({event.time_ns, flows.number_of(key, event.key_hash, part), thread, name,
                    event.to_next_slice ? FlowBinding::next : FlowBinding::enclosing, event.starts,
                    event.ends});
}

void FlowEvents::finish() {
  finish(by_id_, false);
  finish(by_bind_id_, true);
}

void FlowEvents::finish(Chains& chains, bool by_bind_id) {
  chains.flows = {};
  std::vector<Point>& points = chains.points;
  const auto before = [](const Point& a, const Point& b) {
    return a.flow != b.flow ? a.flow < b.flow : a.time_ns < b.time_ns;
  };
  if (!std::is_sorted(points.begin(), points.end(), before)) {
    std::stable_sort(points.begin(), points.end(), before);
  }
  std::uint64_t incomplete = 0;
  std::vector<FlowEnd> ends;
  for (std::size_t first = 0; first < points.size();) {
    ends.clear();
    bool has_start = false, has_end = false;
    std::size_t last = first;
    for (; last < points.size() && points[last].flow == points[first].flow; ++last) {
      const Point& point = points[last];
      has_start = has_start || point.starts;
      has_end = has_end || point.ends;
      ends.push_back({point.thread, point.time_ns, point.binding});
    }
    if (has_start && has_end && ends.size() > 1) {
      out_->flow(points[first].name, by_bind_id, ends);
    } else {
      ++incomplete;
    }
    first = last;
  }
  out_->diagnostics().count(diagnostic::kIncompleteFlow, kNoOffset, {}, incomplete);
  points = {};
}

}  // namespace cinderscope::google_json
