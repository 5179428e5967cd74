#include "formats/google_json/flow_events.h"

#include <algorithm>

#include "formats/google_json/async_events.h"
#include "formats/google_json/event_reader.h"
#include "formats/google_json/raw_json.h"

namespace cinderscope::google_json {
namespace {

bool is_set(TextRange flag, const GrowingText& text) {
  const std::string_view value = text.view(flag);
  return !value.empty() && value != "false" && value != "null" && value != "0";
}

}  // namespace

void FlowEvents::Chains::add(std::string key, Point point) {
  point.flow =
      flows.try_emplace(std::move(key), static_cast<std::uint32_t>(flows.size())).first->second;
  points.push_back(point);
}

void FlowEvents::add(const SideEvent& event, StringId name, ThreadId thread, std::string_view pid,
                     const GrowingText& text) {
  const std::string category = event.category ? text_of(text.view(event.category)) : std::string();
  const bool ends = event.phase == 'f';
  // An end goes to the next slice, unless it says otherwise; Chrome's own input events never do.
  const bool to_enclosing = !ends || text_of(text.view(event.binding_point)) == "e" ||
                            category.find("input") != std::string::npos ||
                            category.find("ipc.flow") != std::string::npos;
  by_id_.add(
      category + '\n' + std::to_string(index(name)) + '\n' + operation_id(event, text, pid).text,
      {event.time_ns, 0, thread, name, to_enclosing ? FlowBinding::enclosing : FlowBinding::next,
       event.phase == 's', ends});
}

void FlowEvents::add_bound(const SideEvent& event, StringId name, ThreadId thread,
                           const GrowingText& text) {
  const bool starts = is_set(event.flow_out, text);
  const bool ends = is_set(event.flow_in, text);
  if (!starts && !ends) return;
  by_bind_id_.add(id_text(text.view(event.bind_id)),
                  {event.time_ns, 0, thread, name, FlowBinding::enclosing, starts, ends});
}

void FlowEvents::finish() {
  finish(by_id_, false);
  finish(by_bind_id_, true);
}

void FlowEvents::finish(Chains& chains, bool by_bind_id) {
  chains.flows = {};
  std::vector<Point>& points = chains.points;
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.flow != b.flow ? a.flow < b.flow : a.time_ns < b.time_ns;
  });
  std::uint64_t incomplete = 0;
  for (std::size_t first = 0; first < points.size();) {
    std::vector<FlowEnd> ends;
    bool has_start = false, has_end = false;
    std::size_t last = first;
    for (; last < points.size() && points[last].flow == points[first].flow; ++last) {
      const Point& point = points[last];
      has_start = has_start || point.starts;
      has_end = has_end || point.ends;
      ends.push_back({point.thread, point.time_ns, point.binding});
    }
    if (has_start && has_end && ends.size() > 1) {
      out_->flow(points[first].name, by_bind_id, std::move(ends));
    } else {
      ++incomplete;
    }
    first = last;
  }
  out_->diagnostics().count("incomplete_flow", kNoOffset,
                            "Flows that lack their begin or their end are not drawn.", incomplete);
  points = {};
}

}  // namespace cinderscope::google_json
