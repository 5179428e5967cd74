// Making the nodes of an AggregatedCallTree, and adding them up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "ingest/base/large_pages.h"
#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

inline constexpr std::uint32_t kNoNode = 0xffffffffu;

// Where a call counts: in a node of its own, or, once there are too many, with its self time alone
// in the node of its nearest caller that has one. What is inside a call without a node has none,
// either: as a callee of that caller it would be shown as called by another function than it was.
struct CallPlace {
  std::uint32_t node = 0;
  bool has_node = true;

  bool operator==(const CallPlace&) const = default;
};

// Finds the node of a name below a caller's, or makes it; at most `most` besides the first.
class NodeFinder {
 public:
  // `half_full`, which may be empty, is called once when half of them are there; it may make more.
  NodeFinder(LargePageVector<CallTreeNode>& nodes, std::size_t most,
             std::function<void(NodeFinder&)> half_full = {})
      : nodes_(nodes), most_(most), half_full_(std::move(half_full)) {
    nodes_.assign(1, CallTreeNode{});
    slots_.assign(1024, Slot{});
  }

  std::size_t size() const { return nodes_.size(); }

  CallPlace place_of(CallPlace caller, StringId name) {
    if (!caller.has_node) return caller;
    const std::uint32_t found = of(caller.node, name);
    return found == kNoNode ? CallPlace{caller.node, false} : CallPlace{found};
  }

  // Has what of() will need brought from memory.
  void announce(CallPlace caller, StringId name) const {
    if (!caller.has_node) return;
    __builtin_prefetch(&slots_[hash_of(caller.node, name) & (slots_.size() - 1)]);
  }
  // The same, once the first has had its time.
  void announce_node(CallPlace caller, StringId name) const {
    if (!caller.has_node) return;
    const Slot& slot = slots_[hash_of(caller.node, name) & (slots_.size() - 1)];
    if (slot.node != kNoNode) __builtin_prefetch(&nodes_[slot.node]);
  }

  // kNoNode: it would be one too many.
  std::uint32_t of(std::uint32_t caller, StringId name) {
    // Loops call the same again and again. 0 stands for none.
    const std::uint32_t last = nodes_[caller].first_callee;
    if (last != 0 && nodes_[caller].callee_count == index(name)) return last;
    const bool is_full = nodes_.size() > most_;
    if (is_full && last == 0) return kNoNode;  // nothing was called from there yet
    const std::uint32_t hash = hash_of(caller, name);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].node != kNoNode; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash != hash) continue;
      const CallTreeNode& found = nodes_[slots_[at].node];
      if (found.caller != caller || found.name != name) continue;
      return keep_last(caller, slots_[at].node, name);
    }
    if (is_full) return kNoNode;
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    slots_[at] = {made, hash};
    CallTreeNode& node = nodes_.emplace_back();
    node.name = name;
    node.caller = caller;
    node.depth = nodes_[caller].depth + 1;
    if (nodes_.size() * 2 > slots_.size()) grow();
    keep_last(caller, made, name);
    if (nodes_.size() * 2 > most_ && half_full_) std::exchange(half_full_, nullptr)(*this);
    return made;
  }

 private:
  // With the hash beside it a slot of another node is passed, and the table grows, without a look
  // at the nodes: these are spread over more memory than caches hold.
  struct Slot {
    std::uint32_t node = kNoNode, hash = 0;
  };
  // Until order_callees() these members say which callee was found last, and its name: the caller's
  // node has just been looked at, an array beside it would have to come from memory, too.
  std::uint32_t keep_last(std::uint32_t caller, std::uint32_t node, StringId name) {
    nodes_[caller].first_callee = node;
    nodes_[caller].callee_count = index(name);
    return node;
  }
  static std::uint32_t hash_of(std::uint32_t caller, StringId name) {
    std::uint64_t hash = std::uint64_t{caller} << 32 | index(name);
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return static_cast<std::uint32_t>(hash ^ hash >> 29);
  }
  void grow() {
    LargePageVector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.node == kNoNode) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].node != kNoNode) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  LargePageVector<CallTreeNode>& nodes_;
  std::size_t most_;
  std::function<void(NodeFinder&)> half_full_;
  LargePageVector<Slot> slots_;  // open addressing
};

// One call.
void add(CallTreeNode& to, std::int64_t duration_ns, const SliceRef& slice);
// One call made by that of `caller`; it is left out where it finds no node, and is then one of the
// subtree_calls of the nearest caller that has one.
inline CallPlace add_call(AggregatedCallTree& out, NodeFinder& finder, CallPlace caller,
                          StringId name, std::int64_t duration_ns, const SliceRef& slice) {
  const CallPlace place = finder.place_of(caller, name);
  if (place.has_node) {
    add(out.nodes[place.node], duration_ns, slice);
  } else {
    ++out.left_out;
    ++out.nodes[place.node].subtree_calls;
  }
  return place;
}
// All calls of another node, but not their self time.
void add(CallTreeNode& to, const CallTreeNode& calls);

// Once all nodes are there: the calls inside of each, of which `subtree_calls` has those that were
// left out before, what node 0 stands for, and the order of callees. Callers come before what they
// called.
void add_up_nested(AggregatedCallTree& out);
void add_up_all(AggregatedCallTree& out);
void order_callees(AggregatedCallTree& out);
// Of a tree that is added up, by node: calls inside of it that were left out, those below its
// callees not among them. For another tree made of this one.
std::vector<std::uint64_t> left_out_below(const AggregatedCallTree& tree);

}  // namespace cinderscope
