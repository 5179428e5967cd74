// Making the nodes of an AggregatedCallTree, and adding them up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/totals/aggregated_call_tree.h"

namespace cinderscope {

inline constexpr std::uint32_t kNoNode = 0xffffffffu;

// Finds the node of a name below a caller's, or makes it; at most `most` besides the first.
class NodeFinder {
 public:
  NodeFinder(std::vector<CallTreeNode>& nodes, std::size_t most) : nodes_(nodes), most_(most) {
    nodes_.assign(1, CallTreeNode{});
    slots_.assign(1024, Slot{});
  }

  // kNoNode: it would be one too many.
  std::uint32_t of(std::uint32_t caller, StringId name) {
    // Loops call the same again and again. Of node 0 nothing is kept: 0 stands for none.
    const std::uint32_t last = nodes_[caller].first_callee;
    if (last != 0 && nodes_[caller].callee_count == index(name)) return last;
    const std::uint32_t hash = hash_of(caller, name);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].node != kNoNode; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash != hash) continue;
      const CallTreeNode& found = nodes_[slots_[at].node];
      if (found.caller != caller || found.name != name) continue;
      return keep_last(caller, slots_[at].node, name);
    }
    if (nodes_.size() > most_) return kNoNode;
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    slots_[at] = {made, hash};
    CallTreeNode& node = nodes_.emplace_back();
    node.name = name;
    node.caller = caller;
    node.depth = nodes_[caller].depth + 1;
    if (nodes_.size() * 2 > slots_.size()) grow();
    return keep_last(caller, made, name);
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
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.node == kNoNode) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].node != kNoNode) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<CallTreeNode>& nodes_;
  std::size_t most_;
  std::vector<Slot> slots_;  // open addressing
};

// One call.
void add(CallTreeNode& to, std::int64_t duration_ns, const SliceRef& slice);
// All calls of another node, but not their self time.
void add(CallTreeNode& to, const CallTreeNode& calls);

// Once all nodes are there: the calls inside of each, what node 0 stands for, and the order of
// callees. Callers come before what they called.
void add_up_nested(AggregatedCallTree& out);
void add_up_all(AggregatedCallTree& out);
void order_callees(AggregatedCallTree& out);

}  // namespace cinderscope
