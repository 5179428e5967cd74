#include "ingest/build/profile/v8_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/number_text.h"

namespace cinderscope {
namespace {

constexpr std::uint32_t kSmallIds = 1u << 22;
constexpr std::string_view kCollectorName = "(garbage collector)", kIdleName = "(idle)";

}  // namespace

std::uint32_t V8Profile::id_number(std::string_view id) {
  const auto next = static_cast<std::uint32_t>(node_of_id_.size());
  // A number has one spelling among those that are looked up by number.
  const bool plain = !id.empty() && id.size() <= 7 && (id[0] != '0' || id.size() == 1);
  const auto value = plain ? parse_number<std::uint32_t>(id) : std::nullopt;
  std::uint32_t number = next;
  if (value && *value < kSmallIds) {
    if (*value >= small_ids_.size()) small_ids_.resize(*value + 1, 0);
    std::uint32_t& known = small_ids_[*value];
    if (known == 0) known = next + 1;
    number = known - 1;
  } else if (const auto found = other_ids_.find(id); found != other_ids_.end()) {
    number = found->second;
  } else {
    other_ids_.emplace(id, next);
  }
  if (number == next) node_of_id_.push_back(kNoCall);
  return number;
}

std::uint32_t V8Profile::function_of(std::string_view name, std::string_view place) {
  key_.assign(name).append(1, '\n').append(place);
  const auto found = function_by_key_.find(std::string_view(key_));
  if (found != function_by_key_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(function_names_.size());
  function_by_key_.emplace(key_, number);
  function_names_.push_back(names_.intern(name.empty() ? "(anonymous)" : name,
                                          name == kCollectorName ? FrameKind::collector
                                          : name == kIdleName    ? FrameKind::idle
                                                                 : FrameKind::usual));
  function_kinds_.push_back(name == kCollectorName ? FunctionKind::collector
                            : name == "(root)"     ? FunctionKind::root
                                                   : FunctionKind::usual);
  return number;
}

std::uint32_t V8Profile::add_node(std::uint32_t parent) {
  nodes_.push_back({.parent = parent});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void V8Profile::describe(std::uint32_t node, std::string_view id, std::string_view name,
                         std::string_view place) {
  nodes_[node].function = function_of(name, place);
  if (id.empty()) return;
  std::uint32_t& known = node_of_id_[id_number(id)];
  if (known == kNoCall) known = node;
}

void V8Profile::set_parent(std::uint32_t node, std::string_view id) {
  if (!id.empty()) nodes_[node].parent_id = id_number(id);
}

void V8Profile::add_child(std::uint32_t caller, std::string_view callee_id) {
  children_.emplace_back(caller, id_number(callee_id));
}

std::vector<LegendEntry> V8Profile::legend() const {
  return names_.legend([](FrameKind kind) {
    return fmt::format("=\"{}\"", kind == FrameKind::idle ? kIdleName : kCollectorName);
  });
}

V8Profile::Runs V8Profile::runs(std::size_t sample) const {
  const std::uint32_t node = node_of_id_[samples_[sample].id];
  if (node == kNoCall) return Runs::unknown;
  return function_kinds_[nodes_[node].function] == FunctionKind::collector ? Runs::collector
                                                                           : Runs::call;
}

void V8Profile::find_parents(Diagnostics& diagnostics, std::int64_t offset) {
  std::uint64_t missing = 0;
  for (KeptNode& node : nodes_) {
    if (node.parent_id == kNoCall) continue;
    node.parent = node_of_id_[node.parent_id];
    if (node.parent == kNoCall) ++missing;
  }
  for (const auto& [caller, callee_id] : children_) {
    const std::uint32_t callee = node_of_id_[callee_id];
    if (callee != kNoCall) nodes_[callee].parent = caller;
  }
  CallTree tree;
  for (const KeptNode& node : nodes_) tree.parent.push_back(node.parent);
  diagnostics.count(diagnostic::kMissingCaller, offset, {}, missing);
  diagnostics.count(diagnostic::kStackCycle, offset, {}, tree.cut_cycles());
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].parent = tree.parent[i];
}

// Of each node: nodes of one caller and function are one call.
std::vector<std::uint32_t> V8Profile::make_calls(CallNodes& calls) const {
  constexpr std::uint32_t kNotMade = kNoCall - 1;
  std::vector<std::uint32_t> call_of_node(nodes_.size(), kNotMade), chain;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (std::uint32_t at = i; at != kNoCall && call_of_node[at] == kNotMade;
         at = nodes_[at].parent) {
      chain.push_back(at);
    }
    for (; !chain.empty(); chain.pop_back()) {
      const KeptNode& node = nodes_[chain.back()];
      const bool outermost = node.parent == kNoCall;
      const std::uint32_t caller = outermost ? kNoCall : call_of_node[node.parent];
      const bool hidden = node.function == kNoCall ||
                          (outermost && function_kinds_[node.function] == FunctionKind::root);
      call_of_node[chain.back()] = hidden ? caller : calls.call(caller, node.function);
    }
  }
  return call_of_node;
}

V8Profile::Calls V8Profile::finish(Diagnostics& diagnostics, std::int64_t offset) {
  Calls out;
  find_parents(diagnostics, offset);
  CallNodes calls;
  out.call_of_node = make_calls(calls);
  std::uint64_t unsorted = 0, unknown = 0;
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    if (samples_[i].time_ns < samples_[i - 1].time_ns) ++unsorted;
  }
  if (unsorted > 0) {
    std::ranges::stable_sort(samples_, {}, &KeptSample::time_ns);
    diagnostics.count(diagnostic::kUnsorted, offset, {}, unsorted);
  }
  out.samples.reserve(samples_.size());
  std::uint32_t below = kNoCall;
  for (const KeptSample& sample : samples_) {
    const std::uint32_t node = node_of_id_[sample.id];
    if (node == kNoCall) {
      ++unknown;
      continue;
    }
    const std::uint32_t function = nodes_[node].function;
    if (function_kinds_[function] == FunctionKind::collector) {
      const std::uint32_t alone = out.call_of_node[node];
      out.samples.push_back(
          {sample.time_ns, below == kNoCall ? alone : calls.call(below, function)});
    } else {
      below = out.call_of_node[node];
      out.samples.push_back({sample.time_ns, below});
    }
  }
  diagnostics.count(diagnostic::kUnknownCall, offset, {}, unknown);
  out.tree = std::move(calls).tree(function_names_);
  return out;
}

}  // namespace cinderscope
