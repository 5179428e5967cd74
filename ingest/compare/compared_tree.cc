#include "ingest/compare/compared_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/compare/comparison.h"
#include "ingest/totals/call_tree_nodes.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kNodesBetweenLooks = 4096;  // at the cancel flag

bool stopped(std::uint32_t node, const std::atomic<bool>& cancelled) {
  return node % kNodesBetweenLooks == 0 && cancelled.load(std::memory_order_relaxed);
}

// Adds the nodes of a tree where `name_of(node)` says; what has no name, or finds no room, becomes
// self time of its caller. False: cancelled.
template <class NameOf>
bool add_nodes(const AggregatedCallTree& tree, NodeFinder& finder, AggregatedCallTree& out,
               const std::atomic<bool>& cancelled, const NameOf& name_of) {
  std::vector<CallPlace> places(tree.nodes.size());
  const std::vector<std::uint64_t> left_out = left_out_below(tree);
  out.left_out += tree.left_out;
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (stopped(i, cancelled)) return false;
    const CallTreeNode& from = tree.nodes[i];
    const std::uint32_t name = name_of(from.name);
    const bool is_compared = name != kNoComparedName;
    places[i] = places[from.caller];
    if (is_compared) places[i] = finder.place_of(places[i], StringId{name});
    CallTreeNode& to = out.nodes[places[i].node];
    to.self_ns = saturating_sum(to.self_ns, from.self_ns);
    to.subtree_calls += left_out[i];
    if (!is_compared) continue;
    if (!places[i].has_node) {
      out.left_out += from.count;
      to.subtree_calls += from.count;
      continue;
    }
    const bool is_longer = to.count == 0 || from.longest_ns > to.longest_ns;
    if (is_longer) {
      to.longest_ns = from.longest_ns;
      to.longest = from.longest;
    }
    to.count += from.count;
    to.total_ns = saturating_sum(to.total_ns, from.total_ns);
  }
  return true;
}

void finish(AggregatedCallTree& out) {
  out.nodes.front().self_ns = 0;  // of outermost calls that were left out
  add_up_nested(out);
  add_up_all(out);
  out.whole = true;
}

NodeNumbers numbers_of(const CallTreeNode& node) {
  return {node.count,   node.subtree_calls, node.total_ns,
          node.self_ns, node.longest_ns,    node.longest};
}

// Whether each name of the tree is a compared name of its own, so that its nodes stay.
bool keeps_nodes(const AggregatedCallTree& tree, std::span<const std::uint32_t> compared_of) {
  std::vector<bool> asked(compared_of.size());
  std::unordered_set<std::uint32_t> taken;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const std::uint32_t name = index(tree.nodes[i].name);
    if (name >= compared_of.size() || compared_of[name] == kNoComparedName) return false;
    if (asked[name]) continue;
    asked[name] = true;
    if (!taken.insert(compared_of[name]).second) return false;
  }
  return true;
}

// The callees of each node, by name.
class NamedCallees {
 public:
  struct Callee {
    std::uint32_t name = 0, node = 0;
    auto operator<=>(const Callee&) const = default;
  };

  explicit NamedCallees(const AggregatedCallTree& tree)
      : first_(tree.nodes.size() + 1), callees_(std::max<std::size_t>(tree.nodes.size(), 1) - 1) {
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) ++first_[tree.nodes[i].caller + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
      callees_[next[tree.nodes[i].caller]++] = {index(tree.nodes[i].name), i};
    }
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      std::sort(callees_.begin() + first_[i], callees_.begin() + first_[i + 1]);
    }
  }

  std::span<const Callee> of(std::uint32_t node) const {
    if (node >= first_.size() - 1) return {};  // kNoNode: it is not in this tree
    return std::span(callees_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Callee> callees_;
};

void order_by_calls(ComparedTree& out, const ComparedNames& names) {
  struct Callee {
    double width;
    std::uint32_t node;
  };
  std::vector<Callee> sorted;
  out.callees_by_calls = out.callees;
  for (const ComparedNode& node : out.nodes) {
    if (node.callee_count < 2) continue;
    const auto begin = out.callees_by_calls.begin() + node.first_callee;
    sorted.clear();
    for (auto at = begin; at != begin + node.callee_count; ++at) {
      sorted.push_back({out.width(*at, TreeWidth::mean, CallWeight::calls), *at});
    }
    std::ranges::sort(sorted, [&](const Callee& a, const Callee& b) {
      if (a.width != b.width) return a.width > b.width;
      return names.names[out.nodes[a.node].name].text < names.names[out.nodes[b.node].name].text;
    });
    std::ranges::transform(sorted, begin, &Callee::node);
  }
}

std::string collapsed_name(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == ';') c = ',';
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

}  // namespace

