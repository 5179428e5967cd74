#include "formats/thread_stream/id_events.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "ingest/build/passing_memory.h"

namespace cinderscope::thread_stream {
namespace {

struct Key {
  std::uint64_t id = 0;
  StringId name = kEmptyString;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    const std::uint64_t mixed =
        (key.id ^ std::uint64_t{index(key.name)} << 32) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};

void sort_by_tick(std::vector<IdEvent>& events) {
  std::ranges::stable_sort(events, {}, &IdEvent::tick);
}

}  // namespace

void add_async_calls(std::vector<IdEvent> events, ProcessId process, std::int64_t end_ns,
                     TimelineBuilder& out, OddityCounts& odd) {
  sort_by_tick(events);
  struct Group {
    StringId name = kEmptyString;
    std::vector<AsyncSlice> slices;
    std::vector<std::size_t> open;  // of them, outermost first
  };
  std::unordered_map<Key, std::size_t, KeyHash> found_groups;
  std::vector<Group> groups;  // in the order of their first begins
  for (const IdEvent& event : events) {
    const Key key{event.id, event.name};
    if (event.kind == kind::kAsyncBegin) {
      const auto [found, added] = found_groups.try_emplace(key, groups.size());
      if (added) groups.push_back({.name = event.name});
      Group& group = groups[found->second];
      const auto depth = static_cast<std::uint32_t>(group.open.size());
      group.open.push_back(group.slices.size());
      group.slices.push_back(
          {{event.time_ns, 0, event.name, event.place, kNoRecord, kUnfinished}, depth});
      continue;
    }
    const auto found = found_groups.find(key);
    if (found == found_groups.end() || groups[found->second].open.empty()) {
      odd.count(Oddity::stray_async_end, event.odd_at);
      continue;
    }
    Group& group = groups[found->second];
    Slice& slice = group.slices[group.open.back()].slice;
    group.open.pop_back();
    slice.duration_ns = event.time_ns - slice.begin_ns;
    slice.end_record = event.place;
    slice.flags = 0;
  }
  release(events);
  for (Group& group : groups) {
    for (const std::size_t open : group.open) {
      Slice& slice = group.slices[open].slice;
      slice.duration_ns = std::max<std::int64_t>(0, end_ns - slice.begin_ns);
    }
    out.async_group(out.async_track(process, group.name), group.slices);
    group = {};
  }
}

void add_flows(std::vector<IdEvent> events, TimelineBuilder& out, OddityCounts& odd) {
  sort_by_tick(events);
  std::unordered_map<Key, std::vector<FlowEnd>, KeyHash> open;
  for (const IdEvent& event : events) {
    const Key key{event.id, event.name};
    const FlowEnd point{.owner = event.thread, .time_ns = event.time_ns};
    if (event.aux == kFlowBegin) {
      open.insert_or_assign(key, std::vector<FlowEnd>{point});
      continue;
    }
    const auto found = open.find(key);
    if (found == open.end()) {
      odd.count(Oddity::stray_flow, event.odd_at);
      continue;
    }
    found->second.push_back(point);
    if (event.aux != kFlowEnd) continue;
    out.flow(event.name, false, found->second);
    open.erase(found);
  }
}

}  // namespace cinderscope::thread_stream
