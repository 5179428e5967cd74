#include "ingest/totals/aggregated_call_tree.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"
#include "ingest/model/call_walk.h"
#include "ingest/model/flow_links.h"
#include "ingest/totals/call_tree_nodes.h"
#include "ingest/totals/call_tree_outline.h"
#include "ingest/totals/picked_slices_walk.h"
#include "ingest/totals/segment_calls.h"

namespace cinderscope {
namespace {

// Neighbours in SliceSet::tracks.
struct TrackGroup {
  std::size_t first = 0, end = 0;
};

// A scope's set decides where there is one.
bool is_walked(const TrackSlices& track, const Scope& scope, const PickedSlices* picked) {
  if (picked == nullptr) return is_measured(track, scope);
  return scope.has_track(track.track) && !picked->of_track(track.track).empty();
}

std::uint64_t slices_of(const TrackSlices& track) {
  std::uint64_t count = 0;
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->rows) count += row.count();
  }
  return count;
}

// Few, since each of them has a tree of its own until all are done.
std::vector<TrackGroup> groups_of(const SliceSet& slices, const Scope& scope,
                                  const PickedSlices* picked, unsigned jobs) {
  const std::uint64_t wanted = 2 * std::uint64_t{std::max(1u, jobs)};
  std::uint64_t all = 0;
  for (const TrackSlices& track : slices.tracks) {
    if (is_walked(track, scope, picked)) all += slices_of(track);
  }
  std::vector<TrackGroup> groups(1);
  std::uint64_t here = 0;
  for (std::size_t i = 0; i < slices.tracks.size(); ++i) {
    if (here > 0 && here >= all / wanted && jobs > 1) {
      groups.push_back({i, i});
      here = 0;
    }
    if (is_walked(slices.tracks[i], scope, picked)) here += slices_of(slices.tracks[i]);
    groups.back().end = i + 1;
  }
  return groups;
}

// Ends early once cancelled, or, if it `ends_when_full`, once something was left out. `picked` is
// the scope's set; null: there is none.
void add_tracks(const SliceSet& slices, const TrackGroup& group, const Scope& scope,
                const PickedSlices* picked, const std::atomic<bool>& cancelled, bool ends_when_full,
                NodeFinder& finder, AggregatedCallTree& out) {
  constexpr std::uint32_t kCallsBetweenLooks = 1u << 14;  // at the cancel flag
  std::atomic<bool> stop = false;
  std::uint32_t calls = 0;
  SegmentCalls segment_calls(out, finder, scope, ends_when_full, stop);
  for (std::size_t i = group.first; i < group.end && !stop; ++i) {
    const TrackSlices& track = slices.tracks[i];
    stop = cancelled.load(std::memory_order_relaxed);
    if (!is_walked(track, scope, picked)) continue;
    const bool has_callers = !is_packed(track.kind);
    const auto on_call = [&](const WalkedCall& call, const CallPlace* caller) {
      if (++calls % kCallsBetweenLooks == 0) {
        yield_to_ui();
        if (cancelled.load(std::memory_order_relaxed)) stop = true;
      }
      const CallPlace below = caller == nullptr || !has_callers ? CallPlace{} : *caller;
      if (picked != nullptr && !picked->has(call.slice)) return below;
      const CallPlace place =
          add_call(out, finder, below, call.name, call.duration_ns(), call.slice);
      if (!place.has_node) {
        if (ends_when_full) stop = true;
      } else if (!has_callers) {
        CallTreeNode& node = out.nodes[place.node];
        node.self_ns = saturating_sum(node.self_ns, call.duration_ns());
      }
      return place;
    };
    const auto on_self = [&](const CallPlace& of, std::int64_t ns) {
      if (!has_callers) return;
      out.nodes[of.node].self_ns = saturating_sum(out.nodes[of.node].self_ns, ns);
    };
    if (picked == nullptr && SegmentCalls::can_add(track)) {
      segment_calls.add(track, cancelled);
      continue;
    }
    if (picked == nullptr) {
      walk_call_tree<CallPlace>(track, scope, stop, on_call, on_self);
      continue;
    }
    for (const PickedStretch& stretch : picked_stretches(track, *picked, {.scope = scope})) {
      walk_call_tree<CallPlace>(track, stretch.scope(), stop, on_call, on_self);
    }
  }
}

