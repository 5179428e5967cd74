#include "formats/google_json/events/flow_events.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "formats/google_json/events/keyed_runs.h"

namespace cinderscope::google_json {
namespace {

// Points behind so many are all of this order: std::stable_sort() keeps that.
constexpr std::uint32_t kLastOrder = (std::uint32_t{1} << 28) - 1;

}  // namespace

void FlowEvents::Chains::add(const KeyedEvent& event, std::string_view key, StringId name,
                             std::uint32_t part, ThreadId thread) {
  const FlowBinding binding = event.to_next_slice ? FlowBinding::next : FlowBinding::enclosing;
  const auto order = static_cast<std::uint32_t>(std::min<std::size_t>(points.size(), kLastOrder));
  points.push_back({.time_ns = event.time_ns,
                    .flow = flows.number_of(key, event.key_hash, part),
                    .thread = thread,
                    .name = name,
                    .starts = event.starts,
                    .ends = event.ends,
                    .binding = static_cast<std::uint32_t>(binding) & 3u,
                    .order = order & kLastOrder});
}

void FlowEvents::finish(unsigned jobs) {
  finish(by_id_, false, jobs);
  finish(by_bind_id_, true, jobs);
}

void FlowEvents::finish(Chains& chains, bool by_bind_id, unsigned jobs) {
  const auto before = [](const Point& a, const Point& b) {
    if (a.flow != b.flow) return a.flow < b.flow;
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.order < b.order;
  };
  const auto flow_of = [](const Point& point) { return point.flow; };
  std::vector<Point> points = chains.points.take();
  if (points.size() > kLastOrder) {
    std::stable_sort(points.begin(), points.end(), before);
  } else {
    sort_by_operation(std::span(points), jobs, flow_of, before);
  }
  std::uint64_t incomplete = 0;
  std::vector<FlowEnd> ends;
  const auto add_flow = [&](std::span<const Point> flow) {
    ends.clear();
    bool has_start = false, has_end = false;
    for (const Point& point : flow) {
      has_start = has_start || point.starts != 0;
      has_end = has_end || point.ends != 0;
      ends.push_back({point.thread, point.time_ns, static_cast<FlowBinding>(point.binding)});
    }
    if (has_start && has_end && ends.size() > 1) {
      out_->flow(flow.front().name, by_bind_id, ends);
    } else {
      ++incomplete;
    }
  };
  take_each_run(std::move(points), flow_of, add_flow);
  out_->diagnostics().count(diagnostic::kIncompleteFlow, kNoOffset, {}, incomplete);
}

}  // namespace cinderscope::google_json