AggregatedCallTree with_compared_names(AggregatedCallTree tree,
                                       std::span<const std::uint32_t> compared_of_string,
                                       const std::atomic<bool>& cancelled, std::size_t most) {
  if (tree.nodes.size() <= most + 1 && keeps_nodes(tree, compared_of_string)) {
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
      tree.nodes[i].name = StringId{compared_of_string[index(tree.nodes[i].name)]};
    }
    return tree;
  }
  AggregatedCallTree out;
  NodeFinder finder(out.nodes, most);
  const bool all = add_nodes(tree, finder, out, cancelled, [&](StringId name) {
    return index(name) < compared_of_string.size() ? compared_of_string[index(name)]
                                                   : kNoComparedName;
  });
  if (all) finish(out);
  return out;
}

std::vector<std::uint32_t> compared_of_strings(const ComparedRun& run) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < run.compared_of.size(); ++i) {
    const std::uint32_t id = index(run.run->numbers[i].name);
    if (id >= out.size()) out.resize(std::size_t{id} + 1, kNoComparedName);
    out[id] = run.compared_of[i];
  }
  return out;
}

void add_run(AggregatedCallTree& to, const AggregatedCallTree& run,
             const std::atomic<bool>& cancelled, std::size_t most) {
  AggregatedCallTree out;
  NodeFinder finder(out.nodes, most);
  const auto same = [](StringId name) { return index(name); };
  const bool all =
      add_nodes(to, finder, out, cancelled, same) && add_nodes(run, finder, out, cancelled, same);
  if (all) finish(out);
  to = std::move(out);
}

std::span<const std::uint32_t> ComparedTree::callees_of(std::uint32_t node, CallWeight by) const {
  return std::span(by == CallWeight::calls ? callees_by_calls : callees)
      .subspan(nodes[node].first_callee, nodes[node].callee_count);
}

double ComparedTree::weight(std::uint32_t node, Side side, CallWeight by) const {
  const NodeNumbers& of = nodes[node].of[side];
  const double sum = by == CallWeight::calls ? static_cast<double>(of.subtree_calls)
                                             : static_cast<double>(of.total_ns);
  return sum / runs[side];
}

double ComparedTree::self(std::uint32_t node, Side side, CallWeight by) const {
  const NodeNumbers& of = nodes[node].of[side];
  const double sum =
      by == CallWeight::calls ? static_cast<double>(of.count) : static_cast<double>(of.self_ns);
  return sum / runs[side];
}

double ComparedTree::width(std::uint32_t node, TreeWidth width, CallWeight by) const {
  switch (width) {
    case TreeWidth::a:
      return weight(node, side_a, by);
    case TreeWidth::b:
      return weight(node, side_b, by);
    case TreeWidth::mean:
      break;
  }
  return (weight(node, side_a, by) + weight(node, side_b, by)) / 2;
}

int ComparedTree::step(std::uint32_t node, CallWeight by, bool by_self, double min) const {
  if (by_self) return change_step(self(node, side_a, by), self(node, side_b, by), min);
  return change_step(weight(node, side_a, by), weight(node, side_b, by), min);
}