// What tracks that come after those of `out` add up to, if nothing was left out of it. Nodes lie
// in the order of their first calls, so those that are too many now are the same as if one thread
// had gone through all tracks.
void add_tree(const AggregatedCallTree& tree, NodeFinder& finder, AggregatedCallTree& out) {
  std::vector<CallPlace> places(tree.nodes.size());
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    const CallTreeNode& from = tree.nodes[i];
    places[i] = finder.place_of(places[from.caller], from.name);
    CallTreeNode& to = out.nodes[places[i].node];
    to.self_ns = saturating_sum(to.self_ns, from.self_ns);
    if (!places[i].has_node) {
      out.left_out += from.count;
      to.subtree_calls += from.count;
      continue;
    }
    if (to.count == 0 || from.longest_ns > to.longest_ns) {
      to.longest_ns = from.longest_ns;
      to.longest = from.longest;
    }
    to.count += from.count;
    to.total_ns = saturating_sum(to.total_ns, from.total_ns);
  }
}

// What an outline has made of calls whose callers turn out to be others: times that the file's last
// decimal let stick out.
void drop_uncounted(AggregatedCallTree& out) {
  const auto is_uncounted = [](const CallTreeNode& node) { return node.count == 0; };
  if (std::none_of(out.nodes.begin() + 1, out.nodes.end(), is_uncounted)) return;
  std::vector<std::uint32_t> now(out.nodes.size());  // of a dropped one its caller's
  std::uint32_t kept = 1;
  for (std::uint32_t i = 1; i < out.nodes.size(); ++i) {
    CallTreeNode node = out.nodes[i];
    node.caller = now[node.caller];
    node.depth = out.nodes[node.caller].depth + 1;
    now[i] = is_uncounted(node) ? node.caller : kept;
    if (is_uncounted(node)) {
      out.nodes[node.caller].subtree_calls += node.subtree_calls;
    } else {
      out.nodes[kept++] = node;
    }
  }
  out.nodes.resize(kept);
}

}  // namespace

AggregatedCallTree aggregate_calls(const SliceSet& slices, const Scope& scope,
                                   const std::atomic<bool>& cancelled, std::size_t most,
                                   unsigned jobs) {
  AggregatedCallTree out = unordered_calls(slices, scope, cancelled, most, jobs);
  if (out.whole) order_callees(out);
  return out;
}

AggregatedCallTree unordered_calls(const SliceSet& slices, const Scope& scope,
                                   const std::atomic<bool>& cancelled, std::size_t most,
                                   unsigned jobs) {
  std::optional<PickedSlices> of_set;
  if (scope.has_set()) of_set = slices_of_set(slices, scope, &cancelled);
  const PickedSlices* picked = of_set ? &*of_set : nullptr;
  const std::vector<TrackGroup> groups = groups_of(slices, scope, picked, jobs);
  std::vector<AggregatedCallTree> trees(groups.size());
  std::vector<std::unique_ptr<NodeFinder>> finders(groups.size());
  // Only the tree that all others are added to: another one that is full is made once again, there.
  const auto outline = [&](NodeFinder& finder) {
    if (picked == nullptr) add_outline(slices, scope, cancelled, most, finder);
  };
  parallel_for(groups.size(), jobs, [&](std::size_t i) {
    finders[i] = i == 0 ? std::make_unique<NodeFinder>(trees[i].nodes, most, outline)
                        : std::make_unique<NodeFinder>(trees[i].nodes, most);
    add_tracks(slices, groups[i], scope, picked, cancelled, i > 0, *finders[i], trees[i]);
  });
  AggregatedCallTree& out = trees.front();
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (cancelled.load(std::memory_order_relaxed)) break;
    finders[i].reset();
    if (trees[i].left_out == 0) {
      add_tree(trees[i], *finders.front(), out);
    } else {
      // Which calls are left out depends on the tracks before.
      add_tracks(slices, groups[i], scope, picked, cancelled, false, *finders.front(), out);
    }
    trees[i] = {};
  }
  if (cancelled.load(std::memory_order_relaxed)) return std::move(out);
  drop_uncounted(out);
  out.nodes.front().self_ns = 0;  // of outermost calls that were left out
  add_up_nested(out);
  add_up_all(out);
  out.whole = true;
  return std::move(out);
}

