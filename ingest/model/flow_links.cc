#include "ingest/model/flow_links.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace cinderscope {
namespace {

auto place_of(const SliceRef& slice) {
  return std::tuple(slice.track, slice.row, slice.slice);
}

// Calls `visit(point)` for the bound points of the slices [first, end) of a row.
template <class Visit>
void for_points(const Flows& flows, const SliceRef& row, std::uint64_t first, std::uint64_t end,
                const Visit& visit) {
  if (index(row.block) != 0 || first >= end) return;
  const auto place = [&](std::size_t i) { return place_of(flows.points.slice(flows.by_slice[i])); };
  std::size_t begin = 0, last = flows.by_slice.size();
  while (begin < last) {
    const std::size_t middle = begin + (last - begin) / 2;
    if (place(middle) < std::tuple(row.track, row.row, first)) {
      begin = middle + 1;
    } else {
      last = middle;
    }
  }
  for (std::size_t i = begin; i < flows.by_slice.size(); ++i) {
    if (place(i) >= std::tuple(row.track, row.row, end)) return;
    visit(flows.by_slice[i]);
  }
}

// The nearest bound point of the flow on that side of `point`, if it is another slice's.
template <int kDirection>
bool step(const Flows& flows, std::uint64_t point, std::uint64_t& to) {
  const Flows::Range flow = flows.points_of(flows.flow_of(point));
  const std::uint64_t last = kDirection < 0 ? flow.first : flow.end - 1;
  for (to = point; to != last;) {
    to += static_cast<std::uint64_t>(std::int64_t{kDirection});
    if (flows.points.is_bound(to)) return flows.points.slice(to) != flows.points.slice(point);
  }
  return false;
}

// Calls `visit(link)` for all links from the slice on (1) or to it (-1).
template <int kDirection, class Visit>
void for_links(const Flows& flows, const SliceRef& slice, const Visit& visit) {
  for_points(flows, slice, slice.slice, slice.slice + 1, [&](std::uint64_t point) {
    std::uint64_t other = 0;
    if (!step<kDirection>(flows, point, other)) return;
    const std::uint32_t flow = flows.flow_of(point);
    visit(kDirection > 0 ? FlowLink{flow, point, other} : FlowLink{flow, other, point});
  });
}

struct HashPlace {
  std::size_t operator()(const SliceRef& slice) const {
    std::uint64_t hash = slice.slice * 0x9e3779b97f4a7c15u;
    hash ^= (std::uint64_t{index(slice.track)} << 32 | slice.row) + (hash >> 29);
    return static_cast<std::size_t>(hash * 0xbf58476d1ce4e5b9u);
  }
};
using Slices = std::unordered_set<SliceRef, HashPlace>;

// Goes on from `found` level by level, until `visit(link)` is false.
template <int kDirection, class Visit>
void go_along(const Flows& flows, std::vector<SliceRef> found, const Visit& visit) {
  Slices known(found.begin(), found.end());
  bool goes_on = true;
  for (std::size_t i = 0; i < found.size() && goes_on; ++i) {
    const SliceRef from = found[i];  // which moves as more are found
    for_links<kDirection>(flows, from, [&](const FlowLink& link) {
      if (!goes_on || !(goes_on = visit(link))) return;
      const SliceRef next = flows.points.slice(kDirection > 0 ? link.to : link.from);
      if (known.insert(next).second) found.push_back(next);
    });
  }
}

// Calls `visit(point)` for the bound points of the slices inside this one.
template <class Visit>
void for_points_inside(const Flows& flows, const SliceBlock& block, const SliceRef& slice,
                       bool has_overlaps, const Visit& visit) {
  if (index(slice.block) != 0) return;
  const Slice whole = block.rows[slice.row].slice(slice.slice);
  SliceRef inner = slice;
  while (++inner.row < block.rows.size()) {
    const SliceRow& row = block.rows[inner.row];
    const std::uint64_t first = row.lower_bound(whole.begin_ns);
    const std::uint64_t end = row.lower_bound(whole.end_ns());
    if (first >= end) {
      if (has_overlaps) continue;
      return;  // nothing lies deeper
    }
    for_points(flows, inner, first, end, [&](std::uint64_t point) {
      // Without overlaps what begins inside ends there.
      const bool inside =
          !has_overlaps || row.end_ns(flows.points.slice(point).slice) <= whole.end_ns();
      if (inside) visit(point);
    });
  }
}

}  // namespace

