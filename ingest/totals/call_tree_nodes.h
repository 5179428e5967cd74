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
    slots_.assign(1024, kNoNode);
    last_callee_.assign(1, kNoNode);
  }

  // kNoNode: it would be one too many.
  std::uint32_t of(std::uint32_t caller, StringId name) {
    // Loops call the same again and again.
    const std::uint32_t last = last_callee_[caller];
    if (last != kNoNode && nodes_[last].name == name) return last;
    std::size_t slot = slot_of(caller, name);
    if (slots_[slot] == kNoNode) {
      if (nodes_.size() > most_) return kNoNode;
      slots_[slot] = static_cast<std::uint32_t>(nodes_.size());
      CallTreeNode& made = nodes_.emplace_back();
      made.name = name;
      made.caller = caller;
      made.depth = nodes_[caller].depth + 1;
      last_callee_.push_back(kNoNode);
      if (nodes_.size() * 2 > slots_.size()) grow();
      slot = slot_of(caller, name);
    }
    return last_callee_[caller] = slots_[slot];
  }

 private:
  std::size_t slot_of(std::uint32_t caller, StringId name) const {
    std::uint64_t hash = std::uint64_t{caller} << 32 | index(name);
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    std::size_t slot = static_cast<std::size_t>(hash ^ hash >> 29) & (slots_.size() - 1);
    while (slots_[slot] != kNoNode &&
           (nodes_[slots_[slot]].caller != caller || nodes_[slots_[slot]].name != name)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kNoNode);
    for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
      slots_[slot_of(nodes_[i].caller, nodes_[i].name)] = i;
    }
  }

  std::vector<CallTreeNode>& nodes_;
  std::size_t most_;
  std::vector<std::uint32_t> slots_;        // open addressing
  std::vector<std::uint32_t> last_callee_;  // by node: the one that was found last
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