ComparedTree merged_trees(const AggregatedCallTree& a, const AggregatedCallTree& b,
                          OfSides<double> runs, const ComparedNames& names,
                          const std::atomic<bool>& cancelled, std::size_t most) {
  ComparedTree out;
  out.runs = runs;
  out.bottom_up = a.bottom_up || b.bottom_up;
  out.left_out = a.left_out + b.left_out;
  out.nodes.resize(1);
  const OfSides<const AggregatedCallTree*> trees = {&a, &b};
  for (const Side side : {side_a, side_b}) {
    if (!trees[side]->nodes.empty()) {
      out.nodes.front().of[side] = numbers_of(trees[side]->nodes.front());
    }
  }
  // From the outermost calls downwards, both trees at once: what both have is met where two lists
  // of callees by name are walked together.
  const OfSides<NamedCallees> named = {NamedCallees(a), NamedCallees(b)};
  struct Callee {
    double width = 0;
    std::uint32_t name = 0;
    OfSides<std::uint32_t> of{};
  };
  std::vector<Callee> callees;
  std::vector<OfSides<std::uint32_t>> places = {{0, 0}};  // of each node in both trees
  for (std::uint32_t i = 0; i < out.nodes.size(); ++i) {
    if (stopped(i, cancelled)) return out;
    callees.clear();
    auto in_a = named[side_a].of(places[i][side_a]), in_b = named[side_b].of(places[i][side_b]);
    while (!in_a.empty() || !in_b.empty()) {
      const bool is_in_a =
          !in_a.empty() && (in_b.empty() || in_a.front().name <= in_b.front().name);
      const bool is_in_b =
          !in_b.empty() && (in_a.empty() || in_b.front().name <= in_a.front().name);
      Callee& made = callees.emplace_back();
      made.name = (is_in_a ? in_a : in_b).front().name;
      made.of = {is_in_a ? in_a.front().node : kNoNode, is_in_b ? in_b.front().node : kNoNode};
      for (const Side side : {side_a, side_b}) {
        if (made.of[side] == kNoNode) continue;
        made.width += static_cast<double>(trees[side]->nodes[made.of[side]].total_ns) / runs[side];
      }
      if (is_in_a) in_a = in_a.subspan(1);
      if (is_in_b) in_b = in_b.subspan(1);
    }
    std::ranges::sort(callees, [&names](const Callee& one, const Callee& other) {
      if (one.width != other.width) return one.width > other.width;
      return names.names[one.name].text < names.names[other.name].text;
    });
    out.nodes[i].first_callee = static_cast<std::uint32_t>(out.callees.size());
    for (const Callee& callee : callees) {
      // What lies below a node that found no room finds none, either.
      const bool fits = out.nodes.size() <= most;
      ComparedNode made{.name = callee.name, .caller = i, .depth = out.nodes[i].depth + 1};
      for (const Side side : {side_a, side_b}) {
        if (callee.of[side] == kNoNode) continue;
        const CallTreeNode& from = trees[side]->nodes[callee.of[side]];
        made.of[side] = numbers_of(from);
        if (!fits) out.left_out += from.subtree_calls;
      }
      if (!fits) continue;
      ++out.nodes[i].callee_count;
      out.callees.push_back(static_cast<std::uint32_t>(out.nodes.size()));
      out.nodes.push_back(made);
      places.push_back(callee.of);
    }
  }
  order_by_calls(out, names);
  out.whole = !cancelled.load(std::memory_order_relaxed);
  return out;
}

std::uint64_t write_collapsed(const ComparedTree& tree, const std::vector<std::string>& labels,
                              CallWeight by, const std::function<bool(std::string_view)>& write,
                              std::uint32_t most_depth) {
  // What is too deep is part of the last node that is written.
  OfSides<std::vector<double>> own;
  std::uint64_t deeper = 0;
  for (const Side side : {side_a, side_b}) {
    own[side].resize(tree.nodes.size());
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) own[side][i] = tree.self(i, side, by);
    for (std::size_t i = tree.nodes.size(); i-- > 1;) {
      if (tree.nodes[i].depth <= most_depth) continue;
      own[side][tree.nodes[i].caller] += std::exchange(own[side][i], 0);
      if (side == side_a) ++deeper;
    }
  }
  struct Step {
    std::uint32_t node = 0;
    std::size_t chain = 0;  // how much of the text are its callers
  };
  std::vector<Step> steps;
  const auto push_callees = [&](std::uint32_t node, std::size_t chain) {
    if (tree.nodes[node].depth >= most_depth) return;
    const auto callees = tree.callees_of(node, by);
    std::vector<std::uint32_t> order(callees.begin(), callees.end());
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return labels[tree.nodes[a].name] > labels[tree.nodes[b].name];
    });
    for (const std::uint32_t callee : order) steps.push_back({callee, chain});
  };
  std::string chain, line;
  push_callees(0, 0);
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    chain.resize(step.chain);
    if (!chain.empty()) chain += ';';
    chain += collapsed_name(labels[tree.nodes[step.node].name]);
    const auto a = std::llround(std::max(0.0, own[side_a][step.node]));
    const auto b = std::llround(std::max(0.0, own[side_b][step.node]));
    if (a != 0 || b != 0) {
      line = chain + ' ' + std::to_string(a) + ' ' + std::to_string(b) + '\n';
      if (!write(line)) return deeper;
    }
    push_callees(step.node, chain.size());
  }
  return deeper;
}

}  // namespace cinderscope