std::vector<std::uint32_t> points_of(const Flows& flows, const SliceRef& slice) {
  std::vector<std::uint32_t> points;
  for_points(flows, slice, slice.slice, slice.slice + 1,
             [&](std::uint64_t point) { points.push_back(static_cast<std::uint32_t>(point)); });
  return points;
}

FlowLinks flow_links(const Timeline& timeline, const SliceRef& slice) {
  const Flows& flows = *timeline.flows;
  FlowLinks links;
  for_links<-1>(flows, slice, [&](const FlowLink& link) { links.in.push_back(link); });
  for_links<1>(flows, slice, [&](const FlowLink& link) { links.out.push_back(link); });
  const auto time_ns = [&timeline](std::uint64_t point) {
    return flow_point(timeline, point).time_ns;
  };
  std::stable_sort(links.in.begin(), links.in.end(), [&](const FlowLink& a, const FlowLink& b) {
    return time_ns(a.from) < time_ns(b.from);
  });
  std::stable_sort(links.out.begin(), links.out.end(), [&](const FlowLink& a, const FlowLink& b) {
    return time_ns(a.to) < time_ns(b.to);
  });
  return links;
}

FlowChain flow_chain(const Flows& flows, const SliceRef& slice, std::size_t most) {
  FlowChain chain, before;
  const auto take_into = [most](FlowChain& into) {
    return [&into, most](const FlowLink& link) {
      into.whole = into.links.size() < most;
      if (into.whole) into.links.push_back(link);
      return into.whole;
    };
  };
  go_along<1>(flows, {slice}, take_into(chain));
  go_along<-1>(flows, {slice}, take_into(before));
  // Half of the room for each side, if both need it.
  const std::size_t kept_before =
      std::min(before.links.size(), std::max(most / 2, most - std::min(most, chain.links.size())));
  const std::size_t kept = std::min(chain.links.size(), most - kept_before);
  chain.whole = chain.whole && before.whole && kept == chain.links.size() &&
                kept_before == before.links.size();
  chain.links.resize(kept);
  chain.links.insert(chain.links.end(), before.links.begin(),
                     before.links.begin() + static_cast<std::ptrdiff_t>(kept_before));
  return chain;
}

std::uint64_t points_inside(const Flows& flows, const SliceBlock& block, const SliceRef& slice,
                            bool has_overlaps) {
  std::uint64_t count = 0;
  for_points_inside(flows, block, slice, has_overlaps, [&](std::uint64_t) { ++count; });
  return count;
}

PickedSlices connected_slices(const SliceSet& slices, const SliceRef& slice,
                              const std::atomic<bool>* cancelled) {
  const auto track =
      std::partition_point(slices.tracks.begin(), slices.tracks.end(),
                           [&](const TrackSlices& each) { return each.track < slice.track; });
  if (!slice || track == slices.tracks.end() || track->track != slice.track) return {};
  if (index(slice.block) >= track->blocks.size()) return {};
  const SliceBlock* block = track->blocks[index(slice.block)].get();
  if (block == nullptr || slice.row >= block->rows.size() ||
      slice.slice >= block->rows[slice.row].count()) {
    return {};
  }
  const Flows& flows = *slices.flows;
  std::vector<SliceRef> begin{slice};
  for_points_inside(flows, *block, slice, track->has_overlaps,
                    [&](std::uint64_t point) { begin.push_back(flows.points.slice(point)); });
  std::vector<SliceRef> all = begin;
  const auto take = [&](std::uint64_t point) {
    all.push_back(flows.points.slice(point));
    return cancelled == nullptr || !cancelled->load(std::memory_order_relaxed);
  };
  go_along<1>(flows, begin, [&](const FlowLink& link) { return take(link.to); });
  go_along<-1>(flows, begin, [&](const FlowLink& link) { return take(link.from); });
  return picked_slices(std::move(all));
}

PickedSlices slices_of_set(const SliceSet& slices, const Scope& scope,
                           const std::atomic<bool>* cancelled) {
  if (scope.set != kConnectedSet) return {};
  return connected_slices(slices, scope.connected_with, cancelled);
}

}  // namespace cinderscope
