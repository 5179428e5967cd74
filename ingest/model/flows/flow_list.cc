#include "ingest/model/flows/flow_list.h"

#include <algorithm>

namespace cinderscope {

FlowList::FlowList(std::span<const Flow> flows) {
  Flow most;
  for (const Flow& flow : flows) {
    most.name = std::max(most.name, flow.name);
    most.first_point = std::max(most.first_point, flow.first_point);
    most.by_bind_id |= flow.by_bind_id;
  }
  name_ = NarrowNumbers(flows.size(), index(most.name));
  first_point_ = NarrowNumbers(flows.size(), most.first_point);
  by_bind_id_ = NarrowNumbers(flows.size(), most.by_bind_id ? 1 : 0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    name_.set(i, index(flows[i].name));
    first_point_.set(i, flows[i].first_point);
    by_bind_id_.set(i, flows[i].by_bind_id ? 1 : 0);
  }
}

std::uint32_t FlowList::flow_of(std::uint64_t point) const {
  std::size_t first = 0, end = size();  // the first one behind the point is in [first, end]
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (first_point(middle) <= point) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return static_cast<std::uint32_t>(first - 1);
}

}  // namespace cinderscope