AggregatedCallTree reversed(const AggregatedCallTree& tree, const std::atomic<bool>& cancelled,
                            std::size_t most) {
  AggregatedCallTree out;
  out.bottom_up = true;
  out.left_out = tree.left_out;
  NodeFinder finder(out.nodes, most);
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (i % 1024 == 0 && cancelled.load(std::memory_order_relaxed)) return out;
    const CallTreeNode& made = tree.nodes[i];
    std::uint32_t at = 0;
    std::uint32_t callers = 0;
    for (std::uint32_t from = i; from != 0 && callers <= kMaxCallers; ++callers) {
      at = finder.of(at, tree.nodes[from].name);
      if (at == kNoNode) break;
      CallTreeNode& node = out.nodes[at];
      node.count += made.count;
      node.subtree_calls = node.count;
      node.total_ns = saturating_sum(node.total_ns, made.self_ns);
      if (node.depth == 1) node.self_ns = node.total_ns;
      if (made.longest_ns >= node.longest_ns) {
        node.longest_ns = made.longest_ns;
        node.longest = made.longest;
      }
      from = tree.nodes[from].caller;
    }
  }
  add_up_all(out);
  order_callees(out);
  out.whole = true;
  return out;
}

FunctionTotals function_totals(const AggregatedCallTree& tree, StringId function,
                               const std::atomic<bool>& cancelled, std::size_t most) {
  FunctionTotals out;
  out.callers.bottom_up = true;
  NodeFinder callees(out.callees.nodes, most), callers(out.callers.nodes, most);
  // By node: the one that it is added to among the callees, if it is one of the function's.
  std::vector<std::optional<CallPlace>> among(tree.nodes.size());
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (i % 1024 == 0 && cancelled.load(std::memory_order_relaxed)) return out;
    const CallTreeNode& made = tree.nodes[i];
    if (const auto& below = among[made.caller]) {
      among[i] = callees.place_of(*below, made.name);
      CallTreeNode& to = out.callees.nodes[among[i]->node];
      to.self_ns = saturating_sum(to.self_ns, made.self_ns);
      if (among[i]->has_node) {
        add(to, made);
      } else {
        out.callees.left_out += made.count;
      }
      continue;
    }
    if (made.name != function) continue;
    among[i] = CallPlace{};
    CallTreeNode& all = out.callees.nodes.front();
    add(all, made);
    all.self_ns = saturating_sum(all.self_ns, made.self_ns);
    add(out.callers.nodes.front(), made);
    std::uint32_t at = 0, count = 0;
    for (std::uint32_t from = made.caller; from != 0 && count < kMaxCallers; ++count) {
      at = callers.of(at, tree.nodes[from].name);
      if (at == kNoNode) break;
      add(out.callers.nodes[at], made);
      from = tree.nodes[from].caller;
    }
  }
  for (AggregatedCallTree* made : {&out.callees, &out.callers}) {
    made->nodes.front().name = function;
    order_callees(*made);
    made->whole = true;
  }
  return out;
}

}  // namespace cinderscope
