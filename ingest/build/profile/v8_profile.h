// A CPU profile of V8 on its way: nodes by id, samples by id, and the collector's frames.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/profile/frame_kinds.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

// One node is a call by one caller. Nodes and samples come in any order; finish() puts them
// together. Ids are text as the file has it.
class V8Profile {
 public:
  explicit V8Profile(StringPool& names) : names_(names) {}

  // Its number, from 0. `parent`: of a node that lies in its caller.
  std::uint32_t add_node(std::uint32_t parent = kNoCall);
  // `place` tells functions of one name apart: script, file, line, column. Of nodes of one id the
  // first one counts. A node that is never described is none: what it calls, its caller calls.
  void describe(std::uint32_t node, std::string_view id, std::string_view name,
                std::string_view place);
  void set_parent(std::uint32_t node, std::string_view id);
  void add_child(std::uint32_t caller, std::string_view callee_id);
  void add_sample(std::int64_t time_ns, std::string_view id) {
    samples_.push_back({time_ns, id_number(id)});
  }
  void keep_samples(std::size_t count) { samples_.resize(std::min(count, samples_.size())); }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t sample_count() const { return samples_.size(); }
  std::int64_t sample_time_ns(std::size_t i) const { return samples_[i].time_ns; }
  void set_sample_time(std::size_t i, std::int64_t time_ns) { samples_[i].time_ns = time_ns; }

  // Of the functions that are told by colour: idle, the collector.
  std::vector<LegendEntry> legend() const;

  // What a sample ran.
  enum class Runs : std::uint8_t { call, collector, unknown };
  Runs runs(std::size_t sample) const;

  struct Calls {
    CallTree tree;
    std::vector<std::uint32_t> call_of_node;  // kNoCall: "(root)", which is not drawn
    std::vector<CallSample> samples;          // by time
  };
  // Calls and stacks. The collector runs on top of what ran before it. What is odd is counted at
  // `offset`. The profile is spent.
  Calls finish(Diagnostics& diagnostics, std::int64_t offset);

 private:
  enum class FunctionKind : std::uint8_t { usual, collector, root };
  struct IdHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct KeptNode {
    std::uint32_t parent = kNoCall;  // a node
    std::uint32_t parent_id = kNoCall;
    std::uint32_t function = kNoCall;  // not described
  };
  struct KeptSample {
    std::int64_t time_ns = 0;
    std::uint32_t id = 0;
  };

  std::uint32_t id_number(std::string_view id);
  std::uint32_t function_of(std::string_view name, std::string_view place);
  void find_parents(Diagnostics& diagnostics, std::int64_t offset);
  std::vector<std::uint32_t> make_calls(CallNodes& calls) const;

  FrameNames names_;
  std::vector<StringId> function_names_;
  std::vector<FunctionKind> function_kinds_;
  std::unordered_map<std::string, std::uint32_t, IdHash, std::equal_to<>> function_by_key_;
  std::string key_;
  std::vector<KeptNode> nodes_;
  std::vector<std::uint32_t> small_ids_;  // by id, for ids that are small numbers: number + 1
  std::unordered_map<std::string, std::uint32_t, IdHash, std::equal_to<>> other_ids_;
  std::vector<std::uint32_t> node_of_id_;                          // by number of the id
  std::vector<std::pair<std::uint32_t, std::uint32_t>> children_;  // caller, number of callee's id
  std::vector<KeptSample> samples_;
};

}  // namespace cinderscope
